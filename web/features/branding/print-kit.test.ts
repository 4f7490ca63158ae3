import { describe, expect, test } from 'vitest'
import { printed } from '../../messages/printed.ts'
import { paperOf, type PrintContent, printFormats } from './sheet-parts.ts'
import { type CodeItem, type Item, type Modules, modulesOfSvg, quietModules, type Rectangle } from './drawing.ts'
import { codesOf, drawingOf, smallestModule } from './sheet-layout.ts'
import {
  balancedLines,
  type Block,
  createHasGlyph,
  drawnText,
  fitColumn,
  graphemesOf,
  type HasGlyph,
  type MeasureText,
  printableLine,
} from './sheet-text.ts'
import { emptyWifi, type Wifi, wifiModules, wifiProblems, wifiText } from './wifi.ts'
import { pdfFilename } from './PrintKit.tsx'
import { _maskBits } from 'qr'
import { decodeQR } from 'qr/decode.js'
import { encodeQrCode, qrCodeSvg } from '../../../server/lib/qr-codes.ts'

describe('the layout', () => {
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
  contents.push(
    ...guests.flatMap((texts) =>
      wifis.map((network) => ({
        ...content,
        photo: { event: 'Charlotte and Maximiliaan, town hall of Aalst, in November', table: 'Table 7' },
        line: lines[2] ?? '',
        wifi: network,
        texts,
      })),
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
    a.x + a.width > b.x + 0.01 &&
    b.x + b.width > a.x + 0.01 &&
    a.y + a.height > b.y + 0.01 &&
    b.y + b.height > a.y + 0.01

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

  test('a card of an event names it and the table, and says that the code shows all photos', () => {
    const photo = { event: 'Lotte & Bram', table: 'Table 7' }
    for (const format of printFormats) {
      const { items } = drawingOf(format, { ...content, photo }, measure)
      const said = items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])).join(' ')
      for (const part of ['Lotte & Bram', 'Table 7', 'Scan to see all photos']) expect(said).toContain(part)
      expect(items.some(({ kind }) => kind === 'picture')).toBe(false)
    }
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
})

describe('texts', () => {
  const widthOf = (text: string): number => graphemesOf(text).length
  const measure: MeasureText = (text, { size }) => widthOf(text) * size
  const block = (text: string): Block => ({ text, size: 2, weight: 420, leading: 1, gap: 1 })

  describe('lines', () => {
    test('are as few as possible and about as long as each other', () => {
      expect(balancedLines('aa bb cc dd', 9, widthOf).lines).toEqual(['aa bb', 'cc dd'])
    })
    test('of words that are too long are broken between characters, never inside of one', () => {
      const family = '👨‍👩‍👧‍👦'
      const { lines, hasBrokenWord } = balancedLines(family.repeat(5), 2, widthOf)
      expect(lines).toEqual([family.repeat(2), family.repeat(2), family])
      expect(hasBrokenWord).toBe(true)
    })
    test('of Chinese and Japanese end between characters, never before a full stop or after an opening bracket', () => {
      expect(balancedLines('佐藤花子と鈴木、太郎', 6, widthOf)).toEqual({
        lines: ['佐藤花子と', '鈴木、太郎'],
        hasBrokenWord: false,
      })
      expect(balancedLines('東京の花園。写真', 5, widthOf).lines).toEqual(['東京の花', '園。写真'])
      expect(balancedLines('花園「東京」', 3, widthOf).lines).toEqual(['花園', '「東', '京」'])
      expect(balancedLines('Lotte 花 Bram', 7, widthOf).lines).toEqual(['Lotte', '花 Bram'])
    })
    test('of an empty text are none', () => {
      expect(balancedLines('   ', 5, widthOf).lines).toEqual([])
    })
  })

  describe('a column', () => {
    const column = { x: 10, y: 20, width: 20, height: 10 }
    test('is as large as it may be', () => {
      const { items, height } = fitColumn([block('aaaa'), block(''), block('bbbb')], column, measure)
      expect(items.map(({ text, size, x }) => [text, size, x])).toEqual([
        ['aaaa', 2, 10],
        ['bbbb', 2, 10],
      ])
      expect(height).toBe(5)
    })
    test('becomes smaller as a whole until it fits', () => {
      const { items, height } = fitColumn(
        [block('aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj'), block('k')],
        column,
        measure,
      )
      expect(height).toBeLessThanOrEqual(column.height)
      expect(new Set(items.map(({ size }) => size)).size).toBe(1)
      expect(items[0]?.size).toBeLessThan(2)
    })
  })

  describe('the line of the owner', () => {
    test('has 60 characters as people count them', () => {
      const family = '👨‍👩‍👧‍👦'
      expect(graphemesOf(printableLine(family.repeat(80)))).toHaveLength(60)
      expect(graphemesOf(printableLine('é'.normalize('NFD').repeat(70)))).toHaveLength(60)
      expect(printableLine('x'.repeat(1_000_000))).toBe('x'.repeat(60))
    })
    test('has no line breaks, control characters or overrides of its direction', () => {
      expect(printableLine('Lotte\n& \u202eBram\u0000')).toBe('Lotte &  Bram ')
    })
    test('is limited despite endless combining marks', () => {
      expect(printableLine(`a${'\u0301'.repeat(5_000)}`).length).toBeLessThanOrEqual(900)
    })
  })

  test.each([
    ['IMG_4374.jpg', 'keepsnap-card-IMG_4374.pdf'],
    ['a/b\\c: "d".HEIC', 'keepsnap-card-a-b-c-d-.pdf'],
    ['x'.repeat(300), `keepsnap-card-${'x'.repeat(60)}.pdf`],
  ])('the file of %s', (photo, file) => {
    expect(pdfFilename('card', photo)).toBe(file)
  })
})

const home: Wifi = { ...emptyWifi, network: 'Home', password: 'correct horse' }

test.each<[string, Partial<Wifi>, string]>([
  ['a usual network', {}, 'WIFI:T:WPA;S:Home;P:correct horse;;'],
  ['a hidden one', { isHidden: true }, 'WIFI:T:WPA;S:Home;P:correct horse;H:true;;'],
  ['an old one', { security: 'WEP', password: 'abcde' }, 'WIFI:T:WEP;S:Home;P:abcde;;'],
  ['one without password, whatever was typed', { security: 'nopass' }, 'WIFI:T:nopass;S:Home;;'],
  ['characters with a meaning', { network: String.raw`\;,:"` }, String.raw`WIFI:T:WPA;S:\\\;\,\:\";P:correct horse;;`],
  ['spaces, signs and all scripts', { network: " Zaal 'é' 你好 " }, "WIFI:T:WPA;S: Zaal 'é' 你好 ;P:correct horse;;"],
])('the code of %s', (_, changes, text) => {
  expect(wifiText({ ...home, ...changes })).toBe(text)
})

test.each<[string, Partial<Wifi>, object]>([
  ['complete', {}, {}],
  ['nothing', { network: '', password: '' }, { network: 'missing', password: 'missing' }],
  ['a name of 32 bytes', { network: 'é'.repeat(16) }, {}],
  ['a name of 33 bytes', { network: `${'é'.repeat(16)}x` }, { network: 'long' }],
  ['a password of 7 characters', { password: '1234567' }, { password: 'wpa' }],
  ['a password of 63 characters', { password: 'x'.repeat(63) }, {}],
  ['a password of 64 characters', { password: 'x'.repeat(64) }, { password: 'wpa' }],
  ['a key in hexadecimal', { password: 'a0'.repeat(32) }, {}],
  ['a password with an accent', { password: 'motdepassé' }, { password: 'wpa' }],
  ['a WEP key of a wrong length', { security: 'WEP', password: 'abcdef' }, { password: 'wep' }],
  ['no password where none is needed', { security: 'nopass', password: '' }, {}],
])('what is wrong with %s', (_, changes, problems) => {
  expect(wifiProblems({ ...home, ...changes })).toEqual(problems)
})

test('the modules are those of a code without its quiet zone', () => {
  const modules = wifiModules({ ...home, network: 'Café "Ter Worm"' })
  const [size, scale, border] = [modules.length, 4, 4]
  expect(size % 4).toBe(1)
  expect(modules[0]?.slice(0, 8)).toEqual([true, true, true, true, true, true, true, false])
  const side = (size + 2 * border) * scale
  const data = new Uint8Array(side * side * 3).fill(255)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (modules[Math.floor(y / scale) - border]?.[Math.floor(x / scale) - border])
        data.fill(0, (y * side + x) * 3, (y * side + x) * 3 + 3)
  expect(decodeQR({ width: side, height: side, data })).toBe(
    String.raw`WIFI:T:WPA;S:Café \"Ter Worm\";P:correct horse;;`,
  )
})

/** The first bits of the data: they are in the two columns on the right, from the bottom up. */
function firstBits(modules: Modules, count: number): string {
  const bit = (x: number, y: number): number => Number(modules[y]?.[x])
  const mask = ((bit(2, 8) ^ 1) << 2) | (bit(3, 8) << 1) | (bit(4, 8) ^ 1)
  return Array.from({ length: count }, (_, nth) => {
    const [x, y] = [modules.length - 1 - (nth % 2), modules.length - 1 - (nth >> 1)]
    return bit(x, y) ^ ((_maskBits(x, y) >> mask) & 1)
  }).join('')
}

test('a code says that its text is UTF-8 when it is not ASCII', () => {
  // ECI 26, which some readers need to show the name of the network.
  expect(firstBits(wifiModules({ ...home, network: 'Müller' }), 16)).toBe('0111000110100100')
  expect(firstBits(wifiModules({ ...home, network: 'Mueller' }), 4)).toBe('0100')
})

/** A device with the fonts of Western Europe and some emojis. */
const others = new Set(['\u{fe0f}', '\u{200d}', '❤', '👩', '👧'])
const hasGlyph: HasGlyph = (codePoint) => others.has(codePoint) || /^[\p{Script=Latin}\p{M}\d\s&.]$/u.test(codePoint)

test.each([
  ['all of it', 'Lotte & Bram ❤️', 'Lotte & Bram ❤️', []],
  ['a text without its party poppers', 'Lotte 🎉🎉 & Bram 🎉', 'Lotte & Bram', ['🎉']],
  ['a family of which somebody is missing', '👩‍👧 and 👩‍👦', '👩‍👧 and', ['👩‍👦']],
  ['a vowel with a mark', 'e\u{301}té', 'e\u{301}té', []],
  ['nothing', '漢字', '', ['漢', '字']],
])('what can be drawn is %s', (_, text, drawn, missing) => {
  expect(drawnText(text, hasGlyph)).toEqual({ text: drawn, missing })
})

test('everything counts as drawn where there is no canvas', () => {
  expect(createHasGlyph()('🎉')).toBe(true)
})

const text = 'https://keepsnap.example/d/QUiDlcdnyH2RTAmc6OQEKk'
const svg = qrCodeSvg(encodeQrCode(text))

test('a code of the server is read module by module', () => {
  const withQuietZone = encodeQrCode(text)
  expect(modulesOfSvg(svg)).toEqual(withQuietZone.slice(4, -4).map((row) => row.slice(4, -4)))
})

test.each([
  ['nothing', ''],
  ['a page', '<!doctype html><p>Sign in</p>'],
  ['a script', svg.replace('<path', '<script>alert(1)</script><path')],
  ['more after it', `${svg}<svg/>`],
  ['another shape', svg.replace('v1H', 'v2H')],
  ['a module in the quiet zone', svg.replace(/d="M\d+ \d+h7v1H\d+z/, 'd="M3 4h7v1H3z')],
  ['a module outside', svg.replace(/d="M\d+ \d+h7v1H\d+z/, 'd="M900 4h7v1H900z')],
  ['an empty run', svg.replace(/d="M4 4h7v1H4z/, 'd="M4 4h0v1H4z')],
  ['one that is too large', svg.replaceAll(/\b(viewBox="0 0 )\d+ \d+/g, '$1900 900')],
])('refuses %s', (_, other) => {
  expect(other).not.toBe(svg)
  expect(() => modulesOfSvg(other)).toThrow()
})
