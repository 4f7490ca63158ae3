import { crc32, deflateSync } from 'node:zlib'
import { encodeQR } from 'qr'

const quietZoneModules = 4
/** The dark colour, RGB. */
const darkColour = [0x1c, 0x1a, 0x17]
const minQrCodePixels = 512

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

/** A PNG with two colours (ISO/IEC 15948), at least 512 pixels wide, a whole number of pixels per module. */
export function qrCodePng(qrModules: boolean[][]): Buffer {
  const pixelsPerModule = Math.ceil(minQrCodePixels / qrModules.length)
  const qrCodeSide = qrModules.length * pixelsPerModule
  const pixelRowBytes = Math.ceil(qrCodeSide / 8)
  const pixelRows = qrModules.map((moduleRow) => {
    const pixelRow = Buffer.alloc(pixelRowBytes + 1) // the first byte is the filter type: none
    for (let x = 0; x < qrCodeSide; x++) {
      const byteIndex = 1 + (x >> 3)
      if (moduleRow[Math.floor(x / pixelsPerModule)])
        pixelRow.writeUInt8(pixelRow.readUInt8(byteIndex) | (0x80 >> (x & 7)), byteIndex)
    }
    return Buffer.concat(Array.from({ length: pixelsPerModule }, () => pixelRow))
  })
  const pngHeader = Buffer.alloc(13)
  pngHeader.writeUInt32BE(qrCodeSide, 0)
  pngHeader.writeUInt32BE(qrCodeSide, 4)
  pngHeader.set([1, 3, 0, 0, 0], 8) // one bit a pixel, palette
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', pngHeader),
    pngChunk('PLTE', Buffer.from([0xff, 0xff, 0xff, ...darkColour])),
    pngChunk('IDAT', deflateSync(Buffer.concat(pixelRows), { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
