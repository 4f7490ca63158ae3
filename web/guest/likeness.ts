import { deflateSync, crc32 } from 'node:zlib'
import { thumbHashToRGBA } from 'thumbhash'

/** Sides of the drawing; only their ratio and that no screen is wider count. */
const longSide = 4096

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** Every second pixel without its alpha, as PNG (ISO/IEC 15948): half a kilobyte, and as blurred. */
function pngOf({ w, h, rgba }: { w: number; h: number; rgba: Uint8Array }): Buffer {
  const [wide, high] = [Math.ceil(w / 2), Math.ceil(h / 2)]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(wide, 0)
  header.writeUInt32BE(high, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(high * (wide * 3 + 1)) // the first byte of a row says: no filter
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const from = (y * 2 * w + x * 2) * 4
      rows.set(rgba.subarray(from, from + 3), y * (wide * 3 + 1) + 1 + x * 3)
    }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function pictureOf(thumbhash: string | null): string {
  if (thumbhash === null) return ''
  try {
    const png = pngOf(thumbHashToRGBA(Buffer.from(thumbhash, 'base64')))
    return `<image href="data:image/png;base64,${png.toString('base64')}" width="100%" height="100%" preserveAspectRatio="none"/>`
  } catch {
    return '' // a broken hash: the empty print stands for it
  }
}

export interface Shape {
  width: number | null
  height: number | null
  thumbhash: string | null
}

function likenessOf({ width, height, thumbhash }: Shape): string {
  const [w, h] = width && height ? [width, height] : [3, 2]
  const scale = longSide / Math.max(w, h)
  const [fullWidth, fullHeight] = [w, h].map((side) => Math.max(1, Math.round(side * scale)))
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${fullWidth}" height="${fullHeight}">${pictureOf(thumbhash)}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}

/** At an event, most guests look at a few photos. */
const most = 200

/**
 * Draws the photo's proportions and, from its ThumbHash, its colours, as a data address. The drawing keeps the photo's
 * place: the security policy allows no style attributes, and the proportions of an image need none. The last ones are
 * remembered; drawing takes as long as all the rest of a page.
 */
export function createLikenesses(): (photo: Shape) => string {
  const drawn = new Map<string, string>()
  return ({ width, height, thumbhash }) => {
    const key = `${width} ${height} ${thumbhash}`
    const known = drawn.get(key)
    if (known !== undefined) return known
    if (drawn.size >= most) drawn.clear()
    const likeness = likenessOf({ width, height, thumbhash })
    drawn.set(key, likeness)
    return likeness
  }
}
