import { describe, expect, test } from 'vitest'
import { printed } from '../../messages/printed.ts'
import { paperOf, printFormats, type PrintContent } from './content.ts'
import { quietModules, type Rectangle, type CodeItem, type Item } from './drawing.ts'
import { codesOf, drawingOf, smallestModule } from './layout.ts'
import type { MeasureText } from './text-fit.ts'
import { wifiModules } from './wifi.ts'

const measure: MeasureText = (text, { size }) => Array.from(text).length * 0.56 * size
/** As large as such a code can be: every character of the name and the password is escaped. */
const wifi = { network: ';'.repeat(32), password: '"'.repeat(63), security: 'WPA', isHidden: true } as const
const smallCode = Array.from({ length: 21 }, (_, y) => Array.from({ length: 21 }, (__, x) => (x + y) % 2 === 0))
const content: PrintContent = {
  photo: { width: 1500, height: 1000 },
  code: smallCode,
  byEmail: false,
  logo: null,
  line: '',
  texts: [printed.en],
  wifi: null,
}
const logos = [null, { width: 400, height: 100, onInk: true }, { width: 100, height: 400, onInk: false }]
const photos = [
  { width: 1500, height: 1000 },
  { width: 1000, height: 1500 },
]
const lines = ['', 'W'.repeat(60), 'Charlotte and Maximiliaan, town hall of Aalst, in November']
const wifis = [null, { modules: wifiModules(wifi), network: wifi.network, password: wifi.password }]
const guests = [[printed.en], [printed.fr, printed.de]]

/** Combinations of what can be long, narrow or missing. */
const contents: PrintContent[] = logos.flatMap((logo, n) =>
  guests.flatMap((texts) =>
    lines.flatMap((line) =>
      wifis.map((network) => ({
        ...content,
        logo,
        photo: photos[n % 2] ?? content.photo,
        line,
        wifi: network,
        texts,
        byEmail: texts.length > 1,
      })),
    ),
  ),
)

function boxOf(item: Item): Rectangle {
  if (item.kind === 'line') throw new Error('a line is no box')
  if (item.kind !== 'text') return item
  const width = measure(item.text, item)
  const x = item.align === 'left' ? item.x : item.align === 'right' ? item.x - width : item.x - width / 2
  return { x, y: item.baseline - item.size * 0.72, width, height: item.size * 0.72 }
}
const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.x + a.width > b.x + 0.01 && b.x + b.width > a.x + 0.01 && a.y + a.height > b.y + 0.01 && b.y + b.height > a.y + 0.01

const areaOf = (item: Item): Rectangle => {
  if (item.kind !== 'line') return boxOf(item)
  const [x, y] = [Math.min(item.from[0], item.to[0]), Math.min(item.from[1], item.to[1])]
  const [right, bottom] = [Math.max(item.from[0], item.to[0]), Math.max(item.from[1], item.to[1])]
  return { x: x - 0.1, y: y - 0.1, width: right - x + 0.2, height: bottom - y + 0.2 }
}
const quietZoneOf = (code: CodeItem): Rectangle => {
  const quiet = (quietModules * code.width) / code.modules.length
  return { x: code.x - quiet, y: code.y - quiet, width: code.width + 2 * quiet, height: code.height + 2 * quiet }
}
/** What an item is, to find it in a failure. */
const nameOf = (item: Item): string => (item.kind === 'text' ? item.text : item.kind)

describe.each(printFormats)('%s', (format) => {
  const drawings = contents.map((each) => drawingOf(format, each, measure))

  test('has the size of the paper, with everything at least 5 mm from its edge', () => {
    const outside = drawings.flatMap(({ width, height, items }) =>
      items
        .filter(({ kind }) => kind !== 'line')
        .filter((item) => {
          const box = boxOf(item)
          return Math.min(box.x, box.y, width - box.x - box.width, height - box.y - box.height) < 5
        })
        .map(nameOf),
    )
    expect(outside).toEqual([])
    for (const { width, height } of drawings) expect({ width, height }).toEqual(paperOf[format])
  })

  test('leaves the quiet zone of each code white, and its modules large enough', () => {
    for (const drawing of drawings) {
      for (const code of codesOf(drawing)) {
        expect(code.width / code.modules.length).toBeGreaterThanOrEqual(smallestModule)
        const zone = quietZoneOf(code)
        expect(zone.x + zone.width).toBeLessThanOrEqual(drawing.width)
        const others = drawing.items.filter((item) => item !== code && overlap(areaOf(item), zone))
        expect(others.map(nameOf)).toEqual([])
      }
    }
  })

  test('puts no text on a picture or on another text', () => {
    const overlaps = drawings.flatMap(({ items }) => {
      const texts = items.filter(({ kind }) => kind === 'text')
      const pictures = items.filter(({ kind }) => kind === 'picture' || kind === 'symbol')
      return texts.flatMap((text, n) =>
        [...pictures, ...texts.slice(n + 1)]
          .filter((other) => overlap(boxOf(text), boxOf(other)))
          .map((other) => `${nameOf(text)} / ${nameOf(other)}`),
      )
    })
    expect(overlaps).toEqual([])
  })

  test('has no text that is too small to read', () => {
    const sizes = drawings.flatMap(({ items }) => items.flatMap((item) => (item.kind === 'text' ? [item.size] : [])))
    expect(Math.min(...sizes)).toBeGreaterThan(1.1)
  })
})

test('one card has one code or two, and a sheet has four times as many', () => {
  const numbers = printFormats.map((format) =>
    wifis.map((network) => codesOf(drawingOf(format, { ...content, wifi: network }, measure)).length),
  )
  expect(numbers).toEqual([
    [1, 2],
    [4, 8],
    [1, 2],
  ])
})
