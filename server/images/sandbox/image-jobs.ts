import type { FullType, LogoContrast, WorkKind } from '../protocol.ts'
import type { WatermarkLayout } from '../watermark-layout.ts'

/**
 * What a task costs. `quick`: every JPEG whose coded pixels may be kept, and single images. `long`: it runs with the lowest
 * priority, in a slot of its own.
 */
export type TaskClass = 'quick' | 'slow' | 'long'

/** The watermark that a job adds. */
export interface WatermarkInput {
  layout: WatermarkLayout
  /** Creates the logo at this path. Resolves with false when the logo no longer exists. */
  writeLogo(path: string): Promise<boolean>
}

/** The input files of a job, and what it costs. */
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
  /** Size of the upright photo, in pixels. */
  width: number
  height: number
  /** Base64. */
  thumbhash: string
}

/** A file of a rendered photo. */
export interface RenderedFile {
  path: string
  bytes: number
  /** The file is the input itself, byte for byte. */
  inputUnchanged: boolean
}

/** The files of a rendered photo. */
export interface RenderedPhoto {
  thumbnail: ThumbnailFile
  full: RenderedFile & {
    contentType: FullType
    /** The pixels are the uploaded ones, bit for bit. */
    lossless: boolean
  }
  /** The same picture without the logo, of the same content type; null when the full image has no watermark. */
  unmarked: RenderedFile | null
}

/** The file of a single image, with its size in pixels. */
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

/** The rendering of one photo. */
export interface PhotoJob extends RunningJob<RenderedPhoto> {
  /** Resolves as soon as the thumbnail exists, before the full image does. Rejects as `result` does. */
  thumbnail: Promise<ThumbnailFile>
}

/** The rendering of one single image. */
export type SingleImageJob = RunningJob<RenderedImage>

/** What a single image can be; `photo` has two images. */
export type SingleImageKind = Exclude<WorkKind, 'photo'>
