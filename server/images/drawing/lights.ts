import { px, radialGradient, type Layer, type Size } from './canvas.ts'
import type { Palette } from './palettes.ts'
import type { Random } from './random.ts'

/** What every layer is made from. */
export interface Scenery {
  random: Random
  palette: Palette
  size: Size
}

/** The dark background with one large source of light behind the people. */
export function backdrop({ random, palette, size: { width, height } }: Scenery): Layer {
  const light = { x: random.between(0.25, 0.75), y: random.between(0.42, 0.6), radius: random.between(0.5, 0.7) }
  return {
    blur: 12,
    definitions:
      `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.sky}"/>` +
      `<stop offset=".72" stop-color="${palette.ground}"/><stop offset="1" stop-color="${palette.shadow}"/></linearGradient>` +
      radialGradient('light', light, [
        [0, palette.lights[0], 0.8],
        [0.45, palette.lights[1], 0.26],
        [1, palette.sky, 0],
      ]),
    shapes: `<rect width="${width}" height="${height}" fill="url(#sky)"/><rect width="${width}" height="${height}" fill="url(#light)"/>`,
  }
}

/** Mist in the light: what is behind it is paler. */
export const haze = ({ random, palette, size: { width, height } }: Scenery, opacity: number): Layer => ({
  blur: 12,
  blend: 'screen',
  definitions: radialGradient('haze', { x: random.between(0.3, 0.7), y: 0.45, radius: 0.62 }, [
    [0, palette.lights[1], opacity],
    [0.6, palette.ground, opacity * 0.5],
    [1, palette.ground, 0],
  ]),
  shapes: `<rect width="${width}" height="${height}" fill="url(#haze)"/>`,
})

/** Near the floor there is no light. */
export const floorShade = ({ palette, size: { width, height } }: Scenery, from = 0.55): Layer => ({
  blur: 12,
  definitions:
    `<linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="${from}" stop-color="${palette.shadow}" stop-opacity="0"/>` +
    `<stop offset="1" stop-color="${palette.shadow}" stop-opacity=".85"/></linearGradient>`,
  shapes: `<rect width="${width}" height="${height}" fill="url(#shade)"/>`,
})

interface Bokeh {
  count: number
  /** Radius in pixels of a picture that is 1500 wide. */
  radius: readonly [least: number, most: number]
  /** Parts of the height between which the lights are. */
  between?: readonly [top: number, bottom: number]
  opacity: number
  blur: number
}

/** Lamps out of focus: discs with a slightly brighter edge. */
export function bokeh(
  { random, palette, size }: Scenery,
  { count, radius, between = [0, 1], opacity, blur }: Bokeh,
): Layer {
  const unit = Math.max(size.width, size.height) / 1500
  const disc = (): string => {
    const [x, y] = [random.between(-0.03, 1.03) * size.width, random.between(...between) * size.height]
    const [r, color] = [random.between(...radius) * unit, random.pick(palette.lights)]
    const strength = opacity * random.between(0.25, 1)
    return (
      `<circle cx="${px(x)}" cy="${px(y)}" r="${px(r)}" fill="${color}" fill-opacity="${(strength * 0.72).toFixed(2)}"/>` +
      `<circle cx="${px(x)}" cy="${px(y)}" r="${px(r * 0.94)}" fill="none" stroke="${color}" stroke-opacity="${(strength * 0.5).toFixed(2)}" stroke-width="${px(r * 0.1)}"/>`
    )
  }
  return { shapes: Array.from({ length: count }, disc).join(''), blur, blend: 'screen' }
}

