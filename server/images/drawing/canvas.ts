/** The size of a picture, in pixels. */
export interface Size {
  width: number
  height: number
}

/** One layer of a picture, from back to front. */
export interface Layer {
  /** Shapes of SVG, in pixels of the picture. */
  shapes: string
  /** Gradients that the shapes refer to. */
  definitions?: string
  /** How far out of focus it is: sigma in pixels of the picture. */
  blur?: number
  /** `screen` adds light. */
  blend?: 'over' | 'screen'
}

/** An SVG document of a layer, drawn at a scale: blurred layers need few pixels. */
export const svgOf = ({ shapes, definitions = '' }: Layer, { width, height }: Size, scale: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width * scale)}" height="${Math.round(height * scale)}" ` +
      `viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"><defs>${definitions}</defs>${shapes}</svg>`,
  )

/** A number with few digits, for SVG. */
export const px = (value: number): string => value.toFixed(1)

/** A gradient from the middle outwards. `stops`: offset, colour, opacity. */
export const radialGradient = (
  id: string,
  { x = 0.5, y = 0.5, radius = 0.5 }: { x?: number; y?: number; radius?: number },
  stops: readonly (readonly [offset: number, color: string, opacity: number])[],
): string =>
  `<radialGradient id="${id}" cx="${x}" cy="${y}" r="${radius}">${stops
    .map(([offset, color, opacity]) => `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`)
    .join('')}</radialGradient>`

/** A colour between two. `part` of the second. */
export function mixed(one: string, other: string, part: number): string {
  const bytes = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const [from, to] = [bytes(one), bytes(other)]
  const byteOf = (value: number, n: number): string =>
    Math.round(value + ((to[n] ?? 0) - value) * part)
      .toString(16)
      .padStart(2, '0')
  return `#${from.map(byteOf).join('')}`
}
