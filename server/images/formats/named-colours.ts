import { be16, be32, byteAt, hasText } from '../bytes.ts'
import { refuseFile } from '../protocol.ts'
import { type HeifHeader, profileIn } from './heif-boxes.ts'

type Matrix = readonly [Vector, Vector, Vector]
type Vector = readonly [number, number, number]

/** Colours that a file names by numbers, other than sRGB: decoders of pixels leave their conversion to the caller. */
export interface NamedColours {
  /** From linear light in the colours of the file to linear light in those of sRGB, or of BT.2020 if `hdr` is not null. */
  matrix: Matrix
  /** Linear light for a coded value, both 0 to 1. */
  linear: (coded: number) => number
  hdr: {
    /** Linear light of 1, as a multiple of white in SDR. */
    peak: number
    /** HLG: the light of a scene, which a screen shows with more contrast. The parts of red, green and blue in luminance. */
    luminance: Vector | null
    /** The brightest light in the picture, as a multiple of white in SDR, where the file says so. */
    contentPeak: number | null
  } | null
}

/** Red, green, blue and white, x and y of each (CIE 1931). */
type Chromaticities = readonly [number, number, number, number, number, number, number, number]

/** Colour primaries by their number in ITU-T H.273 table 2; the others are about those of sRGB, or not converted. */
const primariesByNumber: Partial<Record<number, Chromaticities>> = {
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329],
}
const srgb: Chromaticities = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329]
const bt2020 = primariesByNumber[9] ?? srgb
/** Film, XYZ and DCI-P3; logarithmic curves and that of digital cinema; ICtCp and constant luminance. Nobody writes them. */
const unsupported = { primaries: [8, 10, 11], transfer: [9, 10, 17], matrix: [10, 11, 13, 14] }

const gamma =
  (exponent: number) =>
  (coded: number): number =>
    coded ** exponent
