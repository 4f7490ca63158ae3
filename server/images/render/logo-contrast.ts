import { byteAt } from '../bytes.ts'
import type { LogoContrast } from '../protocol.ts'
import { decode, insideSquare } from './libvips.ts'

/** Large enough to see every stroke of a logo. */
const measuredSidePx = 256
const maxLogoPixels = 25_000_000

/** Relative luminances (WCAG 2.2) of `--paper` of the light and `--ink` of the light theme in web/styles/tokens.css. */
const groundLuminance = { paper: 0.93, ink: 0.01 } as const
/** A colour with less contrast to a background cannot be seen well on it. */
const minContrast = 2
/** With a smaller share of transparent pixels, a logo has its own background. Rounded corners are less. */
const minTransparentShare = 0.03

/** How much of a logo cannot be seen on paper and on ink. A logo without transparency can be seen on both. */
export async function measureLogoContrast(path: string): Promise<LogoContrast> {
  const { result } = await decode({ input: path, maxPixels: maxLogoPixels }, (image) =>
    image.resize(insideSquare(measuredSidePx)).toColourspace('srgb').ensureAlpha().raw().toBuffer(),
  )
  const lowContrast = { onPaper: 0, onInk: 0 }
  let visible = 0
  let transparentPixels = 0
  for (let at = 0; at < result.length; at += 4) {
    const alpha = byteAt(result, at + 3) / 255
    if (alpha < 0.5) transparentPixels++
    visible += alpha
    const luminance = luminanceAt(result, at)
    if (contrastOf(luminance, groundLuminance.paper) < minContrast) lowContrast.onPaper += alpha
    if (contrastOf(luminance, groundLuminance.ink) < minContrast) lowContrast.onInk += alpha
  }
  const isOpaque = transparentPixels < (result.length / 4) * minTransparentShare
  if (isOpaque || visible === 0) return { onPaper: 0, onInk: 0 }
  return { onPaper: lowContrast.onPaper / visible, onInk: lowContrast.onInk / visible }
}

/** The linear value of each sRGB value. */
const linearValues = Float64Array.from({ length: 256 }, (_, value) => {
  const channel = value / 255
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
})
const linearAt = (pixels: Uint8Array, offset: number): number => linearValues[byteAt(pixels, offset)] ?? 0

const luminanceAt = (pixels: Uint8Array, offset: number): number =>
  0.2126 * linearAt(pixels, offset) + 0.7152 * linearAt(pixels, offset + 1) + 0.0722 * linearAt(pixels, offset + 2)

const contrastOf = (one: number, other: number): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
