import { productName } from '@keepsnap/contract/site.ts'
import type { PrintedTexts } from '../../messages/printed.ts'
import {
  type FilledItem,
  fitCode,
  inks,
  type Item,
  type Modules,
  type PictureItem,
  type Rectangle,
  type Shape,
  type TextItem,
} from './drawing.ts'
import { type Block, fitColumn, type MeasureText } from './sheet-text.ts'

export const printFormats = ['card', 'four', 'poster'] as const
export type PrintFormat = (typeof printFormats)[number]

/** The paper of each format, in millimetres. */
export const paperOf = {
  card: { width: 105, height: 148 },
  four: { width: 210, height: 297 },
  poster: { width: 210, height: 297 },
} as const satisfies Record<PrintFormat, Shape>

/** Everything that one print shows. */
export interface PrintContent {
  photo: Shape
  /** The code of the photo. */
  code: Modules
  /** Whether the code leads to the request page. */
  byEmail: boolean
  /** The owner's logo, and whether it is too light for paper. */
  logo: (Shape & { onInk: boolean }) | null
  /** The owner's line; empty without one. */
  line: string
  /** The languages of the guests, one or two. */
  texts: readonly PrintedTexts[]
  wifi: { modules: Modules; network: string; password: string } | null
}

/** The tracking of headlines, in em. */
const tight = -0.03

export const taglineOf = (text: PrintedTexts, byEmail: boolean): string => (byEmail ? text.byEmail : text.noApp)

/** The headline in the first language, large, and in the second below it. */
export function headlines({ texts, byEmail }: PrintContent, size: number, smaller: number): Block[] {
  return texts.map((text, n) => ({
    text: byEmail ? text.get : text.keep,
    language: text.language,
    size: n === 0 ? size : smaller,
    weight: n === 0 ? 680 : 540,
    tracking: n === 0 ? tight : tight / 2,
    leading: n === 0 ? 1.03 : 1.15,
    gap: size * 0.26,
    colour: n === 0 ? inks.ink : inks.second,
  }))
}

/** The owner's logo as large as its place, at the left; light ones on a dark ground. */
export function fitLogo({ logo }: PrintContent, place: Rectangle, align: 'top' | 'bottom'): Item[] {
  if (!logo) return []
  const padding = logo.onInk ? place.height * 0.12 : 0
  const scale = Math.min((place.width - 2 * padding) / logo.width, (place.height - 2 * padding) / logo.height)
  const [width, height] = [logo.width * scale, logo.height * scale]
  const y = align === 'top' ? place.y : place.y + place.height - height - 2 * padding
  const ground: FilledItem = {
    kind: 'filled',
    x: place.x,
    y,
    width: width + 2 * padding,
    height: height + 2 * padding,
    colour: inks.ink,
    radius: padding,
  }
  const picture: PictureItem = {
    kind: 'picture',
    name: 'logo',
    x: place.x + padding,
    y: y + padding,
    width,
    height,
    part: { x: 0, y: 0, width: 1, height: 1 },
    radius: 0,
    ground: logo.onInk ? inks.ink : inks.paper,
  }
  return logo.onInk ? [ground, picture] : [picture]
}

/** Symbol and name of the product, with the bottom right corner of the name. */
export function productMark(right: number, baseline: number, size: number): (measure: MeasureText) => Item[] {
  return (measure) => {
    const style = { size, weight: 680, tracking: -0.02 } as const
    const side = size * 1.35
    const x = right - measure(productName, style) - side - size * 0.38
    return [
      { kind: 'symbol', x, y: baseline - size * 0.36 - side / 2, width: side, height: side },
      {
        kind: 'text',
        text: productName,
        ...style,
        x: right,
        baseline,
        align: 'right',
        colour: inks.ink,
      },
    ]
  }
}

/** A number in a dark circle. */
export function numberedCircle(circle: { x: number; y: number; side: number }, text: string): Item[] {
  const { x, y, side } = circle
  const size = side * 0.6
  const digit: TextItem = {
    kind: 'text',
    text,
    size,
    weight: 640,
    x: x + side / 2,
    baseline: y + side / 2 + size * 0.355,
    align: 'middle',
    colour: inks.paper,
  }
  return [{ kind: 'filled', x, y, width: side, height: side, colour: inks.ink, radius: side / 2 }, digit]
}

interface TwoCodes {
  /** The left edges of the two columns. */
  columns: readonly [number, number]
  columnWidth: number
  y: number
  side: number
  white: number
  /** Of the lines below the codes. */
  size: number
  captionHeight: number
}
/** One word in each language, the first larger. */
const titles = (texts: readonly PrintedTexts[], name: 'join' | 'scan', size: number): Block[] =>
  texts.map((text, n) => ({
    text: text[name],
    language: text.language,
    size: n === 0 ? size * 1.46 : size * 1.1,
    weight: n === 0 ? 640 : 540,
    tracking: -0.015,
    leading: 1.16,
    gap: 0.1 * size,
    colour: n === 0 ? inks.ink : inks.second,
  }))

/** Below the code of the network its name and password, below that of the photo a tagline such as "No app". */
function captionsOf({ wifi, texts, byEmail }: PrintContent, size: number): Block[][] {
  const small = { size, weight: 420, leading: 1.32, colour: inks.second } as const
  const network: Block[] = [
    { ...small, text: wifi?.network ?? '', gap: size * 0.35 },
    { ...small, text: wifi?.password ?? '', colour: inks.ink, isMono: true, gap: 0 },
  ]
  const promises = texts.map((text, n): Block => ({
    ...small,
    text: taglineOf(text, byEmail),
    language: text.language,
    gap: n === 0 ? size * 0.35 : 0,
  }))
  return [
    [...titles(texts, 'join', size), ...network],
    [...titles(texts, 'scan', size), ...promises],
  ]
}

/** "1. Join, 2. Scan": the code of the Wi-Fi network beside that of the photo, each with its caption below. `bottom`: of the captions. */
export function twoCodes(content: PrintContent, measure: MeasureText, place: TwoCodes) {
  const { wifi, code } = content
  const { columns, columnWidth, y, side, white, size, captionHeight } = place
  if (!wifi) throw new Error('a print without a Wi-Fi network has one code')
  const codes = [wifi.modules, code].map((modules, n) => fitCode({ x: columns[n] ?? 0, y, side, white }, modules))
  const top = y + Math.max(...codes.map(({ height }) => height)) + white
  const circle = size * 1.62
  const indent = circle + size * 0.7
  const captions = captionsOf(content, size).map((blocks, n) => {
    const column = { x: (columns[n] ?? 0) + indent, y: top, width: columnWidth - indent, height: captionHeight }
    return fitColumn(blocks, column, measure)
  })
  return {
    items: [
      ...codes,
      ...columns.flatMap((x, n) => numberedCircle({ x, y: top, side: circle }, String(n + 1))),
      ...captions.flatMap(({ items }) => items),
    ],
    bottom: top + Math.max(...captions.map(({ height }) => height)),
  }
}