const srgbCurve = (coded: number): number => (coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4)
/** SMPTE ST 2084: 1 is 10,000 cd/m². */
function pqCurve(coded: number): number {
  const root = coded ** (1 / 78.84375)
  return (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
}
/** ITU-R BT.2100 table 5: the light of the scene. */
const hlgCurve = (coded: number): number =>
  coded <= 0.5 ? coded ** 2 / 3 : (Math.exp((coded - 0.55991073) / 0.17883277) + 0.28466892) / 12

/** SDR curves by their number in H.273 table 3. The others, those of video included, are shown as that of sRGB. */
const curves: Partial<Record<number, (coded: number) => number>> = { 4: gamma(2.2), 5: gamma(2.8), 8: gamma(1) }
const [pq, hlg] = [16, 18]

/** Reference white of HDR (ITU-R BT.2408), which SDR shows as white, and the brightest light of HLG, in cd/m². */
const [whiteLight, hlgLight, pqLight] = [203, 1000, 10_000]
/** A screen of that light shows HLG with the light of the scene to the power of 1.2. */
const hlgContrast = 0.2

/** Null when nothing is to be converted. Refuses what cannot be. */
function coloursOf(
  { primaries, transfer, matrix }: { primaries: number; transfer: number; matrix: number },
  contentLight: number,
): NamedColours | null {
  const isUnsupported =
    unsupported.primaries.includes(primaries) ||
    unsupported.transfer.includes(transfer) ||
    unsupported.matrix.includes(matrix)
  if (isUnsupported) return refuseFile('unsupported')
  const chromaticities = primariesByNumber[primaries] ?? srgb
  if (transfer === pq || transfer === hlg) {
    const isHlg = transfer === hlg
    return {
      matrix: conversion(chromaticities, bt2020),
      linear: isHlg ? hlgCurve : pqCurve,
      hdr: {
        peak: (isHlg ? hlgLight : pqLight) / whiteLight,
        luminance: isHlg ? rgbToXyz(chromaticities)[1] : null,
        contentPeak: contentLight > 0 && contentLight <= pqLight ? contentLight / whiteLight : null,
      },
    }
  }
  const curve = curves[transfer]
  if (chromaticities === srgb && !curve) return null
  return { matrix: conversion(chromaticities, srgb), linear: curve ?? srgbCurve, hdr: null }
}

/** Colours that a HEIF file names by numbers (ISO/IEC 23008-12 `colr` of type `nclx`), unless it has a profile. */
export function coloursOfHeif(file: Uint8Array, { properties }: HeifHeader): NamedColours | null {
  if (profileIn(file, properties)) return null
  const colours = properties.filter(({ type }) => type === 'colr')
  const numbers = colours.find(({ start, end }) => hasText(file, start, 'nclx') && end - start >= 10)
  if (!numbers) return null
  const [primaries, transfer, matrix] = [4, 6, 8].map((at) => be16(file, numbers.start + at))
  const light = properties.find(({ type, start, end }) => type === 'clli' && end - start >= 4)
  return coloursOf(
    { primaries: primaries ?? 2, transfer: transfer ?? 2, matrix: matrix ?? 2 },
    light ? be16(file, light.start) : 0,
  )
}

/**
 * Colours that a PNG names by numbers: `cICP`, else `gAMA` and `cHRM` (PNG, third edition, 11.3.2), unless it has a profile or
 * says that it is sRGB.
 */
export function coloursOfPng(head: Uint8Array): NamedColours | null {
  const chunks = new Map<string, number>()
  for (let at = 8; at + 12 <= head.length; at += 12 + be32(head, at)) {
    const type = String.fromCharCode(...head.subarray(at + 4, at + 8))
    if (type === 'IDAT') break
    if (!chunks.has(type)) chunks.set(type, at + 8)
  }
  const sizeAt = (at: number): number => be32(head, at - 8)
  const cicp = chunks.get('cICP')
  if (cicp !== undefined && sizeAt(cicp) === 4) {
    const light = chunks.get('cLLI')
    const contentLight = light === undefined ? 0 : be32(head, light) / 10_000
    return coloursOf({ primaries: byteAt(head, cicp), transfer: byteAt(head, cicp + 1), matrix: 0 }, contentLight)
  }
  if (chunks.has('iCCP') || chunks.has('sRGB')) return null
  const [gammaAt, chromaticitiesAt] = [chunks.get('gAMA'), chunks.get('cHRM')]
  const encoding = gammaAt === undefined ? 0 : be32(head, gammaAt) / 100_000
  const hasGamma = encoding >= 0.1 && encoding <= 10
  const chromaticities =
    chromaticitiesAt === undefined || sizeAt(chromaticitiesAt) !== 32
      ? srgb
      : readChromaticities(head, chromaticitiesAt)
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) < 0.003
  // Most programs that write 1/2.2 mean sRGB.
  const isSrgbCurve = !hasGamma || isNear(encoding, 1 / 2.2)
  if (isSrgbCurve && chromaticities.every((value, at) => isNear(value, srgb[at] ?? 0))) return null
  return {
    matrix: conversion(chromaticities, srgb),
    linear: isSrgbCurve ? srgbCurve : gamma(1 / encoding),
    hdr: null,
  }
}

/** The `cHRM` of a PNG, if colours can be computed with it: white first, then red, green and blue. */
function readChromaticities(head: Uint8Array, start: number): Chromaticities {
  const value = (nth: number): number => be32(head, start + 4 * nth) / 100_000
  const read: Chromaticities = [value(2), value(3), value(4), value(5), value(6), value(7), value(0), value(1)]
  const isUsable =
    read.every((one, at) => one >= 0 && one <= 1 && (at % 2 === 0 || one > 0.001)) &&
    conversion(read, srgb).every((row) => row.every((one) => Math.abs(one) < 10))
  return isUsable ? read : srgb
}

