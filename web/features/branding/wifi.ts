import {
  _BYTES as codewords,
  _ECC_BLOCKS as blockCounts,
  _GF256 as field,
  _tests as parts,
  _WORDS_PER_BLOCK as errorWords,
  encodeQR,
} from 'qr'
import type { Modules } from './drawing.ts'

/** The mode of a segment that names an encoding, the number of UTF-8, and the mode of bytes (ISO/IEC 18004 section 7.4). */
const utf8Header = [0b0111, 26 >> 4, 26 & 15, 0b0100]
const paddingBytes = [0xec, 0x11]

/**
 * A code without its quiet zone, error correction level M, that says that its text is UTF-8 (ECI 26): without that, some
 * readers guess another encoding. `encodeQR` cannot write it, so the package's own steps are called one by one here.
 */
function utf8Modules(text: string): Modules {
  const bytes = [...new TextEncoder().encode(text)]
  const version = [...Array(41).keys()].find((one) => one > 0 && segmentBits(one, bytes.length) <= 8 * dataSize(one))
  if (version === undefined) throw new Error('the text is too long for a QR code')
  const { length } = bytes
  const lengthBits = version < 10 ? [] : [length >> 12, (length >> 8) & 15]
  // Four bits each. Four zeros end the text.
  const halves = [...utf8Header, ...lengthBits, (length >> 4) & 15, length & 15]
  for (const byte of bytes) halves.push(byte >> 4, byte & 15)
  halves.push(0, 0)
  const used = halves.length >> 1
  const data = Uint8Array.from({ length: dataSize(version) }, (_, at) =>
    at < used ? ((halves[2 * at] ?? 0) << 4) | (halves[2 * at + 1] ?? 0) : (paddingBytes[(at - used) % 2] ?? 0),
  )
  const { size, words, v } = parts.drawSymbol(version, 'medium', withErrorCorrection(data, version))
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (__, x) => (((v[y * words + (x >> 5)] ?? 0) >>> (x & 31)) & 1) === 1),
  )
}

const segmentBits = (version: number, bytes: number): number => 16 + (version < 10 ? 8 : 16) + 8 * bytes

const blocksOf = (version: number): number => blockCounts.medium[version - 1] ?? 0
const errorWordsOf = (version: number): number => errorWords.medium[version - 1] ?? 0
const dataSize = (version: number): number => (codewords[version - 1] ?? 0) - blocksOf(version) * errorWordsOf(version)

/** Splits the data into blocks, of which the first may be a byte shorter, and interleaves them and their error correction. */
function withErrorCorrection(data: Uint8Array, version: number): Uint8Array {
  const blocks = blocksOf(version)
  const shortLength = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  const generator = generatorOf(errorWordsOf(version))
  const split = Array.from({ length: blocks }, (_, nth) => {
    const start = nth * shortLength + Math.max(0, nth - shortBlocks)
    return data.subarray(start, start + shortLength + (nth < shortBlocks ? 0 : 1))
  })
  const interleaved = (columns: readonly Uint8Array[]): number[] =>
    [...(columns.at(-1)?.keys() ?? [])].flatMap((at) => columns.flatMap((column) => column[at] ?? []))
  return Uint8Array.from([...interleaved(split), ...interleaved(split.map((block) => parts.rsEcc(block, generator)))])
}

/** The coefficients of (x - 1)(x - 2)(x - 4)... after the first, which is 1. */
function generatorOf(factors: number): Uint8Array {
  const times = (one: number, power: number): number =>
    one === 0 ? 0 : (field.exp[((field.log[one] ?? 0) + power) % 255] ?? 0)
  let product = [1]
  for (let power = 0; power < factors; power++)
    product = [...product, 0].map((value, at) => value ^ times(product[at - 1] ?? 0, power))
  return Uint8Array.from(product.slice(1))
}

/** How a Wi-Fi network is protected, as its code writes it. */
export const wifiSecurities = ['WPA', 'WEP', 'nopass'] as const
type WifiSecurity = (typeof wifiSecurities)[number]

/** A Wi-Fi network. It exists in the memory of this page only. */
export interface Wifi {
  network: string
  password: string
  security: WifiSecurity
  /** It does not announce its name. */
  isHidden: boolean
}

export const emptyWifi: Wifi = { network: '', password: '', security: 'WPA', isHidden: false }

const mostNetworkBytes = 32
const utf8 = new TextEncoder()

interface WifiProblems {
  network?: 'missing' | 'long'
  password?: 'missing' | 'wpa' | 'wep'
}

/** What would make the code useless: names and passwords that no network can have (IEEE 802.11). */
export function wifiProblems({ network, password, security }: Wifi): WifiProblems {
  const problems: WifiProblems = {}
  if (network === '') problems.network = 'missing'
  else if (utf8.encode(network).length > mostNetworkBytes) problems.network = 'long'
  if (security === 'nopass') return problems
  if (password === '') problems.password = 'missing'
  else if (security === 'WPA' && !/^(?:[\x20-\x7e]{8,63}|[\dA-Fa-f]{64})$/.test(password)) problems.password = 'wpa'
  else if (security === 'WEP' && !/^(?:[\x20-\x7e]{5}|[\x20-\x7e]{13}|[\dA-Fa-f]{10}|[\dA-Fa-f]{26})$/.test(password))
    problems.password = 'wep'
  return problems
}

export const isWifiComplete = (wifi: Wifi): boolean => Object.keys(wifiProblems(wifi)).length === 0

const escaped = (text: string): string => text.replace(/[\\;,:"]/g, String.raw`\$&`)

/** The text of a code that joins the network, which the cameras of iOS and Android understand. */
export function wifiText({ network, password, security, isHidden }: Wifi): string {
  const secret = security === 'nopass' ? '' : `P:${escaped(password)};`
  return `WIFI:T:${security};S:${escaped(network)};${secret}${isHidden ? 'H:true;' : ''};`
}

// The encoder draws at least this much of the quiet zone.
const smallestBorder = 1

/** The code that joins the network. Error correction level M. */
export function wifiModules(wifi: Wifi): Modules {
  const text = wifiText(wifi)
  if (!/^[\x20-\x7e]*$/.test(text)) return utf8Modules(text)
  return encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: smallestBorder })
    .slice(smallestBorder, -smallestBorder)
    .map((row) => row.slice(smallestBorder, -smallestBorder))
}
