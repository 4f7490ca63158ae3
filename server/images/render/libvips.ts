import sharp from 'sharp'
import type { Sharp, SharpOptions } from 'sharp'
import { type ImageRefusalCode, Refusal } from '../protocol.ts'

/** All that libvips may read in an image process: files of the accepted formats, and JPEG from memory. */
const allowedDecoders = [
  ...['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}File`),
  'VipsForeignLoadJpegBuffer',
]

/** Blocks all other decoders of libvips. Sets one thread per picture and no cache between pictures. */
export function allowDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: allowedDecoders })
  sharp.cache(false)
  sharp.concurrency(1)
}

/** From memory only: a drawing without a path cannot refer to files beside it. */
const svgDecoders = ['VipsForeignLoadSvgBuffer']

/** Allows libvips to render SVG while `work` runs. A process handles one request at a time. */
export async function withSvgDecoder<T>(work: () => Promise<T>): Promise<T> {
  sharp.unblock({ operation: svgDecoders })
  try {
    return await work()
  } finally {
    sharp.block({ operation: svgDecoders })
  }
}

/** Options to shrink a picture, unless it is smaller, so that its longer side has this length. */
export const insideSquare = (side: number) =>
  ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const

/** What libvips decodes, and how. */
export interface Source {
  /** A path, or the bytes of a format that may be read from memory. */
  input: string | Uint8Array
  maxPixels: number
  /** Decode all frames, one below the other. */
  isAnimated?: boolean
  /** From which level of libvips on a flaw is an error. */
  failOn?: SharpOptions['failOn']
  /** For SVG: pixels per 72 user units. */
  density?: number
}

/**
 * Opens a source and runs `work` with it. Every error of libvips becomes a refusal; `warnings` are the flaws despite which
 * it decoded the picture.
 */
export async function decode<T>(
  { input, maxPixels, isAnimated = false, failOn = 'warning', density }: Source,
  work: (image: Sharp) => Promise<T>,
): Promise<{ result: T; warnings: string[] }> {
  const warnings: string[] = []
  const image = sharp(input, {
    animated: isAnimated,
    failOn,
    limitInputPixels: maxPixels,
    ...(density !== undefined && { density }),
  })
  image.on('warning', (warning: string) => warnings.push(warning))
  try {
    return { result: await work(image), warnings }
  } catch (error) {
    throw new Refusal(refusalCodeOf(error), error)
  }
}

function refusalCodeOf(error: unknown): ImageRefusalCode {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(message)) return 'pixels'
  if (/out of memory|unable to allocate|cannot allocate/i.test(message)) return 'memory'
  if (unsupported.test(message)) return 'unsupported'
  // The start of the file was of an accepted format, so a file that libvips does not recognize is damaged further on.
  return 'damaged'
}

/** What libvips says about compressions, colours and depths that it does not decode. */
const unsupported =
  /has not been built in|not configured|not implemented|unsupported (codec|jpeg)|arithmetic coding|separate planes not supported|bad labq format|no known route|samples out of range|channel limit|not a whole number of bytes/i
