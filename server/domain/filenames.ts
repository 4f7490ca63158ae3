import { limits } from '@keepsnap/contract/limits.ts'

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
/** Extension of a served type; `bin` for what we never serve. */
export const extensionOf = (type: string): string => extensions[type] ?? 'bin'

// Controls, line and paragraph separators, marks that reorder text, surrogates without a partner, private and unassigned.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

function cutTo(text: string, bytes: number): string {
  let cut = ''
  let size = 0
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    cut += character
  }
  return cut
}

/** A file name as display data: the last part of any path, printable, never hidden, never a device, at most `most` bytes. */
export function cleanFilename(given: string, most: number = limits.filenameBytes): string {
  const last = given.slice(0, 8192).split(/[\\/]/).at(-1) ?? ''
  const text = last
    .normalize('NFC')
    .replace(unprintable, '')
    .replace(/\s+/g, ' ')
    .replace(/[<>:"|?*]/g, '_')
    .trim()
  const shown = text.replace(/^[.\-\s]+/, '').replace(/[.\s]+$/, '')
  if (shown === '') return 'photo'
  const named = reserved.test(shown) ? `_${shown}` : shown
  const dot = named.lastIndexOf('.')
  const extension = dot > 0 && named.length - dot <= 8 ? named.slice(dot) : ''
  return cutTo(named.slice(0, named.length - extension.length), most - Buffer.byteLength(extension)) + extension
}

/** The owner's own name for a download, with the extension of what is really inside. */
export function ownName(filename: string, type: string, most?: number): string {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,7}$/, '') || 'photo'
  return cleanFilename(`${stem}.${extensionOf(type)}`, most)
}

/** The name strangers get: it tells when, not who and not what. UTC. */
export function neutralName(createdAt: Date, type: string): string {
  const [date = '', time = ''] = createdAt.toISOString().split('T')
  return `keepsnap-${date}-${time.slice(0, 2)}${time.slice(3, 5)}.${extensionOf(type)}`
}

/** One Content-Disposition value, RFC 6266 with RFC 8187: an ASCII name for old programs, the true one beside it. */
export function disposition(as: 'attachment' | 'inline', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${as}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encoded}`}`
}