const multiply = (matrix: Matrix, [x, y, z]: Vector): Vector => {
  const row = ([a, b, c]: Vector): number => a * x + b * y + c * z
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}
const transposed = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
]
const product = (one: Matrix, other: Matrix): Matrix => {
  const [a, b, c] = transposed(other)
  return transposed([multiply(one, a), multiply(one, b), multiply(one, c)])
}
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const scaled = ([a, b, c]: Vector, factor: number): Vector => [a * factor, b * factor, c * factor]

function inverse([a, b, c]: Matrix): Matrix {
  const determinant = multiply([a, b, c], cross(b, c))[0]
  const [first, second, third] = [cross(b, c), cross(c, a), cross(a, b)]
  return transposed([scaled(first, 1 / determinant), scaled(second, 1 / determinant), scaled(third, 1 / determinant)])
}

const xyz = (x: number, y: number): Vector => [x / y, 1, (1 - x - y) / y]

/** White is (1, 1, 1), and has the luminance 1. */
function rgbToXyz([rx, ry, gx, gy, bx, by, wx, wy]: Chromaticities): Matrix {
  const [red, green, blue] = [xyz(rx, ry), xyz(gx, gy), xyz(bx, by)]
  const [r, g, b] = multiply(inverse(transposed([red, green, blue])), xyz(wx, wy))
  return transposed([scaled(red, r), scaled(green, g), scaled(blue, b)])
}

const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** From linear light in one set of primaries to another; white becomes white. */
function conversion(from: Chromaticities, to: Chromaticities): Matrix {
  const [source, target] = [multiply(bradford, xyz(from[6], from[7])), multiply(bradford, xyz(to[6], to[7]))]
  const adaptation: Matrix = [
    [target[0] / source[0], 0, 0],
    [0, target[1] / source[1], 0],
    [0, 0, target[2] / source[2]],
  ]
  const adapted = product(inverse(bradford), product(adaptation, product(bradford, rgbToXyz(from))))
  return product(inverse(rgbToXyz(to)), adapted)
}

export interface DecodedPixels {
  data: Uint8Array | Uint16Array
  width: number
  height: number
  channels: 3 | 4
  /** From row to row, in samples. */
  stride: number
  /** What white has. */
  maxCode: number
}

/** Samples of two bytes each, the lower one first. */
export function wideSamples(bytes: Uint8Array): Uint16Array {
  const { buffer, byteOffset, length } = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice()
  return new Uint16Array(buffer, byteOffset, length >> 1)
}

/** Converts so many rows, from a row on, to sRGB of 8 bits per sample. */
export type ConvertRows = (firstRow: number, rows: number) => Uint8Array

const [encodingSteps, toneSteps] = [16_384, 4096]
const bt2020ToSrgb = conversion(bt2020, srgb)

