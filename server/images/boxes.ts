import { be16, be32, startsWith, text } from './bytes.ts'

/** A box of the ISO base media format (ISO/IEC 14496-12): where its payload starts and ends. */
export interface Box {
  type: string
  start: number
  end: number
}

const maxBoxes = 4096

/** The boxes lying side by side in a stretch of bytes. A box that reaches past the stretch is cut at its end. */
export function boxesIn(b: Uint8Array, from: number, to: number): Box[] {
  const boxes: Box[] = []
  const limit = Math.min(to, b.length)
  let at = from
  while (at + 8 <= limit && boxes.length < maxBoxes) {
    const small = be32(b, at)
    const wide = small === 1
    const size = wide ? be32(b, at + 8) * 0x100000000 + be32(b, at + 12) : small === 0 ? limit - at : small
    const header = wide ? 16 : 8
    if (!(size >= header)) break
    boxes.push({ type: text(b, at + 4, 4), start: at + header, end: Math.min(limit, at + size) })
    at += size
  }
  return boxes
}

/** The brands a file claims in its first box, the main one first; empty when it does not start with such a box. */
export function brandsOf(b: Uint8Array): string[] {
  if (!startsWith(b, 4, 'ftyp')) return []
  const end = Math.min(be32(b, 0), 256, b.length)
  const brands = [text(b, 8, 4)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text(b, at, 4))
  return brands
}

/** One property of an image item (ISO/IEC 23008-12 section 6.5): its type and payload. */
export type Property = Box

/** The main image of a HEIF file as its headers tell it. */
export interface HeifHeader {
  /** Properties of the primary item, in the order in which they apply. */
  properties: Property[]
  /** The payload of the primary item's Exif item: where it lies in the file. */
  exif: { start: number; end: number } | null
}

/** Reads the `meta` box of a HEIF file (HEIC, AVIF); null when it is not (yet) whole. Never throws. */
export function readHeif(b: Uint8Array): HeifHeader | null {
  const meta = boxesIn(b, 0, b.length).find(({ type }) => type === 'meta')
  if (!meta || declaredEnd(b, meta) > b.length) return null
  const inner = boxesIn(b, meta.start + 4, meta.end)
  const box = (type: string): Box | undefined => inner.find((one) => one.type === type)
  const pitm = box('pitm')
  const iprp = box('iprp')
  if (!pitm || !iprp) return null
  const primary = b[pitm.start] === 0 ? be16(b, pitm.start + 4) : be32(b, pitm.start + 4)
  const parts = boxesIn(b, iprp.start, iprp.end)
  const ipco = parts.find(({ type }) => type === 'ipco')
  if (!ipco) return null
  const all = boxesIn(b, ipco.start, ipco.end)
  const properties = parts
    .filter(({ type }) => type === 'ipma')
    .flatMap((ipma) => associations(b, ipma, primary))
    .flatMap((index) => all[index - 1] ?? [])
  return { properties, exif: exifItem(b, box('iinf'), box('iloc')) }
}

const declaredEnd = (b: Uint8Array, box: Box): number => box.start - 8 + be32(b, box.start - 8)

/** The property numbers (from 1) that `ipma` ties to an item. */
function associations(b: Uint8Array, ipma: Box, item: number): number[] {
  const version = b[ipma.start]!
  const wide = (b[ipma.start + 3]! & 1) === 1
  const found: number[] = []
  let at = ipma.start + 8
  for (let left = Math.min(be32(b, ipma.start + 4), maxBoxes); left > 0 && at < ipma.end; left--) {
    const id = version < 1 ? be16(b, at) : be32(b, at)
    at += version < 1 ? 2 : 4
    const count = b[at++] ?? 0
    for (let i = 0; i < count; i++) {
      if (id === item) found.push(wide ? be16(b, at) & 0x7fff : (b[at] ?? 0) & 0x7f)
      at += wide ? 2 : 1
    }
  }
  return found
}

/** Where the first Exif item lies, when it is one plain stretch of the file. */
function exifItem(b: Uint8Array, iinf: Box | undefined, iloc: Box | undefined): HeifHeader['exif'] {
  if (!iinf || !iloc) return null
  const entries = boxesIn(b, iinf.start + (b[iinf.start] === 0 ? 6 : 8), iinf.end)
  const entry = entries.find(({ start }) => startsWith(b, start + (b[start] === 3 ? 10 : 8), 'Exif'))
  if (!entry) return null
  const id = b[entry.start] === 3 ? be32(b, entry.start + 4) : be16(b, entry.start + 4)
  return locate(b, iloc, id)
}

/** One item's place from `iloc` (versions 0 to 2, one extent, counted from the file's start). */
function locate(b: Uint8Array, iloc: Box, item: number): HeifHeader['exif'] {
  const version = b[iloc.start]!
  const offsetWidth = b[iloc.start + 4]! >> 4
  const lengthWidth = b[iloc.start + 4]! & 15
  const baseWidth = b[iloc.start + 5]! >> 4
  const indexWidth = version === 0 ? 0 : b[iloc.start + 5]! & 15
  const idWidth = version < 2 ? 2 : 4
  let at = iloc.start + 6
  const take = (width: number): number => {
    at += width
    if (width === 0) return 0
    if (width === 2) return be16(b, at - 2)
    return width === 8 ? be32(b, at - 8) * 0x100000000 + be32(b, at - 4) : be32(b, at - 4)
  }
  for (let left = Math.min(take(idWidth), maxBoxes); left > 0 && at < iloc.end; left--) {
    const id = take(idWidth)
    const method = version === 0 ? 0 : take(2) & 15
    take(2)
    const base = take(baseWidth)
    const extents = take(2)
    for (let i = 0; i < extents && at < iloc.end; i++) {
      take(indexWidth)
      const start = base + take(offsetWidth)
      const end = start + take(lengthWidth)
      if (id === item && method === 0 && extents === 1) return end > start ? { start, end } : null
    }
  }
  return null
}
