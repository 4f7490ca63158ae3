import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Work } from './protocol.ts'
import { pixelsOf, shareARun } from './test/looking.ts'
import { hostileSvgs, plainSvg, strangeFiles } from './test/hostile-svgs.ts'
import { isRecord, sharedPool } from './test/making.ts'
import { jpeg, opened, quartered, tellingJpeg } from './test/pictures.ts'
import { names } from './test/structure.ts'

const images = sharedPool()
const draw = (work: Exclude<Work, 'photo'>, file: Buffer, logo?: Buffer) =>
  images().pool.picture({
    work,
    place: (path) => writeFile(path, file),
    ...(logo && { watermark: { place: (path) => writeFile(path, logo).then(() => true) } }),
    take: async (made) => ({ ...made, file: await readFile(made.path) }),
  })
const refusal = (work: Exclude<Work, 'photo'>, file: Buffer): Promise<{ code: string; sentence: string }> =>
  draw(work, file).then(
    () => Promise.reject(new Error('was drawn')),
    (error: { code: string; sentence: string }) => error,
  )

describe('a logo becomes a PNG', () => {
  test('of at most 1024 px, with what was transparent kept', async () => {
    const glass = await sharp({ create: { width: 3000, height: 1000, channels: 4, background: '#c008' } })
      .png()
      .toBuffer()
    const { file, ...made } = await draw('logo', glass)
    expect(made).toMatchObject({ type: 'image/png', width: 1024, height: 341 })
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 1024, height: 341, channels: 4 })
    expect(Math.abs(data[0]! - 204)).toBeLessThan(4)
    expect([...data.subarray(1, 4)]).toEqual([0, 0, 136])
  })
  test.each(['jpeg', 'webp', 'png'] as const)('from %s, no larger than it was', async (format) => {
    const { file, width, height } = await draw('logo', await opened(quartered(60, 40)).toFormat(format).toBuffer())
    expect({ width, height }).toEqual({ width: 60, height: 40 })
    expect(names(file)[0]).toBe('IHDR')
  })
  test('from a plain SVG, sharp at its full size', async () => {
    const { file, width, height } = await draw('logo', Buffer.from(plainSvg))
    expect({ width, height }).toEqual({ width: 1024, height: 512 })
    const { data } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number): number[] => [...data.subarray((y * 1024 + x) * 4, (y * 1024 + x) * 4 + 4)]
    expect(at(500, 256)).toEqual([204, 0, 0, 255])
    expect(at(520, 256)[3]).toBe(0)
  })
  test('from what drawing programs write around it', async () => {
    const text = `\ufeff<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Made by hand --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  viewBox="0 0 24 24" inkscape:export-filename="C:\\logos\\a.png"><style>.a{fill:url(#g)}</style>
  <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:li rdf:resource="http://example.com/"/></rdf:RDF></metadata>
  <defs><linearGradient id="g"><stop offset="0" stop-color="#0a0"/></linearGradient><path id="p" d="M0 0h24v24H0z"/></defs>
  <use xlink:href="#p" class="a"/><text x="2" y="9">A &amp; B</text></svg>`
    const { file, width, height } = await draw('logo', Buffer.from(text))
    expect({ width, height }).toEqual({ width: 1024, height: 1024 })
    expect([...(await sharp(file).raw().toBuffer()).subarray(-4)]).toEqual([0, 170, 0, 255])
  })
})

test('a background becomes a JPEG of at most 2560 px on white', async () => {
  const large = await sharp({ create: { width: 4000, height: 1000, channels: 4, background: '#0000' } })
    .png()
    .toBuffer()
  const { file, ...made } = await draw('background', large)
  expect(made).toMatchObject({ type: 'image/jpeg', width: 2560, height: 640 })
  expect((await pixelsOf(file)).every((value) => value > 250)).toBe(true)
})

test('neither holds a word of what was uploaded', async () => {
  const telling = tellingJpeg(await jpeg({ width: 64, height: 64 }))
  for (const work of ['logo', 'background'] as const) {
    const { file } = await draw(work, telling)
    expect(
      names(file).filter((name) => !/^(?:IHDR|IDAT|IEND|PLTE|tRNS|pHYs|e0|db|c[0-4]|da|scan|d9)$/.test(name)),
    ).toEqual([])
    const meta = await sharp(file).metadata()
    expect([meta.exif, meta.xmp, meta.iptc, meta.icc, meta.comments]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  }
})

test('what is hung on a picture does not go on', async () => {
  const trailing = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 251))
  for (const work of ['logo', 'background'] as const) {
    const { file } = await draw(work, Buffer.concat([await jpeg({ width: 64, height: 64 }), trailing]))
    expect(shareARun(file, trailing)).toBe(false)
  }
})

