/** Colours on paper, which is white in every theme: the tokens `--print*` of web/styles/tokens.css. */
export const inks = { paper: '#ffffff', ink: '#1c1a17', second: '#6a6156', accent: '#c8401a', cut: '#857a6b' } as const
type Ink = (typeof inks)[keyof typeof inks]

export interface TextStyle {
  /** Of the em, in millimetres. */
  size: number
  weight: 420 | 540 | 640 | 680
  /** A font with characters that cannot be confused, for passwords. */
  isMono?: boolean
  /** The space between characters, in em. Only for our own texts: it would tear the text of some scripts apart. */
  tracking?: number
}

/** One line of text; `x` is its left edge, its middle or its right edge. */
export interface TextItem extends TextStyle {
  kind: 'text'
  text: string
  x: number
  baseline: number
  align: 'left' | 'middle' | 'right'
  colour: Ink
  language?: string
}

/** Width and height of a picture, in any unit. */
export interface Shape {
  width: number
  height: number
}

/** A rectangle in millimetres. */
export interface Rectangle extends Shape {
  x: number
  y: number
}

export type PictureName = 'photo' | 'logo'
export interface PictureItem extends Rectangle {
  kind: 'picture'
  name: PictureName
  /** The part of the picture that is shown, as fractions of it. */
  part: Rectangle
  /** Of its corners. */
  radius: number
  /** The colour behind it. */
  ground: Ink
}

/** The modules of a QR code without its quiet zone; true is dark. */
export type Modules = readonly (readonly boolean[])[]
/** A QR code; the box is without the quiet zone, which stays white. */
export interface CodeItem extends Rectangle {
  kind: 'code'
  modules: Modules
}

export interface LineItem {
  kind: 'line'
  from: readonly [x: number, y: number]
  to: readonly [x: number, y: number]
}
export interface FilledItem extends Rectangle {
  kind: 'filled'
  colour: Ink
  /** Of its corners; half its side makes a circle. */
  radius: number
}
/** The symbol of the product. */
interface SymbolItem extends Rectangle {
  kind: 'symbol'
}

export type Item = TextItem | PictureItem | CodeItem | LineItem | FilledItem | SymbolItem

/** One side of paper. Lengths are millimetres from its top left corner. Preview, print and PDF draw the same items. */
export interface Drawing extends Shape {
  items: readonly Item[]
}

/** The same item elsewhere. */
export function movedBy(item: Item, dx: number, dy: number): Item {
  if (item.kind === 'text') return { ...item, x: item.x + dx, baseline: item.baseline + dy }
  if (item.kind === 'line') {
    const [[fromX, fromY], [toX, toY]] = [item.from, item.to]
    return { ...item, from: [fromX + dx, fromY + dy], to: [toX + dx, toY + dy] }
  }
  return { ...item, x: item.x + dx, y: item.y + dy }
}

/**
 * Fits the photo into a rectangle: crops it to fill the rectangle, but crops at most this share of it, so that nobody
 * is cut off; then it is narrower or lower, and centred. More is cropped at the bottom, because heads are near the top.
 */
export function fitPhoto(place: Rectangle, photo: Shape, mostCutOff: number): PictureItem {
  const ratio = photo.width / photo.height
  const shown = Math.min(Math.max(place.width / place.height, ratio * (1 - mostCutOff)), ratio / (1 - mostCutOff))
  const width = Math.min(place.width, place.height * shown)
  const height = width / shown
  const part = { width: Math.min(1, shown / ratio), height: Math.min(1, ratio / shown) }
  return {
    kind: 'picture',
    name: 'photo',
    x: place.x + (place.width - width) / 2,
    y: place.y + (place.height - height) / 2,
    width,
    height,
    part: { ...part, x: (1 - part.width) / 2, y: (1 - part.height) * 0.42 },
    radius: 1,
    ground: inks.paper,
  }
}

/** Modules of the quiet zone on each side. */
export const quietModules = 4

interface CodePlace {
  x: number
  y: number
  /** The largest side without the quiet zone. */
  side: number
  /** How much white there is around it, for the quiet zone. */
  white: number
  /** The edge to align to when the code is smaller than its place. */
  align?: 'left' | 'right'
}

/** A code as large as its place and the white around it allow. */
export function fitCode({ x, y, side, white, align = 'left' }: CodePlace, modules: Modules): CodeItem {
  const module = Math.min(side / modules.length, white / quietModules)
  const actual = module * modules.length
  return { kind: 'code', modules, x: align === 'left' ? x : x + side - actual, y, width: actual, height: actual }
}

/** The picture that server/lib/qr-codes.ts draws, and nothing else: one user unit is one module. */
const codeSvg =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d{2,3}) \1" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\1v\1H0z"\/><path fill="#[\da-f]{6}" d="((?:M\d{1,3} \d{1,3}h\d{1,3}v1H\d{1,3}z)+)"\/><\/svg>$/
/** Version 40 with its quiet zone. */
const largestSide = 177 + 2 * quietModules

/** The modules of a code of the server, without the quiet zone. Throws when it is anything else than such a code. */
export function modulesOfSvg(svg: string): Modules {
  const [, side, path] = codeSvg.exec(svg) ?? []
  if (side === undefined || path === undefined || Number(side) > largestSide) throw new Error('not a QR code of ours')
  const size = Number(side) - 2 * quietModules
  const modules = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const run of path.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)) {
    const [x = 0, y = 0, length = 0, back] = run.slice(1).map(Number)
    const row = modules[y - quietModules]
    const start = x - quietModules
    if (!row || back !== x || length === 0 || start < 0 || start + length > size)
      throw new Error('a QR code with something outside of its modules')
    row.fill(true, start, start + length)
  }
  return modules
}

/** Dark modules beside each other as runs, row by row; in modules. */
export const runsOf = (modules: Modules) =>
  modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return []
      const end = row.findIndex((later, at) => at > x && !later)
      return { x, y, length: (end < 0 ? row.length : end) - x }
    }),
  )

/** The product's symbol as in web/ui/Logo.tsx: its side, and its ring. */
export const symbolSide = 32
export const symbolRing =
  'M11 2h10a9 9 0 0 1 9 9v10a9 9 0 0 1-9 9H11a9 9 0 0 1-9-9V11a9 9 0 0 1 9-9Zm.5 4A5.5 5.5 0 0 0 6 11.5v9a5.5 5.5 0 0 0 5.5 5.5h9a5.5 5.5 0 0 0 5.5-5.5v-9A5.5 5.5 0 0 0 20.5 6Z'
