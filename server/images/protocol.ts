import type { RefusalCode } from './failure.ts'

/** Names of the files in an image process's folder. The parent trusts no other name. */
export const files = { input: 'in', logo: 'logo', thumbnail: 'thumb', full: 'full', plain: 'plain' } as const
export type FileName = (typeof files)[keyof typeof files]

/** What can be made of `files.input`: both images of a photo, or one picture. */
export const works = ['photo', 'logo', 'background', 'marked', 'preview'] as const
export type Work = (typeof works)[number]

/** What the parent asks. One JSON line. */
export interface Request {
  id: number
  /** `photo`: thumbnail and full image. All others make `files.full` alone. */
  work: Work
  maxMegapixels: number
  /** Lay `files.logo` over the full image. */
  watermark: boolean
}

export const fullTypes = ['image/jpeg', 'image/png', 'image/gif'] as const
export type FullType = (typeof fullTypes)[number]

/** What an image process tells, one JSON line each: `ready` once, then for every request up to the last of its lines. */
export type Reply =
  | { tell: 'ready' }
  /** The headers are read: so many megapixels over all frames are about to be decoded. */
  | { id: number; tell: 'sized'; megapixels: number }
  /** `files.thumbnail` is there. Width and height are the photo's, upright; the hash is base64. */
  | { id: number; tell: 'thumbnail'; width: number; height: number; thumbhash: string }
  /**
   * `files.full` is there; `kept` says that its pixels are the uploaded ones, bit for bit; `marked`, that it carries the
   * logo, and that `files.plain` is the same picture, of the same type, without. Is that, or a full image without a logo,
   * `untouched`, then it has no file of its own: it is `files.input`, byte for byte. Ends the request.
   */
  | { id: number; tell: 'full'; type: FullType; kept: boolean; marked: boolean; untouched: boolean }
  /** `files.full` is there, one picture of that size. Ends the request. */
  | { id: number; tell: 'picture'; type: FullType; width: number; height: number }
  /** Ends the request; `why` is for the log. */
  | { id: number; tell: 'refused'; code: RefusalCode; why: string }
  /** Ends the request: a bug of ours, or `machine`: a full disk and the like, which is not the photo's fault. */
  | { id: number; tell: 'broken'; machine: boolean; message: string }

const codes: readonly RefusalCode[] = ['format', 'pixels', 'damaged', 'memory', 'logo', 'active', 'drawing']
const maxSide = 1_000_000

/** One line from an image process, which may be in a stranger's hands: null for anything that is not a reply. */
export function parseReply(line: string): Reply | null {
  const said = parsed(line)
  if (!said) return null
  if (said['tell'] === 'ready') return { tell: 'ready' }
  const id = said['id']
  if (typeof id !== 'number') return null
  switch (said['tell']) {
    case 'sized':
      return positive(said['megapixels'], 1e6) ? { id, tell: 'sized', megapixels: said['megapixels'] } : null
    case 'thumbnail': {
      const { width, height, thumbhash } = said
      const real = positive(width, maxSide) && positive(height, maxSide) && isHash(thumbhash)
      return real ? { id, tell: 'thumbnail', width: Math.round(width), height: Math.round(height), thumbhash } : null
    }
    case 'full': {
      const type = fullTypes.find((one) => one === said['type'])
      const is = (word: string): boolean => said[word] === true
      return type
        ? { id, tell: 'full', type, kept: is('kept'), marked: is('marked'), untouched: is('untouched') }
        : null
    }
    case 'picture': {
      const type = fullTypes.find((one) => one === said['type'])
      const { width, height } = said
      const real = type !== undefined && positive(width, maxSide) && positive(height, maxSide)
      return real ? { id, tell: 'picture', type, width: Math.round(width), height: Math.round(height) } : null
    }
    case 'refused': {
      const code = codes.find((one) => one === said['code'])
      return code ? { id, tell: 'refused', code, why: words(said['why'], 200) } : null
    }
    case 'broken':
      return { id, tell: 'broken', machine: said['machine'] === true, message: words(said['message'], 500) }
    default:
      return null
  }
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    // Any object may be asked for any name.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Printable, and not too much of it: it goes into a log. */
const words = (value: unknown, most: number): string =>
  typeof value === 'string' ? value.slice(0, most).replaceAll(/[^\x20-\x7e\n]/g, '?') : ''

const positive = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value > 0 && value <= most

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9+/=]{4,64}$/.test(value)