describe('no picture for a brand', () => {
  test.each([
    ['a text', () => Promise.resolve(Buffer.from('hello')), 'format'],
    ['a page', () => Promise.resolve(Buffer.from('<html><svg/></html>')), 'format'],
    ['an animation', () => opened(quartered(20, 20)).gif().toBuffer(), 'format'],
    [
      'half a picture',
      () =>
        opened(quartered(200, 200))
          .png()
          .toBuffer()
          .then((file) => file.subarray(0, 200)),
      'damaged',
    ],
    ['packed SVG', () => Promise.resolve(gzipSync(plainSvg)), 'format'],
    ['SVG in sixteen bits', () => Promise.resolve(strangeFiles['sixteen bits'](plainSvg)), 'format'],
  ] as const)('%s', async (_, file, code) => {
    expect(await refusal('logo', await file())).toMatchObject({ code, sentence: expect.stringMatching(/\w{3}.*\.$/) })
  })
  test('SVG is no background', async () => {
    expect(await refusal('background', Buffer.from(plainSvg))).toMatchObject({ code: 'format' })
  })
})

/** Those that are most different; the record runs them all. */
const quick = [
  'script',
  'handler of the root',
  'foreignObject',
  'javascript link, spelled',
  'image from a file',
  'image inside',
  'use elsewhere',
  'fill elsewhere, escaped',
  'style sheet in pieces',
  'entity from a file',
  'declaration elsewhere',
  'public declaration elsewhere',
  'billion laughs',
  'huge size in inches',
  'words after the end',
  'nested for ever',
]

describe('a hostile SVG is refused with a sentence, and fetches nothing', () => {
  const all = Object.keys(hostileSvgs('http://x'))
  test('there are sixty and more of them', () => expect(all.length).toBeGreaterThanOrEqual(60))
  test.each(isRecord ? all : quick)('%s', async (name) => {
    let hits = 0
    const listener = createServer((_, answer) => (hits++, answer.end())).listen(0, '127.0.0.1')
    onTestFinished(() => void listener.close())
    await new Promise((resolve) => listener.once('listening', resolve))
    const { port } = listener.address() as AddressInfo // listening on a port
    const file = Buffer.from(hostileSvgs(`http://127.0.0.1:${port}`)[name]!)
    const { code, sentence } = await refusal('logo', file)
    // Some do not even look like one.
    expect(['active', 'drawing', 'format']).toContain(code)
    expect(sentence).toMatch(code === 'format' ? /not a photo/ : /SVG/)
    expect(hits).toBe(0)
  })
  test('and the process goes on with photos, without the gift of drawing', async () => {
    expect((await images().make(await jpeg())).made.full.kept).toBe(true)
    expect(await images().failure(Buffer.from(plainSvg))).toMatchObject({ kind: 'refused' })
  })
})

describe('a photo that is ready is given a logo', () => {
  const white = () =>
    opened({ width: 200, height: 100, data: Buffer.alloc(200 * 100 * 3, 255) })
      .png()
      .toBuffer()
  const black = (width: number, height: number) => opened({ width, height, data: Buffer.alloc(width * height * 3) })

  test('at the bottom right, at 70 %', async () => {
    const { file, ...made } = await draw('marked', await black(1000, 600).jpeg().toBuffer(), await white())
    expect(made).toMatchObject({ type: 'image/jpeg', width: 1000, height: 600 })
    const shown = await pixelsOf(file)
    expect(shown[((600 - 45) * 1000 + 1000 - 72) * 3]).toBeGreaterThan(170)
    expect(shown[(300 * 1000 + 500) * 3]).toBeLessThan(12)
  })
  test('and a preview shows it as it would be, small enough for a screen', async () => {
    const { file, ...made } = await draw('preview', await black(2560, 800).jpeg().toBuffer(), await white())
    expect(made).toMatchObject({ type: 'image/jpeg', width: 1280, height: 400 })
    const shown = await pixelsOf(file)
    const at = (x: number, y: number): number => shown[(y * 1280 + x) * 3]!
    // 72 by 36 pixels, 12 from both edges.
    expect(at(1280 - 12 - 36, 400 - 12 - 18)).toBeGreaterThan(170)
    expect(at(1280 - 12 - 72 - 8, 400 - 30)).toBeLessThan(12)
    expect(at(1280 - 5, 400 - 5)).toBeLessThan(12)
  })
  test('but not one under 400 px', async () => {
    const { file } = await draw('preview', await black(640, 399).jpeg().toBuffer(), await white())
    expect((await pixelsOf(file)).every((value) => value < 12)).toBe(true)
  })
})

test('a photo made with a logo comes without it as well, bit for bit as it would have been', async () => {
  const photo = await jpeg({ width: 800, height: 600 })
  const plain = await images().make(photo)
  const marked = await images().make(photo, { logo: await opened(quartered(40, 40)).png().toBuffer() })
  expect(marked.plain).toEqual(plain.full)
  expect(marked.full.equals(plain.full)).toBe(false)
  expect(plain.plain).toBeNull()
})
