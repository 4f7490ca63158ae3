import { type CaptureTime, isPlausibleCapture } from './metadata/exif.ts'

/** The exit code of an image process that exceeded its memory limit by its own measurement. */
export const memoryExitCode = 86

/** Names of the files in an image process's folder. The parent process reads no other names. */
export const imageFiles = { input: 'in', logo: 'logo', thumbnail: 'thumb', full: 'full', unmarked: 'unmarked' } as const
export type ImageFileName = (typeof imageFiles)[keyof typeof imageFiles]

/** What an image process can make from `imageFiles.input`: both images of a photo, or a single image. */
export type WorkKind = 'photo' | 'logo' | 'background' | 'watermarked' | 'preview' | 'screen' | 'drawing'

/** A request to an image process: one line of JSON. */
export interface ImageRequest {
  id: number
  /** `photo` makes a thumbnail and a full image; every other kind makes `imageFiles.full` only. */
  work: WorkKind
  maxMegapixels: number
  /** Put `imageFiles.logo` on the full image in this way; null for no watermark. */
  watermark: WatermarkLayout | null
}

const fullTypes = ['image/jpeg', 'image/png', 'image/gif'] as const
export type FullType = (typeof fullTypes)[number]

/**
 * The share of a logo's visible pixels, 0 to 1, with too little contrast on the backgrounds `paper` (light) and `ink`
 * (dark). Both are 0 for a logo without transparency, which has its own background.
 */
export interface LogoContrast {
  onPaper: number
  onInk: number
}

/** A message from an image process: one line of JSON. `ready` comes once; the others belong to a request. */
export type ImageReply =
  | { type: 'ready' }
  /** The headers have been read: so many megapixels over all frames are about to be decoded. */
  | { id: number; type: 'sized'; megapixels: number; animated: boolean }
  /** `imageFiles.thumbnail` exists. Width and height are those of the upright photo; the ThumbHash is base64. */
  | { id: number; type: 'thumbnail'; width: number; height: number; thumbhash: string }
  /**
   * `imageFiles.full` exists; the request is done. `lossless`: its pixels are the uploaded ones, bit for bit. `watermarked`: it
   * has the logo, and `imageFiles.unmarked` is the same picture without it. `inputUnchanged`: the picture without the logo is
   * `imageFiles.input` itself, byte for byte, and has no file of its own. `capturedAt`: as its metadata says.
   */
  | {
      id: number
      type: 'full'
      contentType: FullType
      lossless: boolean
      watermarked: boolean
      inputUnchanged: boolean
      capturedAt: CaptureTime | null
    }
  /** `imageFiles.full` exists, a single image of that size; the request is done. `lowContrast` is measured for logos only. */
  | {
      id: number
      type: 'image'
      contentType: FullType
      width: number
      height: number
      lowContrast: LogoContrast | null
    }
  /** The file was refused; the request is done. `reason` is for the log. */
  | { id: number; type: 'refused'; code: ImageRefusalCode; reason: string }
  /** The request failed. `machineFault`: a full disk or the like, not the file, is the cause; otherwise it is a bug. */
  | { id: number; type: 'failed'; machineFault: boolean; message: string }

const refusalCodes: readonly ImageRefusalCode[] = [
  ...(['format', 'pixels', 'animation', 'unsupported', 'damaged', 'memory'] as const),
  ...(['logo', 'active', 'drawing'] as const),
]
const maxSidePx = 1_000_000

