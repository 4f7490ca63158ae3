import { describe, expect, test } from 'vitest'
import { hostileSvgs, plainSvg } from '../test/hostile-svgs.ts'
import { checkSvg, isSvg } from './svg.ts'

const check = (text: string): void => checkSvg(Buffer.from(text))
const svg = (inside: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" ${attributes}>${inside}</svg>`

test('a plain drawing is accepted', () => check(plainSvg))

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', true],
  ['\ufeff <?xml version="1.0"?>\n<!-- made by hand --><svg>', true],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg >', true],
  ['<!doctype svg [<!ENTITY a "b">]><SVG\n', true],
  ['<s:svg xmlns:s="http://www.w3.org/2000/svg">', true],
  ...['', 'svg', '<html><svg/></html>', '<svgx>', 'text <svg>', '<!-- <svg> -->', '\x89PNG\r\n'].map(
    (text) => [text, false] as const,
  ),
] as const)('%j starts like an SVG: %s', (text, isOne) => expect(isSvg(Buffer.from(text))).toBe(isOne))

describe('what drawing programs write is accepted', () => {
  test.each([
    ['a declaration, a comment and a document type', `\ufeff<?xml version="1.0"?><!-- x --><!DOCTYPE svg>${svg('')}`],
    ['a style sheet', svg('<style>.a{fill:url(#g)}</style><rect class="a"/>')],
    ['references to parts of the file', svg('<path id="p" d="M0 0"/><use href="#p"/>')],
    ['character references', svg('<text>A &amp; B &#x41;</text>')],
    ['names that look like URLs', svg('', 'xmlns:x="http://example.com/"')],
    ['a tag with `>` in a quoted value', svg('<text data-x="a > b"/>')],
  ])('%s', (_, text) => check(text))
})

describe('a hostile drawing is refused', () => {
  // Only rendering shows how large this one is.
  const { 'huge size in inches': _, ...hostile } = hostileSvgs('http://127.0.0.1:9')
  const startsLikeSvg = Object.entries(hostile).filter(([, text]) => isSvg(Buffer.from(text)))
  test.each(startsLikeSvg)('%s', (_, text) => {
    expect(() => check(text)).toThrow(/^(active|drawing)$/)
  })
})

describe('a drawing is refused as broken', () => {
  test.each([
    ['an element that is not closed', svg('<g>')],
    ['an end tag without an element', svg('</g></g>')],
    ['a tag that does not end', '<svg viewBox="0 0 9 9"'],
    ['an attribute without quotes', svg('<rect width=9/>')],
    ['a reference without a semicolon', svg('<text>&amp</text>')],
    ['control characters', svg('\x01')],
    ['another root element', '<html/>'],
    ['nothing', ''],
  ])('%s', (_, text) => expect(() => check(text)).toThrow('drawing'))
  test('text that is not UTF-8', () => {
    expect(() => checkSvg(Buffer.concat([Buffer.from(svg('')), Buffer.from([0xff])]))).toThrow('drawing')
  })
})
