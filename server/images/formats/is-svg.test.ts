import { expect, test } from 'vitest'
import { isSvg } from './is-svg.ts'

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '\ufeff <?xml version="1.0"?>\n<!-- made by hand --><svg>',
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg >',
  '<!doctype svg [<!ENTITY a "b">]><SVG\n',
  '<s:svg xmlns:s="http://www.w3.org/2000/svg">',
])('%j starts like an SVG', (text) => expect(isSvg(Buffer.from(text))).toBe(true))

test.each(['', 'svg', '<html><svg/></html>', '<svgx>', 'text <svg>', '<!-- <svg> -->', '\x89PNG\r\n'])(
  '%j does not',
  (text) => expect(isSvg(Buffer.from(text))).toBe(false),
)
