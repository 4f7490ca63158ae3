import { join } from 'node:path'
import sharp from 'sharp'
import { jpegWithMetadata } from '@keepsnap/server/images/test/sample-images.ts'

/** A sample picture of the web app by the name of its file, such as `dance-1200`. */
const sampleFile = (name: string): string => join(import.meta.dirname, '../web/pictures', `${name}.webp`)

/** A JPEG as a camera writes it: large, and with everything about the camera and its owner inside. */
export async function cameraPhoto(name: string, width = 4000): Promise<Buffer> {
  return jpegWithMetadata(await sampleJpeg(name, width))
}

/** A plain JPEG of a sample picture. */
export const sampleJpeg = (name: string, width = 900): Promise<Buffer> =>
  sharp(sampleFile(name)).resize(width).jpeg({ quality: 90 }).toBuffer()

/** The decoded pixels, to compare two files that should be the same picture. */
export async function pixelsOf(file: Buffer): Promise<{ width: number; height: number; data: Buffer }> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}
