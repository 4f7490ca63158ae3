import { crc32, deflateSync } from 'node:zlib'
import { encodeQR } from 'qr'

const quietZoneModules = 4
/** The dark colour, RGB. */
const ink = [0x1c, 0x1a, 0x17]
const minPixels = 512

/** The modules of a QR code with its quiet zone; true is dark. The text must be ASCII. Error correction level M. */
export function encodeQrCode(text: string): boolean[][] {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('the text of a QR code must be ASCII')
  return encodeQR(text, 'raw', { ecc: 'medium', border: quietZoneModules })
}

/** Dark on white in every theme, with the quiet zone. One user unit is one module. */
export function qrCodeSvg(modules: boolean[][]): string {
  const side = modules.length
  const runs = modules.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return []
      const end = row.findIndex((later, at) => at > x && !later)
      return `M${x} ${y}h${end - x}v1H${x}z`
    }),
  )
  const hex = ink.map((part) => part.toString(16).padStart(2, '0')).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#${hex}" d="${runs.join('')}"/></svg>`
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** A PNG with two colours (ISO/IEC 15948), at least 512 pixels wide, a whole number of pixels per module. */
export function qrCodePng(modules: boolean[][]): Buffer {
  const scale = Math.ceil(minPixels / modules.length)
  const side = modules.length * scale
  const rowBytes = Math.ceil(side / 8)
  const rows = modules.map((row) => {
    const line = Buffer.alloc(rowBytes + 1) // the first byte is the filter type: none
    for (let x = 0; x < side; x++) {
      const byte = 1 + (x >> 3)
      if (row[Math.floor(x / scale)]) line.writeUInt8(line.readUInt8(byte) | (0x80 >> (x & 7)), byte)
    }
    return Buffer.concat(Array.from({ length: scale }, () => line))
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 3, 0, 0, 0], 8) // one bit a pixel, palette
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('PLTE', Buffer.from([0xff, 0xff, 0xff, ...ink])),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}
