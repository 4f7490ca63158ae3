import { decodedImage } from '../../../lib/images.ts'
import type { Face } from './face.ts'

/** How a face can be shown now. `images` are decoded; they are kept so that the browser keeps them. */
export interface Prepared {
  face: Face
  /** The address of the picture; null when there is none to show. */
  picture: string | null
  /** The picture is the photo itself, not its thumbnail. */
  sharp: boolean
  images: readonly HTMLImageElement[]
}

/** The photo itself is worth this wait; after it the thumbnail goes first, for the code's sake. */
const sharpMs = 600
const mostMs = 20_000

/** Decodes what the face needs. Null when its photo or its code cannot be shown: then the last face stays. */
export async function prepare(face: Face): Promise<Prepared | null> {
  if (face.kind !== 'ready') {
    const thumb = face.thumb === null ? null : await decodedImage(face.thumb, mostMs)
    return { face, picture: thumb && face.thumb, sharp: false, images: thumb ? [thumb] : [] }
  }
  if (face.code === null || face.full === null) return null
  const code = decodedImage(face.code, mostMs)
  const photo = await decodedImage(face.full, face.thumb === null ? mostMs : sharpMs)
  const thumb = photo || face.thumb === null ? null : await decodedImage(face.thumb, mostMs)
  const picture = photo ? face.full : thumb && face.thumb
  const drawn = await code
  if (!drawn || picture === null) return null
  return { face, picture, sharp: photo !== null, images: [drawn, photo ?? thumb].filter((image) => image !== null) }
}

/** The same face with the photo itself; null when that cannot be had. */
export async function sharpen(prepared: Prepared): Promise<Prepared | null> {
  const { full } = prepared.face
  if (prepared.sharp || full === null) return null
  const photo = await decodedImage(full, 6 * mostMs)
  return photo && { ...prepared, picture: full, sharp: true, images: [...prepared.images, photo] }
}
