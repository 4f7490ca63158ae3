/** Why the image process would not make a picture out of a file. */
export type RefusalCode = 'format' | 'pixels' | 'damaged' | 'memory' | 'logo' | 'active' | 'drawing'

/**
 * How making a picture ended: `refused` by the file's own fault, `timeout` and `memory` for what it asks of the machine;
 * these three are final. `crashed`: the process died, and another try may do.
 */
export type FailureKind = 'refused' | 'timeout' | 'memory' | 'crashed'

/** A photo that could not be made, with a sentence for its owner: why, and what to do. */
export class ImageFailure extends Error {
  override readonly name = 'ImageFailure'
  readonly kind: FailureKind
  readonly sentence: string
  /** Why it was refused, when it was. */
  readonly code: RefusalCode | undefined

  constructor(kind: FailureKind, sentence: string, code?: RefusalCode) {
    super(sentence)
    this.kind = kind
    this.sentence = sentence
    this.code = code
  }
}

/** The failure that a refusal by the image process means; `maxMegapixels` is the limit the sentence names. */
export function refused(code: RefusalCode, maxMegapixels: number): ImageFailure {
  if (code === 'memory') return tooHungry()
  const sentences = {
    format: 'This file is not a photo that we can read. Please upload a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC image.',
    pixels: `This image has more than ${maxMegapixels} megapixels, the most that we can process. Please make it smaller and upload it again.`,
    logo: 'Your logo could not be laid over this photo. Please upload the logo again in the settings, then try the photo again.',
    active:
      'This SVG holds more than a drawing: scripts, links, other files or pictures inside it. Please save it as a plain SVG, or as PNG, and upload it again.',
    drawing:
      'This SVG could not be drawn: it is damaged, or far larger than a logo. Please save it again, or as PNG, and upload it once more.',
    damaged: 'This photo is damaged or incomplete. Please upload the original file again.',
  }
  return new ImageFailure('refused', sentences[code], code)
}

export const tooSlow = (): ImageFailure =>
  new ImageFailure(
    'timeout',
    'This photo took too long to process. Please save it again in a photo program, or make it smaller, and upload it once more.',
  )

export const tooHungry = (): ImageFailure =>
  new ImageFailure(
    'memory',
    'This photo needs too much memory to process. Please save it again in a photo program, or make it smaller, and upload it once more.',
  )

export const crashed = (): ImageFailure =>
  new ImageFailure('crashed', 'Something went wrong while this photo was processed. Please upload it once more.')