/** Chains of bulbs that hang between two points outside of the picture. */
export function stringLights(
  { random, palette, size: { width, height } }: Scenery,
  { chains, blur }: { chains: number; blur: number },
): Layer {
  const unit = Math.max(width, height) / 1500
  const chain = (): string => {
    const [left, right] = [random.between(-0.08, 0.28) * height, random.between(-0.08, 0.28) * height]
    const [middleX, middleY] = [
      random.between(0.35, 0.65) * width,
      Math.max(left, right) + random.between(0.08, 0.26) * height,
    ]
    const [size, color] = [random.between(6, 10) * unit, random.pick(palette.lights.slice(0, 3))]
    const at = (t: number): [number, number] => [
      2 * t * (1 - t) * middleX + t * t * width * 1.04 - (1 - t) ** 2 * width * 0.04,
      (1 - t) ** 2 * left + 2 * t * (1 - t) * middleY + t * t * right,
    ]
    let bulbs = ''
    for (let t = random.between(0.01, 0.04); t < 1; t += random.between(0.034, 0.062)) {
      const [x, y] = at(t)
      bulbs +=
        `<circle cx="${px(x)}" cy="${px(y + size)}" r="${px(size * 3.2)}" fill="${color}" fill-opacity=".16"/>` +
        `<circle cx="${px(x)}" cy="${px(y + size)}" r="${px(size)}" fill="${palette.lights[3]}"/>`
    }
    return bulbs
  }
  return { shapes: Array.from({ length: chains }, chain).join(''), blur, blend: 'screen' }
}

/** Beams of lamps on a stage. */
export function beams({ random, palette, size: { width, height } }: Scenery): Layer {
  const gradients: string[] = []
  const beam = (_: unknown, index: number): string => {
    const [x, end] = [random.between(0.05, 0.95) * width, random.between(-0.2, 1.2) * width]
    const spread = random.between(0.05, 0.13) * width
    const color = random.pick(palette.lights)
    gradients.push(
      `<linearGradient id="beam${index}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${color}" stop-opacity=".6"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></linearGradient>`,
    )
    return `<path d="M${px(x - 8)} -20L${px(x + 8)} -20L${px(end + spread)} ${height}L${px(end - spread)} ${height}Z" fill="url(#beam${index})"/>`
  }
  const shapes = Array.from({ length: 7 }, beam).join('')
  return { shapes, definitions: gradients.join(''), blur: 7, blend: 'screen' }
}

interface Confetti {
  count: number
  length: readonly [least: number, most: number]
  blur: number
}

/** Falling pieces of paper. */
export function confetti(
  { random, palette, size: { width, height } }: Scenery,
  { count, length, blur }: Confetti,
): Layer {
  const unit = Math.max(width, height) / 1500
  const piece = (): string => {
    const [w, part] = [random.between(...length) * unit, random.between(0.3, 0.75)]
    const place = `translate(${px(random.between(0, width))} ${px(random.between(0, height * 0.9))}) rotate(${px(random.between(0, 180))}) skewX(${px(random.between(-35, 35))})`
    return `<rect x="${px(-w / 2)}" y="${px((-w * part) / 2)}" width="${px(w)}" height="${px(w * part)}" rx="${px(w * 0.06)}" fill="${random.pick(palette.party)}" fill-opacity="${random.between(0.6, 1).toFixed(2)}" transform="${place}"/>`
  }
  return { shapes: Array.from({ length: count }, piece).join(''), blur }
}

/** Fireworks: rays of sparks from a few points above. */
export function fireworks({ random, palette, size: { width, height } }: Scenery): Layer {
  const unit = Math.max(width, height) / 1500
  const burst = (): string => {
    const [x, y, color] = [
      random.between(0.15, 0.85) * width,
      random.between(0.1, 0.42) * height,
      random.pick(palette.lights),
    ]
    const reach = random.between(120, 260) * unit
    const ray = (): string => {
      const [angle, length] = [random.between(0, 2 * Math.PI), reach * random.between(0.55, 1)]
      const [dx, dy] = [Math.cos(angle) * length, Math.sin(angle) * length]
      const fall = 0.16 * length
      return (
        `<path d="M${px(x + dx * 0.18)} ${px(y + dy * 0.18)}Q${px(x + dx * 0.7)} ${px(y + dy * 0.7)} ${px(x + dx)} ${px(y + dy + fall)}" fill="none" stroke="${color}" stroke-opacity=".75" stroke-width="${px(2.2 * unit)}" stroke-linecap="round"/>` +
        `<circle cx="${px(x + dx)}" cy="${px(y + dy + fall)}" r="${px(3.4 * unit)}" fill="#fff6e0"/>`
      )
    }
    return (
      Array.from({ length: 70 }, ray).join('') +
      `<circle cx="${px(x)}" cy="${px(y)}" r="${px(reach * 0.5)}" fill="${color}" fill-opacity=".12"/>`
    )
  }
  return { shapes: Array.from({ length: 4 }, burst).join(''), blur: 1.2, blend: 'screen' }
}
