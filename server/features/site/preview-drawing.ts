import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { productName } from '@keepsnap/contract/site.ts'
import { pagePreviewSize } from '@keepsnap/contract/rendering.ts'
import { create, type Font } from 'fontkit'
import { encodeQrCode } from '../../lib/qr-codes.ts'

/** What a preview picture shows, and the font that it is drawn with. */
export interface PreviewContent {
  title: string
  /** Beside the QR code, which leads to the home page. */
  codeLine: string
  publicUrl: string
  fontPath: string
}

/** Colours of the light theme and of prints, as in web/styles/tokens.css. */
const colours = {
  paper: '#faf7f2',
  print: '#ffffff',
  ink: '#1c1a17',
  ink2: '#575047',
  accent: '#c8401a',
  line: '#ece6dc',
}
const { width, height } = pagePreviewSize
const margin = 72
/** The print: photo above, line and code in its white margin. */
const print = { x: 676, y: 62, width: 452, height: 506, padding: 22 }
const photo = { x: print.x + print.padding, y: print.y + print.padding, width: 408, height: 272 }
const codeSide = 150
const title = { widest: print.x - margin - 56, sizes: [92, 76, 66, 58, 50, 42], mostLines: 4, lineHeight: 1.12 }

/** The logo in units of 32, as in web/public/favicon.svg. */
const logo = `<path fill="${colours.ink}" fill-rule="evenodd" d="M11 2h10a9 9 0 0 1 9 9v10a9 9 0 0 1-9 9H11a9 9 0 0 1-9-9V11a9 9 0 0 1 9-9Zm.5 4A5.5 5.5 0 0 0 6 11.5v9A5.5 5.5 0 0 0 11.5 26h9a5.5 5.5 0 0 0 5.5-5.5v-9A5.5 5.5 0 0 0 20.5 6Z"/><rect fill="${colours.accent}" x="10" y="10" width="12" height="12" rx="4.6"/><circle cx="18.7" cy="13.3" r="1.5" fill="#fff"/>`

/** The largest size in which the text has few enough lines. */
function fitTitle(text: string, { widthOf }: TextOutlines): { size: number; lines: string[] } {
  const fitted = title.sizes.map((size) => ({ size, lines: wrapText(text, title.widest / size, widthOf) }))
  const fits = ({ size, lines }: { size: number; lines: string[] }): boolean =>
    lines.length <= title.mostLines && lines.every((line) => widthOf(line) * size <= title.widest)
  return (
    fitted.find(fits) ?? { size: title.sizes.at(-1) ?? 1, lines: fitted.at(-1)?.lines.slice(0, title.mostLines) ?? [] }
  )
}

function drawTitle(text: string, font: TextOutlines): string {
  const { size, lines } = fitTitle(text, font)
  const step = size * title.lineHeight
  // The lines stand in the middle, a little above it.
  const first = height / 2 - ((lines.length - 1) * step) / 2 + size * 0.32
  return lines
    .map((line, n) => font.draw(line, { x: margin, y: first + n * step, size, fill: colours.ink, isBold: true }))
    .join('')
}

/** One path of all dark modules, without the quiet zone: the print's margin is white. */
function drawCode(text: string, x: number, y: number): string {
  const modules = encodeQrCode(text)
  const quiet = modules.findIndex((row) => row.includes(true))
  const side = modules.length - 2 * quiet
  const dark = modules.flatMap((row, top) =>
    row.flatMap((isDark, left) => (isDark ? [`M${left - quiet} ${top - quiet}h1v1h-1z`] : [])),
  )
  return `<path transform="translate(${x} ${y}) scale(${codeSide / side})" fill="${colours.ink}" shape-rendering="crispEdges" d="${dark.join('')}"/>`
}

function drawPrint({ codeLine, publicUrl }: PreviewContent, font: TextOutlines): string {
  const { x, y, width: side, height: tall, padding } = print
  const code = { x: x + side - padding - codeSide, y: photo.y + photo.height + 26 }
  const size = 27
  const lines = wrapText(codeLine, (code.x - photo.x - 26) / size, font.widthOf)
  const firstLine = code.y + codeSide / 2 - ((lines.length - 1) * size * 1.2) / 2 + size * 0.3
  const picture = readFileSync(join(import.meta.dirname, 'preview-photo.jpg')).toString('base64')
  return [
    `<rect x="${x}" y="${y + 14}" width="${side}" height="${tall}" rx="6" fill="#3c2a14" opacity=".26" filter="url(#soft)"/>`,
    `<rect x="${x}" y="${y}" width="${side}" height="${tall}" rx="6" fill="${colours.print}" stroke="${colours.line}"/>`,
    `<image x="${photo.x}" y="${photo.y}" width="${photo.width}" height="${photo.height}" preserveAspectRatio="xMidYMid slice" href="data:image/jpeg;base64,${picture}"/>`,
    ...lines.map((line, n) =>
      font.draw(line, { x: photo.x, y: firstLine + n * size * 1.2, size, fill: colours.ink, isBold: true }),
    ),
    drawCode(publicUrl, code.x, code.y),
  ].join('')
}

/** The preview picture of a page as SVG: its title, and a print with a QR code that leads to this site. */
export function drawPreview(content: PreviewContent): string {
  const font = openFont(content.fontPath)
  const host = new URL(content.publicUrl).host
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<defs><filter id="soft" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="22"/></filter></defs>',
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>`,
    `<g transform="translate(${margin} ${margin - 8}) scale(1.75)">${logo}</g>`,
    font.draw(productName, { x: margin + 72, y: margin + 34, size: 37, fill: colours.ink, isBold: true }),
    drawTitle(content.title, font),
    font.draw(host.slice(0, 40), { x: margin, y: height - margin + 6, size: 27, fill: colours.ink2 }),
    drawPrint(content, font),
    '</svg>',
  ].join('')
}

/** Text as outlines: the machine of the server need not have any font. */
interface TextOutlines {
  /** In units of the font size. */
  widthOf(text: string): number
  /** A group of SVG paths, with the baseline of the text at `x`, `y`. */
  draw(text: string, at: TextPlace): string
}
interface TextPlace {
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
function openFont(path: string): TextOutlines {
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
function wrapText(text: string, widest: number, widthOf: TextOutlines['widthOf']): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(longer) <= widest) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
