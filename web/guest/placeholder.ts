import { crc32, deflateSync } from 'node:zlib'
import type { GuestPhoto } from '@keepsnap/contract/rendering.ts'
import { LRUCache } from 'lru-cache'
import { thumbHashToRGBA } from 'thumbhash'

/** What a placeholder is made from. */
export type PlaceholderSource = Pick<GuestPhoto, 'width' | 'height' | 'thumbhash'>

/** Longer side in pixels. Only the aspect ratio counts, and that it fills every screen. */
const placeholderLongSide = 4096

function pngChunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const pngChunkBytes = Buffer.alloc(typeAndData.length + 8)
  pngChunkBytes.writeUInt32BE(data.length, 0)
  typeAndData.copy(pngChunkBytes, 4)
  pngChunkBytes.writeUInt32BE(crc32(typeAndData), typeAndData.length + 4)
  return pngChunkBytes
}

/** Encodes every second pixel as PNG (ISO/IEC 15948) without alpha: half a kilobyte, and just as blurred. */
function encodePng({ w, h, rgba }: { w: number; h: number; rgba: Uint8Array }): Buffer {
  const [width, height] = [Math.ceil(w / 2), Math.ceil(h / 2)]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8) // 8 bits per channel, RGB, default compression and filter, not interlaced
  const rowBytes = width * 3 + 1 // a row starts with its filter type: 0, none
  const pixelRows = Buffer.alloc(height * rowBytes)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixelOffset = (y * 2 * w + x * 2) * 4
      pixelRows.set(rgba.subarray(pixelOffset, pixelOffset + 3), y * rowBytes + 1 + x * 3)
    }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixelRows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function thumbhashImage(thumbhash: string | null): string {
  if (thumbhash === null) return ''
  try {
    const png = encodePng(thumbHashToRGBA(Buffer.from(thumbhash, 'base64')))
    return `<image href="data:image/png;base64,${png.toString('base64')}" width="100%" height="100%" preserveAspectRatio="none"/>`
  } catch {
    return '' // an invalid hash: the placeholder stays empty
  }
}

function renderPlaceholder({ width, height, thumbhash }: PlaceholderSource): string {
  const [w, h] = width && height ? [width, height] : [3, 2]
  const scale = placeholderLongSide / Math.max(w, h)
  const [fullWidth, fullHeight] = [w, h].map((side) => Math.max(1, Math.round(side * scale)))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${fullWidth}" height="${fullHeight}">${thumbhashImage(thumbhash)}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** At an event, most guests look at a few photos. */
const maxCachedPlaceholders = 200

/**
 * Returns a function that renders a photo's placeholder as a data URL: an SVG with the photo's aspect ratio, filled from
 * its ThumbHash. An image, because the content security policy forbids style attributes. Recent ones are cached:
 * rendering one takes as long as the rest of the page.
 */
export function createPlaceholderRenderer(): (photo: PlaceholderSource) => string {
  const placeholders = new LRUCache<string, string, PlaceholderSource>({
    max: maxCachedPlaceholders,
    memoMethod: (_key, _stale, { context }) => renderPlaceholder(context),
  })
  return (photo) => placeholders.memo(`${photo.width} ${photo.height} ${photo.thumbhash}`, { context: photo })
}
