/**
 * Creates the icons of the web app in web/public from the logo, and the photo in the preview pictures of pages, in a format that the
 * renderer of drawings reads: node scripts/make-icons.ts
 * `favicon.svg` beside them is the same drawing without a ground, which follows the theme of the system.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const folder = join(import.meta.dirname, '..', 'web', 'public')
const paper = '#faf7f2'
/** The shapes of the logo, in its own units; the colours of the light theme. */
const logoUnits = 32
const favicon = readFileSync(join(folder, 'favicon.svg'), 'utf8')
const logo = /<path[\s\S]*(?=<\/svg>)/.exec(favicon)?.[0] ?? ''
const lightColours = '<style>.r{fill:#1c1a17}.c{fill:#c8401a}</style>'

interface Icon {
  side: number
  /** The part of the side that the logo takes. */
  share: number
  /** Of the corners of the ground, as a part of the side; null for no ground. */
  radius: number | null
}

/** The logo in the middle of a square of paper. */
async function drawIcon({ side, share, radius }: Icon): Promise<Buffer> {
  const margin = (side * (1 - share)) / 2
  const scale = (side * share) / logoUnits
  const ground = radius === null ? '' : `<rect width="${side}" height="${side}" rx="${side * radius}" fill="${paper}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}">${lightColours}${ground}<g transform="translate(${margin} ${margin}) scale(${scale})">${logo}</g></svg>`
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, colours: 64 }).toBuffer()
}

/** An ICO file of PNG images: its header, an entry of 16 bytes for each image, then the images. */
function icoFile(images: { side: number; png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let offset = header.length
  for (const [n, { side, png }] of images.entries()) {
    const at = 6 + 16 * n
    header.writeUInt8(side, at)
    header.writeUInt8(side, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([header, ...images.map(({ png }) => png)])
}

const rounded = { share: 0.72, radius: 0.22 }
/** Systems cut their own shape out of these: all that matters is within a circle of 80 % of the side. */
const maskable = { share: 0.54, radius: 0 }
const files: [name: string, bytes: Buffer][] = [
  ['icon-192.png', await drawIcon({ side: 192, ...rounded })],
  ['icon-512.png', await drawIcon({ side: 512, ...rounded })],
  ['icon-maskable-192.png', await drawIcon({ side: 192, ...maskable })],
  ['icon-maskable-512.png', await drawIcon({ side: 512, ...maskable })],
  ['apple-touch-icon.png', await drawIcon({ side: 180, share: 0.64, radius: 0 })],
]
const faviconSides = [16, 32, 48]
const favicons = await Promise.all(
  faviconSides.map(async (side) => ({ side, png: await drawIcon({ side, share: 1, radius: null }) })),
)
files.push(['favicon.ico', icoFile(favicons)])
const samples = join(import.meta.dirname, '..', 'web', 'pictures')
const photo = await sharp(join(samples, 'dance-1200.webp')).resize(612, 408).jpeg({ quality: 82 }).toBuffer()
writeFileSync(join(import.meta.dirname, '..', 'server', 'features', 'web-pages', 'preview-photo.jpg'), photo)
for (const [name, bytes] of files) {
  writeFileSync(join(folder, name), bytes)
  process.stdout.write(`web/public/${name}: ${bytes.length} bytes\n`)
}
