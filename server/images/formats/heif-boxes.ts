import { be16, be32, byteAt, hasText, latin1At } from '../bytes.ts'
import { maxProfileBytes } from '../metadata/icc.ts'

/** A box of the ISO base media file format (ISO/IEC 14496-12): where its payload starts and ends. */
interface HeifBox {
  type: string
  start: number
  end: number
}

interface Extent {
  start: number
  end: number
}

const maxBoxes = 4096

/** The boxes in a range of bytes, not those inside them. A box that reaches past the range is cut at its end. */
export function boxesIn(file: Uint8Array, start: number, end: number): HeifBox[] {
  const boxes: HeifBox[] = []
  const limit = Math.min(end, file.length)
  let at = start
  while (at + 8 <= limit && boxes.length < maxBoxes) {
    const size32 = be32(file, at)
    const hasSize64 = size32 === 1
    const size64 = be32(file, at + 8) * 0x100000000 + be32(file, at + 12)
    // A size of 0 means: up to the end.
    const size = hasSize64 ? size64 : size32 === 0 ? limit - at : size32
    const headerSize = hasSize64 ? 16 : 8
    if (!(size >= headerSize)) break
    boxes.push({ type: latin1At(file, at + 4, 4), start: at + headerSize, end: Math.min(limit, at + size) })
    at += size
  }
  return boxes
}

/** The brands in the first box of a file, the major one first; empty when the file starts with something else. */
export function brandsOf(file: Uint8Array): string[] {
  if (!hasText(file, 4, 'ftyp')) return []
  const end = Math.min(be32(file, 0), 256, file.length)
  const brands = [latin1At(file, 8, 4)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(latin1At(file, at, 4))
  return brands
}

export interface HeifHeader {
  /** Its properties (ISO/IEC 23008-12 section 6.5), in the order in which they apply. */
  properties: HeifBox[]
  /** How it is coded: the type of its item, such as `hvc1`. */
  coding: string | null
  /** Where the payload of its Exif item is. */
  exif: Extent | null
}

/** Reads the `meta` box of a HEIF file (HEIC, AVIF). Null when it is missing or incomplete. Never throws. */
export function readHeif(file: Uint8Array): HeifHeader | null {
  const meta = boxesIn(file, 0, file.length).find(({ type }) => type === 'meta')
  if (!meta || declaredEnd(file, meta) > file.length) return null
  const metaBoxes = boxesIn(file, meta.start + 4, meta.end)
  const boxOf = (type: string): HeifBox | undefined => metaBoxes.find((box) => box.type === type)
  const pitm = boxOf('pitm')
  const iprp = boxOf('iprp')
  if (!pitm || !iprp) return null
  const primaryItem = file[pitm.start] === 0 ? be16(file, pitm.start + 4) : be32(file, pitm.start + 4)
  const propertyBoxes = boxesIn(file, iprp.start, iprp.end)
  const ipco = propertyBoxes.find(({ type }) => type === 'ipco')
  if (!ipco) return null
  const allProperties = boxesIn(file, ipco.start, ipco.end)
  const properties = propertyBoxes
    .filter(({ type }) => type === 'ipma')
    .flatMap((ipma) => propertyNumbersOf(file, ipma, primaryItem))
    .flatMap((number) => allProperties[number - 1] ?? [])
  const items = readItems(file, boxOf('iinf'))
  const iloc = boxOf('iloc')
  const exifItem = items.find(({ type }) => type === 'Exif')
  return {
    properties,
    coding: items.find(({ id }) => id === primaryItem)?.type ?? null,
    exif: exifItem && iloc ? findItem(file, iloc, exifItem.id) : null,
  }
}

/** The embedded ICC profile, unless it is too large for one of a camera. */
export function profileIn(file: Uint8Array, properties: readonly HeifBox[]): Uint8Array | undefined {
  const embedded = properties.find(
    ({ type, start }) => type === 'colr' && (hasText(file, start, 'prof') || hasText(file, start, 'rICC')),
  )
  if (!embedded || embedded.end - embedded.start > maxProfileBytes) return undefined
  return file.slice(embedded.start + 4, embedded.end)
}

const declaredEnd = (file: Uint8Array, box: HeifBox): number => box.start - 8 + be32(file, box.start - 8)

/** The numbers (from 1) of the properties that an `ipma` box associates with an item. */
function propertyNumbersOf(file: Uint8Array, ipma: HeifBox, item: number): number[] {
  const hasShortIds = byteAt(file, ipma.start) < 1
  const hasWideNumbers = (byteAt(file, ipma.start + 3) & 1) === 1
  const numbers: number[] = []
  let at = ipma.start + 8
  for (let left = Math.min(be32(file, ipma.start + 4), maxBoxes); left > 0 && at < ipma.end; left--) {
    const id = hasShortIds ? be16(file, at) : be32(file, at)
    at += hasShortIds ? 2 : 4
    const count = file[at++] ?? 0
    for (let i = 0; i < count; i++) {
      if (id === item) numbers.push(hasWideNumbers ? be16(file, at) & 0x7fff : byteAt(file, at) & 0x7f)
      at += hasWideNumbers ? 2 : 1
    }
  }
  return numbers
}

function readItems(file: Uint8Array, iinf: HeifBox | undefined): { id: number; type: string }[] {
  if (!iinf) return []
  return boxesIn(file, iinf.start + (file[iinf.start] === 0 ? 6 : 8), iinf.end).map(({ start }) => {
    const hasWideId = file[start] === 3
    return {
      id: hasWideId ? be32(file, start + 4) : be16(file, start + 4),
      type: latin1At(file, start + (hasWideId ? 10 : 8), 4),
    }
  })
}

/** Where `iloc` (versions 0 to 2) says that an item is; one extent only, counted from the start of the file. */
function findItem(file: Uint8Array, iloc: HeifBox, item: number): Extent | null {
  const version = byteAt(file, iloc.start)
  const offsetWidth = byteAt(file, iloc.start + 4) >> 4
  const lengthWidth = byteAt(file, iloc.start + 4) & 15
  const baseWidth = byteAt(file, iloc.start + 5) >> 4
  const indexWidth = version === 0 ? 0 : byteAt(file, iloc.start + 5) & 15
  const idWidth = version < 2 ? 2 : 4
  let at = iloc.start + 6
  const readNext = (width: number): number => {
    at += width
    if (width === 0) return 0
    if (width === 2) return be16(file, at - 2)
    return width === 8 ? be32(file, at - 8) * 0x100000000 + be32(file, at - 4) : be32(file, at - 4)
  }
  for (let left = Math.min(readNext(idWidth), maxBoxes); left > 0 && at < iloc.end; left--) {
    const id = readNext(idWidth)
    const constructionMethod = version === 0 ? 0 : readNext(2) & 15
    readNext(2)
    const base = readNext(baseWidth)
    const extents = readNext(2)
    for (let i = 0; i < extents && at < iloc.end; i++) {
      readNext(indexWidth)
      const start = base + readNext(offsetWidth)
      const end = start + readNext(lengthWidth)
      if (id === item && constructionMethod === 0 && extents === 1) return end > start ? { start, end } : null
    }
  }
  return null
}
