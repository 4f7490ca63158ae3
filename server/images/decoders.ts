import sharp, { type Sharp, type SharpOptions } from 'sharp'
import type { RefusalCode } from './failure.ts'

/** A file that we will not make a picture of. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode

  constructor(code: RefusalCode, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}

export function decline(code: RefusalCode): never {
  throw new Refusal(code)
}

/**
 * Everything that libvips may read in this process: files of the formats we take, and nothing out of memory but the JPEG
 * that is being written at the same time, and the pixels that we have decoded of it.
 */
const loaders = [
  ...['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}File`),
  ...['Jpeg', 'Tiff'].map((name) => `VipsForeignLoad${name}Buffer`),
]

/** Shuts every door of libvips but ours; one thread a picture, and nothing remembered from one to the next. */
export function prepareDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  sharp.cache(false)
  sharp.concurrency(1)
}

/** Out of memory: a drawing without a place of its own has no neighbours to refer to. */
const drawings = ['VipsForeignLoadSvgBuffer']

/** Lets libvips draw SVG, for this one piece of work; a process does one at a time. */
export async function whileDrawing<T>(work: () => Promise<T>): Promise<T> {
  sharp.unblock({ operation: drawings })
  try {
    return await work()
  } finally {
    sharp.block({ operation: drawings })
  }
}

export interface Source {
  /** A file, or its bytes for those who may be read out of memory. */
  path: string | Uint8Array
  maxPixels: number
  /** All frames, below one another. */
  animated?: boolean
  /** How much of a flaw is an error; libvips' own levels. */
  failOn?: SharpOptions['failOn']
  /** Of a drawing, in dots an inch of 72 units. */
  density?: number
}

/**
 * Opens a file for one piece of work. Whatever libvips has against it becomes a refusal; `warnings` are what it decoded
 * in spite of.
 */
export async function decode<T>(
  { path, maxPixels, animated = false, failOn = 'warning', density }: Source,
  work: (image: Sharp) => Promise<T>,
): Promise<{ made: T; warnings: string[] }> {
  const warnings: string[] = []
  const image = sharp(path, {
    animated,
    failOn,
    limitInputPixels: maxPixels,
    ...(density !== undefined && { density }),
  })
  image.on('warning', (warning: string) => warnings.push(warning))
  try {
    return { made: await work(image), warnings }
  } catch (error) {
    throw new Refusal(codeOf(error), error)
  }
}

function codeOf(error: unknown): RefusalCode {
  const words = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(words)) return 'pixels'
  if (/out of memory|unable to allocate|cannot allocate/i.test(words)) return 'memory'
  // The format was told by the file's start, so a file that libvips does not know is one that goes on wrongly.
  return /compression format has not been built in|unsupported codec/i.test(words) ? 'format' : 'damaged'
}
