import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { encodeQR } from 'qr'

const quietZoneModules = 4
/** The dark colour, RGB. */
const darkColour = [0x1c, 0x1a, 0x17]
const minQrCodePixels = 512
const maxCacheBytes = 8 * 1024 * 1024

export type QrCodeFormat = 'png' | 'svg'

export interface QrCodePicture {
  bytes: Buffer
  /** A hash of the bytes, in quotation marks. */
  entityTag: string
}

/** The modules of a QR code with its quiet zone; true is dark. The text must be ASCII. Error correction level M. */
export function encodeQrCode(text: string): boolean[][] {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('the text of a QR code must be ASCII')
  return encodeQR(text, 'raw', { ecc: 'medium', border: quietZoneModules })
}

/** Dark on white in every theme, with the quiet zone. One user unit is one module. */
export function qrCodeSvg(qrModules: boolean[][]): string {
  const qrCodeSide = qrModules.length
  const darkRuns = qrModules.flatMap((moduleRow, y) =>
    moduleRow.flatMap((isDarkModule, x) => {
      if (!isDarkModule || moduleRow[x - 1]) return []
      const runEnd = moduleRow.findIndex((laterModule, at) => at > x && !laterModule)
      return `M${x} ${y}h${runEnd - x}v1H${x}z`
    }),
  )
  const darkColourHex = darkColour.map((part) => part.toString(16).padStart(2, '0')).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${qrCodeSide} ${qrCodeSide}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${qrCodeSide}v${qrCodeSide}H0z"/><path fill="#${darkColourHex}" d="${darkRuns.join('')}"/></svg>`
}

function pngChunk(type: string, chunkData: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), chunkData])
  const pngChunkBytes = Buffer.alloc(typeAndData.length + 8)
  pngChunkBytes.writeUInt32BE(chunkData.length, 0)
  typeAndData.copy(pngChunkBytes, 4)
  pngChunkBytes.writeUInt32BE(crc32(typeAndData), typeAndData.length + 4)
  return pngChunkBytes
}

const pngFilterTypes = { none: 0, up: 2 }

/**
 * The rows of pixels, one bit each, with their filter types. All rows of a module but the first are written as their
 * difference to the row above: zeros, which are compressed quickly.
 */
function pngPixelRows(qrModules: boolean[][], pixelsPerModule: number): Buffer {
  const qrCodeSide = qrModules.length * pixelsPerModule
  const rowBytes = 1 + Math.ceil(qrCodeSide / 8)
  const pixelRows = Buffer.alloc(rowBytes * qrCodeSide)
  for (const [moduleY, moduleRow] of qrModules.entries()) {
    const rowStart = moduleY * pixelsPerModule * rowBytes
    pixelRows[rowStart] = pngFilterTypes.none
    for (const [moduleX, isDarkModule] of moduleRow.entries()) {
      if (!isDarkModule) continue
      const firstPixel = moduleX * pixelsPerModule
      for (let x = firstPixel; x < firstPixel + pixelsPerModule; x++) {
        const byteIndex = rowStart + 1 + (x >> 3)
        pixelRows[byteIndex] = (pixelRows[byteIndex] ?? 0) | (0x80 >> (x & 7))
      }
    }
    for (let y = 1; y < pixelsPerModule; y++) pixelRows[rowStart + y * rowBytes] = pngFilterTypes.up
  }
  return pixelRows
}

/** A PNG with two colours (ISO/IEC 15948), at least 512 pixels wide, a whole number of pixels per module. */
export function qrCodePng(qrModules: boolean[][]): Buffer {
  const pixelsPerModule = Math.ceil(minQrCodePixels / qrModules.length)
  const qrCodeSide = qrModules.length * pixelsPerModule
  const pngHeader = Buffer.alloc(13)
  pngHeader.writeUInt32BE(qrCodeSide, 0)
  pngHeader.writeUInt32BE(qrCodeSide, 4)
  pngHeader.set([1, 3, 0, 0, 0], 8) // one bit a pixel, palette
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', pngHeader),
    pngChunk('PLTE', Buffer.from([0xff, 0xff, 0xff, ...darkColour])),
    pngChunk('IDAT', deflateSync(pngPixelRows(qrModules, pixelsPerModule))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Draws QR codes, with an LRU cache of their pictures. */
export function createQrCodeCache(): (text: string, qrCodeFormat: QrCodeFormat) => QrCodePicture {
  const pictureCache = new LRUCache<string, QrCodePicture>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length,
  })
  return (text, qrCodeFormat) => {
    const key = `${qrCodeFormat} ${text}`
    const cachedPicture = pictureCache.get(key)
    if (cachedPicture) return cachedPicture
    const modules = encodeQrCode(text)
    const bytes = qrCodeFormat === 'png' ? qrCodePng(modules) : Buffer.from(qrCodeSvg(modules))
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
    const picture = { bytes, entityTag: `"${hash}"` }
    pictureCache.set(key, picture)
    return picture
  }
}
