import { readFileSync } from 'node:fs'
import { create, type Font } from 'fontkit'

/** Text as outlines: the machine of the server need not have any font. */
export interface TextOutlines {
  /** In units of the font size. */
  widthOf(text: string): number
  /** A group of SVG paths, with the baseline of the text at `x`, `y`. */
  draw(text: string, at: TextPlace): string
}
export interface TextPlace {
  x: number
  y: number
  size: number
  fill: string
  /** Whether it is bold. The library reads the weight axis of WOFF2 not at all, so the outline is drawn thicker. */
  isBold?: boolean
}

/** In units of the font, of which an em has 1000. */
const boldStroke = 36
const boldSpacing = -10

/** Opens a font file of one face, WOFF2 included. */
export function openFont(path: string): TextOutlines {
  const font = create(readFileSync(path)) as Font // a collection has another extension
  const em = font.unitsPerEm
  const advancesOf = (text: string) => {
    const { glyphs, positions } = font.layout(text)
    return glyphs.map((glyph, at) => ({
      path: glyph.path.toSVG(),
      advance: (positions[at]?.xAdvance ?? 0) + boldSpacing,
    }))
  }
  return {
    widthOf: (text) => advancesOf(text).reduce((sum, { advance }) => sum + advance, 0) / em,
    draw(text, { x, y, size, fill, isBold = false }) {
      const scale = size / em
      const stroke = isBold ? ` stroke="${fill}" stroke-width="${boldStroke}" stroke-linejoin="round"` : ''
      let left = 0
      const paths = advancesOf(text).map(({ path, advance }) => {
        const glyph = path && `<path transform="translate(${left})" d="${path}"/>`
        left += advance
        return glyph
      })
      return `<g transform="translate(${x} ${y}) scale(${scale} ${-scale})" fill="${fill}"${stroke}>${paths.join('')}</g>`
    },
  }
}

/** Words in lines that are at most so wide, in units of the font size. A word that is wider has a line of its own. */
export function wrapText(text: string, widest: number, widthOf: TextOutlines['widthOf']): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer) <= widest) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
