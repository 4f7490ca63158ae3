import { be16, be32, concatBytes, hasText, latin1At, latin1Bytes, packNumbers } from '../bytes.ts'

/** Larger profiles hold lookup tables of printers and scanners; cameras do not write them. */
export const maxProfileBytes = 64 * 1024

const maxTags = 100
const maxCurvePoints = 4096

/** The tags that define colours, with a check of each. All other tags are text, device names and serial numbers. */
const colourTags: Record<string, (tag: Uint8Array) => boolean> = {
  wtpt: isXyzTag,
  bkpt: isXyzTag,
  rXYZ: isXyzTag,
  gXYZ: isXyzTag,
  bXYZ: isXyzTag,
  rTRC: isCurveTag,
  gTRC: isCurveTag,
  bTRC: isCurveTag,
  kTRC: isCurveTag,
  chad: (tag) => hasText(tag, 0, 'sf32') && tag.length === 44,
  cicp: (tag) => hasText(tag, 0, 'cicp') && tag.length === 12,
}
const requiredTags = { RGB: ['wtpt', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'], GRAY: ['wtpt', 'kTRC'] }

/** Names of standard colour spaces. Any other name, of a monitor for example, may identify a person's device. */
const standardNames =
  /^(s?RGB|Display P3|Adobe RGB|Apple RGB|ProPhoto|ROMM|Rec|ITU-R|eciRGB|DCI|Gray|Dot Gain)[\w .()+-]{0,32}$/

/**
 * Rebuilds a colour profile from its matrix and curves alone (ICC.1:2022 section 7; versions 2 and 4). Null for a profile
 * that is broken or works otherwise (lookup tables, other colour spaces): such a picture is converted instead.
 */
export function sanitizeProfile(profile: Uint8Array, components: 1 | 3): Uint8Array | null {
  const space = components === 1 ? 'GRAY' : 'RGB'
  const version = profile[8]
  const size = be32(profile, 0)
  if (!(size >= 132 && size <= profile.length && profile.length - size < 4)) return null
  if (profile.length > maxProfileBytes || !hasText(profile, 36, 'acsp')) return null
  if (!hasText(profile, 20, 'XYZ ') || latin1At(profile, 16, 4).trim() !== space) return null
  if ((version !== 2 && version !== 4) || !['mntr', 'scnr', 'spac'].includes(latin1At(profile, 12, 4))) return null
  const tags = readProfileTags(profile, size)
  if (!tags || !requiredTags[space].every((name) => tags.has(name))) return null
  if ([...tags.keys()].some((name) => /^([ABD]2[ABD]\d|gamt)$/.test(name))) return null
  const sanitizedTags = new Map<string, Uint8Array>()
  for (const [name, isValid] of Object.entries(colourTags)) {
    const tag = tags.get(name)
    if (tag && !isValid(tag)) return null
    if (tag) sanitizedTags.set(name, tag)
  }
  sanitizedTags.set('desc', descriptionTag(version, standardName(tags.get('desc')) ?? space))
  sanitizedTags.set('cprt', version === 2 ? textTag('No copyright') : multiLocalizedTag('No copyright'))
  return assembleProfile(profile, sanitizedTags)
}

/** An RGB colour space: its primaries, adapted to D50, and the parameters of an ICC parametric curve. */
interface RgbSpace {
  name: string
  primaries: Record<'rXYZ' | 'gXYZ' | 'bXYZ', [number, number, number]>
  curve: { kind: number; parameters: number[] }
}

/** Adobe RGB (1998): its own primaries, gamma 2 51/256. */
const adobeRgb: RgbSpace = {
  name: 'Adobe RGB (1998) compatible',
  primaries: {
    rXYZ: [0.60974, 0.31111, 0.01947],
    gXYZ: [0.20528, 0.62567, 0.06087],
    bXYZ: [0.14919, 0.06322, 0.74457],
  },
  curve: { kind: 0, parameters: [2.19921875] },
}

/** The profile of pictures that are marked as Adobe RGB in EXIF only. */
export const adobeRgbProfile = (): Uint8Array => createProfile(adobeRgb)

function createProfile({ name, primaries, curve }: RgbSpace): Uint8Array {
  const fixed = (...values: number[]): Uint8Array =>
    packNumbers(...values.map((value) => [Math.round(value * 65536) + (value < 0 ? 2 ** 32 : 0), 4] as const))
  const xyz = (...values: number[]): Uint8Array => concatBytes([latin1Bytes('XYZ \0\0\0\0'), fixed(...values)])
  const header = new Uint8Array(128)
  header.set(concatBytes([packNumbers([0x04400000, 4]), latin1Bytes('mntrRGB XYZ ')]), 8)
  header.set(latin1Bytes('acsp'), 36)
  const whitePoint = [0.9642, 1, 0.82491] as const
  header.set(fixed(...whitePoint), 68)
  const curveTag = concatBytes([
    latin1Bytes('para\0\0\0\0'),
    packNumbers([curve.kind, 2], [0, 2]),
    fixed(...curve.parameters),
  ])
  const tags = new Map<string, Uint8Array>([
    ['wtpt', xyz(...whitePoint)],
    ...Object.entries(primaries).map(([tag, values]) => [tag, xyz(...values)] as const),
    ...['rTRC', 'gTRC', 'bTRC'].map((tag) => [tag, curveTag] as const),
    ['desc', multiLocalizedTag(name)],
    ['cprt', multiLocalizedTag('No copyright')],
  ])
  return assembleProfile(header, tags)
}

function readProfileTags(profile: Uint8Array, size: number): Map<string, Uint8Array> | null {
  const count = be32(profile, 128)
  if (!(count <= maxTags)) return null
  const tags = new Map<string, Uint8Array>()
  for (let index = 0; index < count; index++) {
    const at = 132 + index * 12
    const start = be32(profile, at + 4)
    const end = start + be32(profile, at + 8)
    if (!(start >= 132 + count * 12 && end <= size)) return null
    tags.set(latin1At(profile, at, 4), profile.subarray(start, end))
  }
  return tags
}

function isXyzTag(tag: Uint8Array): boolean {
  return hasText(tag, 0, 'XYZ ') && tag.length === 20
}

function isCurveTag(tag: Uint8Array): boolean {
  if (hasText(tag, 0, 'para')) {
    const parameters = [1, 3, 4, 5, 7][be16(tag, 8)]
    return parameters !== undefined && tag.length >= 12 + parameters * 4 && tag.length < 16 + parameters * 4
  }
  const points = be32(tag, 8)
  const size = 12 + points * 2
  return hasText(tag, 0, 'curv') && points <= maxCurvePoints && tag.length >= size && tag.length < size + 4
}

/** The name in a profile's description, if it is that of a standard colour space. */
function standardName(description: Uint8Array | undefined): string | null {
  if (!description) return null
  const isMultiLocalized = hasText(description, 0, 'mluc')
  const start = isMultiLocalized ? be32(description, 24) : 12
  const length = isMultiLocalized ? be32(description, 20) : be32(description, 8) - 1
  if (!(start >= 12 && length > 0 && length <= 96)) return null
  const name = latin1At(description, start, length).replaceAll('\0', '')
  return standardNames.test(name) ? name : null
}

function descriptionTag(version: 2 | 4, name: string): Uint8Array {
  if (version === 4) return multiLocalizedTag(name)
  // textDescriptionType: the ASCII name, then empty Unicode and Macintosh names.
  return concatBytes([
    latin1Bytes('desc\0\0\0\0'),
    packNumbers([name.length + 1, 4]),
    latin1Bytes(`${name}\0`),
    new Uint8Array(78),
  ])
}

const textTag = (text: string): Uint8Array => latin1Bytes(`text\0\0\0\0${text}\0`)

/** A multiLocalizedUnicodeType with one record, for English. */
function multiLocalizedTag(text: string): Uint8Array {
  const utf16 = latin1Bytes(text.replace(/./gs, '\0$&'))
  const record = [packNumbers([1, 4], [12, 4]), latin1Bytes('enUS'), packNumbers([utf16.length, 4], [28, 4])]
  return concatBytes([latin1Bytes('mluc\0\0\0\0'), ...record, utf16])
}

/**
 * Header, tag table, tags. Only the fields that define colours are copied from the header of `source`; date, makers and ids
 * become zero.
 */
function assembleProfile(source: Uint8Array, tags: Map<string, Uint8Array>): Uint8Array {
  const header = new Uint8Array(128)
  for (const [from, to] of [
    [8, 24],
    [36, 40],
    [64, 80],
  ] as const)
    header.set(source.subarray(from, to), from)
  header.set(packNumbers([2000, 2], [1, 2], [1, 2]), 24)
  const table: Uint8Array[] = [packNumbers([tags.size, 4])]
  const data: Uint8Array[] = []
  let end = 132 + tags.size * 12
  // In most profiles the three curves are one piece of data, and are kept as one.
  const offsets = new Map<number, number>()
  for (const [name, tag] of tags) {
    const isFromSource = tag.buffer === source.buffer
    const shared = isFromSource ? offsets.get(tag.byteOffset) : undefined
    table.push(latin1Bytes(name), packNumbers([shared ?? end, 4], [tag.length, 4]))
    if (shared) continue
    if (isFromSource) offsets.set(tag.byteOffset, end)
    const padded = new Uint8Array(Math.ceil(tag.length / 4) * 4)
    padded.set(tag)
    data.push(padded)
    end += padded.length
  }
  header.set(packNumbers([end, 4]), 0)
  return concatBytes([header, ...table, ...data])
}
