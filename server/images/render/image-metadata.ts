import { noCredit, readExif, type Credit } from '../metadata/exif.ts'
import type { SourceImage } from './full-image.ts'
import { decode, type Source } from './libvips.ts'

/** Reads the headers of a picture with libvips. `credit` is given when it has been read already. */
export async function readImageMetadata(source: Source, credit: Credit | null): Promise<SourceImage> {
  // Of the first frame: a file with too many frames is refused for that, and not for its size.
  const { result: metadata } = await decode({ ...source, isAnimated: false }, (image) => image.metadata())
  const frames = metadata.pages ?? 1
  const isAnimated = source.isAnimated === true && frames > 1
  const { width, height } = isAnimated ? metadata : metadata.autoOrient
  return {
    ...source,
    isAnimated,
    width,
    height,
    frames: isAnimated ? frames : 1,
    pixels: width * height * (isAnimated ? frames : 1),
    hasAlpha: metadata.hasAlpha,
    isDeepWithProfile: metadata.depth !== 'uchar' && metadata.hasProfile,
    credit: credit ?? (metadata.exif ? readExif(withoutPrefix(metadata.exif)).credit : noCredit),
  }
}

const withoutPrefix = (exif: Buffer): Buffer => (exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)
