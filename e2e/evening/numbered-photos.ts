import sharp, { type Sharp } from 'sharp'
import { encodeQrCode, qrCodeSvg } from '@keepsnap/server/lib/qr-codes.ts'
import { sampleJpeg } from '../pictures.ts'

export interface PhotoFile {
  name: string
  mimeType: string
  buffer: Buffer
}

const size = { width: 720, height: 480 }
const samples = ['table-1200', 'topper-1200', 'dance-1200', 'bouquet-640']
const numberOf = (number: number): string => `photo-${String(number).padStart(3, '0')}`
export const fileName = (number: number): string => `${numberOf(number)}.jpg`

/** The number is in the picture, as a QR code: a screenshot says which photo it shows. */
async function withNumber(picture: Sharp, number: number): Promise<Sharp> {
  const code = await sharp(Buffer.from(qrCodeSvg(encodeQrCode(numberOf(number)))))
    .resize(260, 260, { kernel: 'nearest' })
    .png()
    .toBuffer()
  return picture.composite([{ input: code, gravity: 'center' }])
}

/** Small JPEGs, named `photo-000.jpg` and so on. */
export async function numberedPhotos(count: number): Promise<PhotoFile[]> {
  const pictures = await Promise.all(
    samples.map(async (name) =>
      sharp(await sampleJpeg(name))
        .resize(size)
        .toBuffer(),
    ),
  )
  const photos: PhotoFile[] = []
  for (let number = 0; number < count; number++) {
    const picture = await withNumber(sharp(pictures[number % pictures.length]), number)
    const buffer = await picture.jpeg({ quality: 80 }).toBuffer()
    photos.push({ name: fileName(number), mimeType: 'image/jpeg', buffer })
  }
  return photos
}

/** Files that take long to process, each in another format. */
export async function slowFiles(): Promise<PhotoFile[]> {
  const large = sharp(await sampleJpeg('dance-1200')).resize(2400, 1600)
  const small = await sharp(await sampleJpeg('table-1200'))
    .resize(240, 240)
    .toBuffer()
  const frames = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      sharp(small)
        .modulate({ hue: turn * 18 })
        .png()
        .toBuffer(),
    ),
  )
  const animation = () => sharp(frames, { join: { animated: true } })
  return [
    { name: 'slow-1.png', mimeType: 'image/png', buffer: await large.clone().png({ compressionLevel: 1 }).toBuffer() },
    { name: 'slow-2.tif', mimeType: 'image/tiff', buffer: await large.clone().tiff({ compression: 'lzw' }).toBuffer() },
    { name: 'slow-3.avif', mimeType: 'image/avif', buffer: await large.clone().avif({ effort: 0 }).toBuffer() },
    { name: 'slow-4.webp', mimeType: 'image/webp', buffer: await large.clone().webp({ effort: 0 }).toBuffer() },
    { name: 'slow-5.gif', mimeType: 'image/gif', buffer: await animation().gif({ effort: 1 }).toBuffer() },
    { name: 'slow-6.webp', mimeType: 'image/webp', buffer: await animation().webp({ effort: 0 }).toBuffer() },
  ]
}

/** A truncated JPEG, whose second half is missing. */
export const tornPhoto = ({ buffer, mimeType }: PhotoFile, name: string): PhotoFile => ({
  name,
  mimeType,
  buffer: buffer.subarray(0, buffer.length / 2),
})
