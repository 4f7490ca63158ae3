import { decode, type Source } from './decoders.ts'
import { noCredit, readExif, type Credit } from './exif.ts'
import type { Picture } from './full.ts'

/** What libvips says about a file before decoding it. */
export async function described(source: Source, credit: Credit | null): Promise<Picture> {
  const { made: meta } = await decode(source, (image) => image.metadata())
  const animated = source.animated === true && (meta.pages ?? 1) > 1
  const { width, height } = animated ? { width: meta.width, height: meta.pageHeight ?? meta.height } : meta.autoOrient
  return {
    ...source,
    animated,
    width,
    height,
    pixels: width * height * (animated ? (meta.pages ?? 1) : 1),
    hasAlpha: meta.hasAlpha,
    deepWithProfile: meta.depth !== 'uchar' && meta.hasProfile,
    credit: credit ?? (meta.exif ? readExif(withoutMark(meta.exif)).credit : noCredit),
  }
}

const withoutMark = (exif: Buffer): Buffer => (exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)
