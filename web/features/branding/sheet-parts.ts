import { productName } from '@keepsnap/contract/site.ts'
import type { PrintedTexts } from '../../messages/printed.ts'
import {
  type FilledItem,
  fitCode,
  fitPhoto,
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
  /** The photo, or what stands in its place: the name of an event, and that of a table if the code is the table's. */
  photo: Shape | { event: string; table: string }
  /** The code of the photo or the event. */
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

/** The photo, or in its place the name of the event on a dark ground. `focus`: which part of the photo's height matters. */
export function fitPicture(
  { photo }: PrintContent,
  place: Rectangle,
  { focus, measure }: { focus: number; measure: MeasureText },
): Item[] {
  if (!('event' in photo)) return [fitPhoto(place, photo, focus)]
  const ground: FilledItem = { kind: 'filled', ...place, colour: inks.ink, radius: place.height * 0.03 }
  const padding = Math.min(place.width, place.height) * 0.12
  const size = Math.min(place.width * 0.16, place.height * 0.34)
  const names: Block[] = [
    { text: photo.event, size, weight: 680, tracking: tight, leading: 1.05, gap: size * 0.3, colour: inks.paper },
    { text: photo.table, size: size * 0.6, weight: 540, leading: 1.1, gap: 0, colour: inks.paper },
  ]
  const column = {
    x: place.x + padding,
    y: place.y + padding,
    width: place.width - 2 * padding,
    height: place.height - 2 * padding,
    isCentred: true,
  }
  return [ground, ...fitColumn(names, column, measure).items]
}

const isOfEvent = ({ photo }: Pick<PrintContent, 'photo'>): boolean => 'event' in photo

/** How to get there, in three steps. */
export function stepsOf({ steps, gallery }: PrintedTexts, content: PrintContent): readonly string[] {
  if (isOfEvent(content)) return [...steps.keep.slice(0, 2), gallery.see]
  return content.byEmail ? steps.get : steps.keep
}

/** The headline in the first language, large, and in the second below it. */
export function headlines(content: PrintContent, size: number, smaller: number): Block[] {
  return content.texts.map((text, n) => ({
    text: isOfEvent(content) ? text.gallery.scan : content.byEmail ? text.get : text.keep,
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
