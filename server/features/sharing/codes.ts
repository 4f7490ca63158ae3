import { crc32, deflateSync } from 'node:zlib'
import { encodeQR } from 'qr'

const quietModules = 4
const ink = [0x1c, 0x1a, 0x17]
const leastPixels = 512

/** Modules of a code with its quiet zone, true being dark. Text must be ASCII; error correction M. */
export function modulesOf(text: string): boolean[][] {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error('a code holds ASCII only')
  return encodeQR(text, 'raw', { ecc: 'medium', border: quietModules })
}

/** Dark on white whatever the theme, the quiet zone inside. One unit is one module. */
export function svgOf(modules: boolean[][]): string {
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

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A PNG of two colours (ISO/IEC 15948), at least 512 pixels a side, whole pixels a module. */
export function pngOf(modules: boolean[][]): Buffer {
  const scale = Math.ceil(leastPixels / modules.length)
  const side = modules.length * scale
  const rowBytes = Math.ceil(side / 8)
  const rows = modules.map((row) => {
    const line = Buffer.alloc(rowBytes + 1) // the first byte says: no filter
    for (let x = 0; x < side; x++) if (row[Math.floor(x / scale)]) line[1 + (x >> 3)]! |= 0x80 >> (x & 7)
    return Buffer.concat(Array.from({ length: scale }, () => line))
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 3, 0, 0, 0], 8) // one bit a pixel, palette
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([0xff, 0xff, 0xff, ...ink])),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
