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

/** Throws a `Refusal`. */
export function refuseFile(code: ImageRefusalCode): never {
  throw new Refusal(code)
}
