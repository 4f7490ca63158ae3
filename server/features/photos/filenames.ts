import { limits } from '@keepsnap/contract/limits.ts'
import { canonicalTimeZone } from '@keepsnap/contract/languages.ts'

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
/** The extension for a media type that we serve; `bin` for others. */
export const extensionOf = (type: string): string => extensions[type] ?? 'bin'

// Control and format characters (among them those that reorder text), line and paragraph separators, lone surrogates,
// private-use characters. Not the joiners U+200C and U+200D.
const unprintableCharacters = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
/** Some scripts and emoji need one between two of their characters. Elsewhere it would make names differ that look the same. */
const misplacedJoiners = /(?<![^\0-\x7f\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f\u200c\u200d])/gu
/** Device names on Windows. */
const windowsDeviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const maxExtensionChars = 8
/** Of a longer name the beginning and the end count. */
const [maxNameChars, endChars] = [1_024, 64]

/** The beginning of a text, at most this many bytes in UTF-8, without splitting a character. */
function truncateBytes(text: string, maxBytes: number): string {
  let keptText = ''
  let size = 0
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > maxBytes) break
    keptText += character
  }
  return keptText
}

/**
 * Makes an uploaded file name safe to show and to save: the last part of a path, printable, not hidden, not a device name,
 * at most `maxBytes` bytes. Keeps the extension.
 */
export function cleanFilename(filename: string, maxBytes: number = limits.filenameBytes): string {
  const part = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  // Before any pattern sees it; the end has the extension.
  const lastPart = part.length > maxNameChars ? part.slice(0, maxNameChars - endChars) + part.slice(-endChars) : part
  const printable = lastPart
    .normalize('NFC')
    .replace(unprintableCharacters, '')
    .replace(misplacedJoiners, '')
    .replace(/\s+/g, ' ')
    .replace(/[<>:"|?*]/g, '_')
    .trim()
  const visible = printable.replace(/^[.\-\s]+/, '').replace(/(?<![.\s])[.\s]+$/, '')
  if (visible === '') return 'photo'
  const safe = windowsDeviceName.test(visible) ? `_${visible}` : visible
  const dot = safe.lastIndexOf('.')
  const extension = dot > 0 && safe.length - dot <= maxExtensionChars ? safe.slice(dot) : ''
  const stem = safe.slice(0, safe.length - extension.length)
  return truncateBytes(stem, maxBytes - Buffer.byteLength(extension)).replace(misplacedJoiners, '') + extension
}

/** The name of the owner's download: the uploaded name, with the extension of the actual type. */
export function ownerFilename(filename: string, type: string, maxBytes?: number): string {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,7}$/, '') || 'photo'
  return cleanFilename(`${stem}.${extensionOf(type)}`, maxBytes)
}

/** File systems allow 255 bytes, and some programs that unpack an archive add to the name. */
export const maxArchivedNameBytes = 200

const minuteParts = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const
/** Formats of each time zone; the names are canonical, so there are at most a few hundred. */
const minuteFormats = new Map<string, Intl.DateTimeFormat>()

function minuteFormatOf(timeZone: string | null): Intl.DateTimeFormat {
  const cachedFormat = minuteFormats.get(timeZone ?? '')
  if (cachedFormat) return cachedFormat
  const zone = canonicalTimeZone(timeZone ?? '')
  // Swedish writes 2026-11-14 23:41.
  const minuteFormat = new Intl.DateTimeFormat('sv-SE', {
    ...minuteParts,
    ...(zone !== undefined && { timeZone: zone }),
  })
  minuteFormats.set(timeZone ?? '', minuteFormat)
  return minuteFormat
}

/**
 * The name of a guest's download: it contains the time of the upload by the owner's clock (the server's without a time
 * zone), nothing of the owner or the uploaded name.
 */
export function guestFilename(
  { createdAt, timeZone }: { createdAt: Date; timeZone: string | null },
  type: string,
): string {
  const [date = '', time = ''] = minuteFormatOf(timeZone).format(createdAt).split(' ')
  return `keepsnap-${date}-${time.replace(':', '')}.${extensionOf(type)}`
}
