import { animationLimits } from '../formats/sniff.ts'
import type { CaptureTime } from '../metadata/exif.ts'
import type { FullType, ImageRefusalCode, LogoContrast, WatermarkLayout, WorkKind } from '../protocol.ts'

export type { CaptureTime }

/**
 * What a task costs. `quick`: every JPEG whose coded pixels may be kept, and single images. `long`: it runs with the lowest
 * priority, in a slot of its own.
 */
export type TaskClass = 'quick' | 'slow' | 'long'

interface WatermarkInput {
  layout: WatermarkLayout
  /** Creates the logo at this path. Resolves with false when the logo no longer exists. */
  writeLogo(path: string): Promise<boolean>
}

export interface JobInput {
  /** `quick` when left out. */
  taskClass?: TaskClass
  /** Creates the picture at this path, as a link or a copy. */
  writeInput(path: string): Promise<void>
  watermark?: WatermarkInput | undefined
}

/** A thumbnail file: WebP, 480 px on the long side. */
export interface ThumbnailFile {
  path: string
  bytes: number
  width: number
  height: number
  /** Base64. */
  thumbhash: string
}

export interface RenderedFile {
  path: string
  bytes: number
  /** The file is the input itself, byte for byte. */
  inputUnchanged: boolean
}

export interface RenderedPhoto {
  thumbnail: ThumbnailFile
  full: RenderedFile & {
    contentType: FullType
    /** The pixels are the uploaded ones, bit for bit. */
    lossless: boolean
  }
  /** The same picture without the logo, of the same content type; null when the full image has no watermark. */
  unmarked: RenderedFile | null
  /** As the metadata of the file says, unless that was removed before. */
  capturedAt: CaptureTime | null
}

export interface RenderedImage {
  path: string
  bytes: number
  contentType: FullType
  width: number
  height: number
  /** For logos only. */
  lowContrast: LogoContrast | null
}

/** A job that an image process is working on, or has finished. */
export interface RunningJob<Result> {
  /** The finished files, which may be moved away. Rejects with an `ImageFailure` when the picture is at fault. */
  result: Promise<Result>
  /** Removes the files of the job that were not moved away, once the job has ended. Must be called. Never rejects. */
  release(): Promise<void>
  /** The CPU time that it used, in milliseconds, once it has ended. */
  cpuMs(): number
}

export interface PhotoJob extends RunningJob<RenderedPhoto> {
  /** Resolves as soon as the thumbnail exists, before the full image does. Rejects as `result` does. */
  thumbnail: Promise<ThumbnailFile>
}

export type SingleImageJob = RunningJob<RenderedImage>

/** What a single image can be; `photo` has two images. */
export type SingleImageKind = Exclude<WorkKind, 'photo'>

/**
 * Why a picture could not be made. `refused`: the file is at fault; `timeout` and `memory`: it needs too much of either.
 * These three are final. `crashed`: the image process crashed, and another attempt may succeed.
 */
type FailureKind = 'refused' | 'timeout' | 'memory' | 'crashed'

/** A picture that could not be made, with a sentence for its owner that says why and what to do. */
export class ImageFailure extends Error {
  override readonly name = 'ImageFailure'
  readonly kind: FailureKind
  readonly sentence: string
  /** Why it was refused. */
  readonly code: ImageRefusalCode | undefined

  constructor(kind: FailureKind, sentence: string, code?: ImageRefusalCode) {
    super(sentence)
    this.kind = kind
    this.sentence = sentence
    this.code = code
  }
}

/** The failure for a refusal by the image process. The sentence names the limit `maxMegapixels`. */
export function refusalFailure(code: ImageRefusalCode, maxMegapixels: number): ImageFailure {
  if (code === 'memory') return memoryFailure()
  const sentences = {
    format: 'This file is not a photo we can read. Please upload a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.',
    unsupported:
      'This file is compressed or coloured in a way that is not supported. Please save it as JPG or PNG and upload it again.',
    pixels: `This image has more than ${maxMegapixels} megapixels, which is more than we can process. Please make it smaller and upload it again.`,
    animation: `This animation is too long or too large. We can process up to ${animationLimits.frames} frames, and ${Math.min(animationLimits.megapixels, maxMegapixels)} megapixels over all frames. Please shorten it or make it smaller, and upload it again.`,
    logo: "We couldn't add your logo to this photo. Please upload the logo again in Settings, then retry the photo.",
    active:
      'This SVG contains scripts, links, other files or embedded images. Please save it as a plain SVG or as PNG and upload it again.',
    drawing:
      'This SVG could not be rendered: it is damaged or too large for a logo. Please save it again, or as PNG, and upload it again.',
    damaged: 'This photo is damaged or incomplete. Please upload the original file again.',
  }
  return new ImageFailure('refused', sentences[code], code)
}

export const timeoutFailure = (): ImageFailure =>
  new ImageFailure(
    'timeout',
    'This photo took too long to process. Please save it again in a photo editor, or make it smaller, and upload it again.',
  )

export const memoryFailure = (): ImageFailure =>
  new ImageFailure(
    'memory',
    'This photo needs too much memory to process. Please save it again in a photo editor, or make it smaller, and upload it again.',
  )

export const crashFailure = (): ImageFailure =>
  new ImageFailure('crashed', 'Something went wrong while processing this photo. Please upload it again.')