/** Prepares the conversion of pixels to sRGB. */
export function srgbConverter(pixels: DecodedPixels, { linear, matrix, hdr }: NamedColours): ConvertRows {
  const { data, width, channels, stride, maxCode } = pixels
  const light = Float32Array.from({ length: maxCode > 255 ? 65_536 : 256 }, (_, code) =>
    linear(Math.min(1, code / maxCode)),
  )
  const encoded = Uint8Array.from({ length: encodingSteps + 1 }, (_, step) => {
    const value = step / encodingSteps
    return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055))
  })
  const { peak, luminance, contentPeak } = hdr ?? { peak: 1, luminance: null, contentPeak: null }
  const lightOf = (code: number): number => peak * (light[code] ?? 0) ** (luminance ? 1 + hlgContrast : 1)
  const brightest = hdr ? Math.max(1, contentPeak ?? measuredPeak(pixels, lightOf)) : 1
  const gains = toneGains(brightest)
  const gainStep = toneSteps / Math.max(brightest - 1, 1e-9)
  // This runs for millions of pixels: plain numbers, and no calls but of `encode`.
  const encode = (value: number): number =>
    encoded[value <= 0 ? 0 : value >= 1 ? encodingSteps : (value * encodingSteps + 0.5) | 0] ?? 0
  const [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]] = matrix
  const [[tr, tg, tb], [ur, ug, ub], [vr, vg, vb]] = bt2020ToSrgb
  const [lr, lg, lb] = luminance ?? [0, 0, 0]
  const isHdr = hdr !== null
  const isHlg = luminance !== null

  return (firstRow, rows) => {
    const converted = new Uint8Array(rows * width * channels)
    let to = 0
    for (let row = firstRow; row < firstRow + rows; row++) {
      let at = row * stride
      for (let column = 0; column < width; column++, at += channels, to += channels) {
        const red = light[data[at] ?? 0] ?? 0
        const green = light[data[at + 1] ?? 0] ?? 0
        const blue = light[data[at + 2] ?? 0] ?? 0
        let r = rr * red + rg * green + rb * blue
        let g = gr * red + gg * green + gb * blue
        let b = br * red + bg * green + bb * blue
        if (isHdr) {
          const shown = isHlg ? peak * (lr * red + lg * green + lb * blue) ** hlgContrast : peak
          const most = shown * (r > g ? (r > b ? r : b) : g > b ? g : b)
          const step = most <= 1 ? 0 : ((most - 1) * gainStep + 0.5) | 0
          const gain = shown * (most >= brightest ? 1 / most : (gains[step] ?? 0))
          const [x, y, z] = [r * gain, g * gain, b * gain]
          r = tr * x + tg * y + tb * z
          g = ur * x + ug * y + ub * z
          b = vr * x + vg * y + vb * z
        }
        converted[to] = encode(r)
        converted[to + 1] = encode(g)
        converted[to + 2] = encode(b)
        if (channels === 4) converted[to + 3] = ((data[at + 3] ?? 0) * 255) / maxCode + 0.5
      }
    }
    return converted
  }
}

const maxMeasuredPixels = 200_000
/** A few bright pixels, which may be noise, do not make the picture darker. */
const ignoredShare = 0.001

/** How bright a picture is: what nearly all pixels do not exceed, in any channel. */
function measuredPeak(pixels: DecodedPixels, lightOf: (code: number) => number): number {
  const { data, width, height, channels, stride } = pixels
  const counts = new Uint32Array(65_536)
  // Odd, so that a pattern in the columns is not missed.
  const step = Math.ceil((width * height) / maxMeasuredPixels) | 1
  let measured = 0
  for (let pixel = 0; pixel < width * height; pixel += step, measured++) {
    const at = Math.floor(pixel / width) * stride + (pixel % width) * channels
    const code = Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)
    counts[code] = (counts[code] ?? 0) + 1
  }
  let [code, above] = [counts.length - 1, 0]
  while (code > 0 && (above += counts[code] ?? 0) <= measured * ignoredShare) code--
  return lightOf(code)
}

/**
 * By how much to reduce a pixel whose brightest channel is 1 (white) to `brightest` (that of the picture), in steps: as SMPTE
 * ST 2094-50 does for a screen without headroom, and browsers do. What is darker than white is reduced like white, what is
 * brighter by ever more (a Bézier curve), and the brightest becomes white. Nothing changes if nothing is brighter than white.
 */
function toneGains(brightest: number): Float64Array {
  const white = 1 - 0.5 * Math.min(1, Math.log2(brightest) / Math.log2(hlgLight / whiteLight))
  const [middleX, middleY] = [0.35 + 0.65 / white, 0.35 * white + 0.65]
  const [a, b] = [1 - 2 * middleX + brightest, middleX - 1]
  return Float64Array.from({ length: toneSteps + 1 }, (_, step) => {
    const above = ((brightest - 1) * step) / toneSteps
    const t = above === 0 ? 0 : above / (b + Math.sqrt(b * b + a * above))
    return (white + t * (2 * (middleY - white) + t * (white - 2 * middleY + 1))) / (1 + above)
  })
}
