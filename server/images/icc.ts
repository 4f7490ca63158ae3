import { be16, be32, joined, latin1, packed, startsWith, text } from './bytes.ts'

/** Larger profiles than this are tables of printers and scanners, not of cameras. */
export const maxProfileBytes = 64 * 1024

const maxTags = 100
const maxCurvePoints = 4096

/** Tags that say how numbers become colours. Everything else in a profile is words, names and serial numbers. */
const colourTags: Record<string, (b: Uint8Array) => boolean> = {
  wtpt: isXyz,
  bkpt: isXyz,
  rXYZ: isXyz,
  gXYZ: isXyz,
  bXYZ: isXyz,
  rTRC: isCurve,
  gTRC: isCurve,
  bTRC: isCurve,
  kTRC: isCurve,
  chad: (b) => startsWith(b, 0, 'sf32') && b.length === 44,
  cicp: (b) => startsWith(b, 0, 'cicp') && b.length === 12,
}
const needed = { RGB: ['wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'], GRAY: ['wtpt', 'kTRC'] }

/** Names of working spaces; others (a monitor's, say) may name a person's device. */
const knownNames =
  /^(s?RGB|Display P3|Adobe RGB|Apple RGB|ProPhoto|ROMM|Rec|ITU-R|eciRGB|DCI|Gray|Dot Gain)[\w .()+-]{0,32}$/

/**
 * A colour profile rebuilt from its matrix and curves alone (ICC.1:2022 section 7; version 2 and 4). Null for anything
 * that works otherwise (lookup tables, other colour spaces) or is broken: such a picture is converted instead.
 */
export function cleanProfile(b: Uint8Array, components: 1 | 3): Uint8Array | null {
  const space = components === 1 ? 'GRAY' : 'RGB'
  const version = b[8]!
  const size = be32(b, 0)
  if (!(size >= 132 && size <= b.length && b.length - size < 4 && b.length <= maxProfileBytes)) return null
  if (!startsWith(b, 36, 'acsp') || !startsWith(b, 20, 'XYZ ') || text(b, 16, 4).trim() !== space) return null
  if ((version !== 2 && version !== 4) || !['mntr', 'scnr', 'spac'].includes(text(b, 12, 4))) return null
  const tags = readTags(b, size)
  if (!tags || !needed[space].every((name) => tags.has(name))) return null
  if ([...tags.keys()].some((name) => /^([ABD]2[ABD]\d|gamt)$/.test(name))) return null
  const kept = new Map<string, Uint8Array>()
  for (const [name, isSound] of Object.entries(colourTags)) {
    const data = tags.get(name)
    if (data && !isSound(data)) return null
    if (data) kept.set(name, data)
  }
  kept.set('desc', named(version, nameOf(tags.get('desc')) ?? space))
  kept.set('cprt', version === 2 ? joined([latin1('text\0\0\0\0'), latin1('No copyright\0')]) : unicode('No copyright'))
  return assembled(b, kept)
}

/** A space by its primaries, adapted to D50, and its curve: the parameters of an ICC parametric curve. */
interface Space {
  name: string
  primaries: [number, number, number][]
  curve: { kind: number; parameters: number[] }
}

/** Display P3: SMPTE EG 432-1 primaries, the curve of IEC 61966-2-1. */
const p3: Space = {
  name: 'Display P3',
  primaries: [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ],
  curve: { kind: 3, parameters: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] },
}

/** Adobe RGB (1998): its own primaries, gamma 2 51/256. */
const adobe: Space = {
  name: 'Adobe RGB (1998) compatible',
  primaries: [
    [0.60974, 0.31111, 0.01947],
    [0.20528, 0.62567, 0.06087],
    [0.14919, 0.06322, 0.74457],
  ],
  curve: { kind: 0, parameters: [2.19921875] },
}

/** For pictures that name Display P3 by number only (ISO/IEC 23091-2 colour primaries 12). */
export const displayP3 = (): Uint8Array => profileFor(p3)

/** For cameras that say Adobe RGB by an EXIF mark only. */
export const adobeRgb = (): Uint8Array => profileFor(adobe)