/** Parses one line from an image process, which may be under an attacker's control. Null when it is not a reply. */
export function parseReply(line: string): ImageReply | null {
  const message = parseJsonObject(line)
  if (!message) return null
  if (message['type'] === 'ready') return { type: 'ready' }
  const id = message['id']
  if (typeof id !== 'number') return null
  switch (message['type']) {
    case 'sized':
      return parseSize(id, message)
    case 'thumbnail': {
      const { width, height, thumbhash } = message
      const isValid = isPositive(width, maxSidePx) && isPositive(height, maxSidePx) && isThumbHash(thumbhash)
      return isValid ? { id, type: 'thumbnail', width: Math.round(width), height: Math.round(height), thumbhash } : null
    }
    case 'full': {
      const contentType = fullTypes.find((one) => one === message['contentType'])
      const flag = (name: string): boolean => message[name] === true
      return contentType
        ? {
            id,
            type: 'full',
            contentType,
            lossless: flag('lossless'),
            watermarked: flag('watermarked'),
            inputUnchanged: flag('inputUnchanged'),
            capturedAt: parseCapture(message['capturedAt']),
          }
        : null
    }
    case 'image':
      return parseImage(id, message)
    case 'refused': {
      const code = refusalCodes.find((one) => one === message['code'])
      return code ? { id, type: 'refused', code, reason: printableText(message['reason'], 200) } : null
    }
    case 'failed':
      return {
        id,
        type: 'failed',
        machineFault: message['machineFault'] === true,
        message: printableText(message['message'], 500),
      }
    default:
      return null
  }
}

function parseSize(id: number, { megapixels, animated }: Record<string, unknown>): ImageReply | null {
  return isPositive(megapixels, 1e6) ? { id, type: 'sized', megapixels, animated: animated === true } : null
}

function parseImage(id: number, message: Record<string, unknown>): ImageReply | null {
  const contentType = fullTypes.find((one) => one === message['contentType'])
  const { width, height } = message
  if (!contentType || !isPositive(width, maxSidePx) || !isPositive(height, maxSidePx)) return null
  const size = { width: Math.round(width), height: Math.round(height) }
  return { id, type: 'image', contentType, ...size, lowContrast: parseContrast(message['lowContrast']) }
}

function parseJsonObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    // Any property of any object may be read; each is checked before it is used.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function parseContrast(value: unknown): LogoContrast | null {
  if (typeof value !== 'object' || value === null || !('onPaper' in value) || !('onInk' in value)) return null
  const { onPaper, onInk } = value
  return isShare(onPaper) && isShare(onInk) ? { onPaper, onInk } : null
}

function parseCapture(value: unknown): CaptureTime | null {
  if (typeof value !== 'object' || value === null || !('clockMs' in value) || !('offsetMinutes' in value)) return null
  const { clockMs, offsetMinutes } = value
  if (typeof clockMs !== 'number' || (offsetMinutes !== null && typeof offsetMinutes !== 'number')) return null
  return isPlausibleCapture({ clockMs, offsetMinutes }) ? { clockMs, offsetMinutes } : null
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1

/** Printable ASCII and line breaks, at most `max` characters: fit for a log. */
const printableText = (value: unknown, max: number): string =>
  typeof value === 'string' ? value.slice(0, max).replaceAll(/[^\x20-\x7e\n]/g, '?') : ''

const isPositive = (value: unknown, max: number): value is number =>
  typeof value === 'number' && value > 0 && value <= max

const isThumbHash = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9+/=]{4,64}$/.test(value)

/** Why an image process refuses a file. */
export type ImageRefusalCode =
  | 'format'
  | 'unsupported'
  | 'pixels'
  | 'animation'
  | 'damaged'
  | 'memory'
  | 'logo'
  | 'active'
  | 'drawing'

/** A file that cannot become an image here; thrown inside an image process. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ImageRefusalCode

  constructor(code: ImageRefusalCode, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}

export function refuseFile(code: ImageRefusalCode): never {
  throw new Refusal(code)
}

/** Photos whose shorter side has fewer pixels get no watermark. */
export const minWatermarkedSidePx = 400

/** How large, where and how opaque the logo is on a photo. */
export interface WatermarkLayout {
  size: 'small' | 'medium' | 'large'
  corner: 'top-left' | 'top-right' | 'center' | 'bottom-left' | 'bottom-right'
  strength: 'light' | 'medium' | 'strong'
}
