import type { FullType, Work } from './protocol.ts'

/** A thumbnail: WebP, 480 px on the long side. The file may be moved away. */
export interface MadeThumbnail {
  path: string
  bytes: number
  /** The photo's own, upright, in pixels. */
  width: number
  height: number
  /** Base64. */
  thumbhash: string
}

/** All that became of a photo. The files may be moved away; what stays is removed. */
export interface Made {
  thumbnail: MadeThumbnail
  full: {
    path: string
    bytes: number
    type: FullType
    /** The pixels are the uploaded ones, bit for bit. */
    kept: boolean
  }
  /** The same picture without the logo, when the full image carries one. Of the same type. */
  plain: { path: string; bytes: number } | null
}

/** One picture, not a photo's two. */
export interface MadePicture {
  path: string
  bytes: number
  type: FullType
  width: number
  height: number
}

interface Watermark {
  /** Puts the logo at this path. False: there is none any more, and the photo goes without. */
  place(path: string): Promise<boolean>
}

/** What a job lays ready. */
export interface Laid {
  /** Puts the picture at this path: a link or a copy. */
  place(path: string): Promise<void>
  /** A logo to lay over the full image. */
  watermark?: Watermark | undefined
  /** Told, perhaps more than once, when an image process has the picture, or none is free to have it. */
  onLaid?(): void
}

export interface ImageJob<T> extends Laid {
  /** Told as soon as the thumbnail is there, before the full image is. */
  onThumbnail?(made: MadeThumbnail): void
  /** Moves the files away. Meanwhile the next photo is already being made. */
  take(made: Made): Promise<T>
  signal?: AbortSignal
}

/** As `ImageJob`, for one picture. */
export interface PictureJob<T> extends Laid {
  work: Exclude<Work, 'photo'>
  take(made: MadePicture): Promise<T>
  signal?: AbortSignal
}