function profileFor({ name, primaries, curve }: Space): Uint8Array {
  const fixed = (...values: number[]): Uint8Array =>
    packed(...values.map((value) => [Math.round(value * 65536) + (value < 0 ? 2 ** 32 : 0), 4] as const))
  const xyz = (...values: number[]): Uint8Array => joined([latin1('XYZ \0\0\0\0'), fixed(...values)])
  const header = new Uint8Array(128)
  header.set(joined([packed([0x04400000, 4]), latin1('mntrRGB XYZ ')]), 8)
  header.set(latin1('acsp'), 36)
  const white = [0.9642, 1, 0.82491] as const
  header.set(fixed(...white), 68)
  const response = joined([latin1('para\0\0\0\0'), packed([curve.kind, 2], [0, 2]), fixed(...curve.parameters)])
  const tags = new Map<string, Uint8Array>([
    ['wtpt', xyz(...white)],
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((tag, i) => [tag, xyz(...primaries[i]!)] as const),
    ...['rTRC', 'gTRC', 'bTRC'].map((tag) => [tag, response] as const),
    ['desc', unicode(name)],
    ['cprt', unicode('No copyright')],
  ])
  return assembled(header, tags)
}

function readTags(b: Uint8Array, size: number): Map<string, Uint8Array> | null {
  const count = be32(b, 128)
  if (!(count <= maxTags)) return null
  const tags = new Map<string, Uint8Array>()
  for (let i = 0; i < count; i++) {
    const at = 132 + i * 12
    const start = be32(b, at + 4)
    const end = start + be32(b, at + 8)
    if (!(start >= 132 + count * 12 && end <= size)) return null
    tags.set(text(b, at, 4), b.subarray(start, end))
  }
  return tags
}

function isXyz(b: Uint8Array): boolean {
  return startsWith(b, 0, 'XYZ ') && b.length === 20
}

function isCurve(b: Uint8Array): boolean {
  if (startsWith(b, 0, 'para')) {
    const numbers = [1, 3, 4, 5, 7][be16(b, 8)]
    return numbers !== undefined && b.length >= 12 + numbers * 4 && b.length < 16 + numbers * 4
  }
  const points = be32(b, 8)
  const bytes = 12 + points * 2
  return startsWith(b, 0, 'curv') && points <= maxCurvePoints && b.length >= bytes && b.length < bytes + 4
}

/** The profile's own name when it is one of the well-known ones. */
function nameOf(desc: Uint8Array | undefined): string | null {
  if (!desc) return null
  const wide = startsWith(desc, 0, 'mluc')
  const from = wide ? be32(desc, 24) : 12
  const length = wide ? be32(desc, 20) : be32(desc, 8) - 1
  if (!(from >= 12 && length > 0 && length <= 96)) return null
  const name = text(desc, from, length).replaceAll('\0', '')
  return knownNames.test(name) ? name : null
}

function named(version: number, name: string): Uint8Array {
  if (version === 4) return unicode(name)
  // textDescriptionType: the ASCII name, then empty Unicode and Macintosh names.
  return joined([latin1('desc\0\0\0\0'), packed([name.length + 1, 4]), latin1(`${name}\0`), new Uint8Array(78)])
}

/** multiLocalizedUnicodeType with one record, for English. */
function unicode(words: string): Uint8Array {
  const utf16 = latin1(words.replace(/./gs, '\0$&'))
  const record = [packed([1, 4], [12, 4]), latin1('enUS'), packed([utf16.length, 4], [28, 4])]
  return joined([latin1('mluc\0\0\0\0'), ...record, utf16])
}

/** Header, tag table, tags. Of the header only what colour needs is taken; date, makers and ids become zero. */
function assembled(b: Uint8Array, tags: Map<string, Uint8Array>): Uint8Array {
  const header = new Uint8Array(128)
  for (const [from, to] of [
    [8, 24],
    [36, 40],
    [64, 80],
  ] as const)
    header.set(b.subarray(from, to), from)
  header.set(packed([2000, 2], [1, 2], [1, 2]), 24)
  const table: Uint8Array[] = [packed([tags.size, 4])]
  const data: Uint8Array[] = []
  let at = 132 + tags.size * 12
  // The three curves of a colour space are mostly one; then they stay one.
  const placed = new Map<number, number>()
  for (const [name, bytes] of tags) {
    const shared = bytes.buffer === b.buffer ? placed.get(bytes.byteOffset) : undefined
    table.push(latin1(name), packed([shared ?? at, 4], [bytes.length, 4]))
    if (shared) continue
    if (bytes.buffer === b.buffer) placed.set(bytes.byteOffset, at)
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4)
    padded.set(bytes)
    data.push(padded)
    at += padded.length
  }
  header.set(packed([at, 4]), 0)
  return joined([header, ...table, ...data])
}
