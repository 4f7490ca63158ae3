import { refuseFile } from '../protocol.ts'

/** Far more than a logo needs. */
export const maxSvgBytes = 2 * 1024 * 1024

const maxSvgElements = 50_000
const maxSvgDepth = 200
/** User units of the drawing area. */
const maxSvgSide = 20_000

/** Elements that a still drawing does not need, by their local names. */
const forbiddenElements = new Set(
  `script foreignobject image feimage iframe object embed audio video canvas html body link include
  set animate animatecolor animatemotion animatetransform discard mpath handler listener`.split(/\s+/),
)
/** Attributes that may contain a reference. */
const referenceAttributes = new Set([
  'href',
  'src',
  'data',
  'action',
  'formaction',
  'base',
  'from',
  'to',
  'values',
  'srcset',
])

/** The document type that old drawing programs write. */
const standardDoctype =
  /^<!doctype\s+(?:\w+:)?svg(?:\s+public\s+(["'])-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN\1\s+(["'])https?:\/\/www\.w3\.org\/[\w./-]+\2)?\s*>$/i

const refuseActiveSvg = (): never => refuseFile('active')
const refuseBrokenSvg = (): never => refuseFile('drawing')

/**
 * Refuses an SVG that is more than a still drawing, before anything renders it: scripts and event handlers, foreign
 * elements, references to anything outside of the file, entities, external style sheets, absurd sizes. The whole file is
 * parsed strictly: a renderer never sees what this parser does not understand.
 */
export function checkSvg(file: Uint8Array): void {
  const text = decodeSvgText(file)
  let at = 0
  let depth = 0
  let elements = 0
  // Comments and CDATA sections may divide one text into several pieces.
  let textContent = ''
  while (at < text.length) {
    const open = text.indexOf('<', at)
    textContent += decodeReferences(text.slice(at, open < 0 ? text.length : open))
    if (open < 0) break
    const markup = parseNonElement(text, open)
    at = markup?.end ?? findTagEnd(text, open)
    textContent += markup?.content ?? ''
    if (markup) continue
    checkCss(textContent)
    textContent = ''
    const tag = text.slice(open + 1, at - 1)
    if (tag.startsWith('/')) depth--
    else {
      if (++elements > maxSvgElements) refuseBrokenSvg()
      if (!checkSvgTag(tag, elements === 1).isEmpty && ++depth > maxSvgDepth) refuseBrokenSvg()
    }
  }
  if (elements === 0 || depth !== 0) refuseBrokenSvg()
}

/** Accepts only encodings that every reader decodes to the same text. */
function decodeSvgText(file: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return refuseBrokenSvg()
  }
  // oxlint-disable-next-line no-control-regex -- control characters are refused
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(text)) refuseBrokenSvg()
  const encoding = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/i.exec(text.slice(0, 500))?.[1]
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding)) refuseBrokenSvg()
  return text
}

/** A comment, declaration, instruction or CDATA section at `open`: its end and its text. Null for a tag. */
function parseNonElement(text: string, open: number): { end: number; content: string } | null {
  const endOf = (terminator: string, from: number): number => {
    const end = text.indexOf(terminator, from)
    return end < 0 ? refuseBrokenSvg() : end + terminator.length
  }
  if (text.startsWith('<!--', open)) return { end: endOf('-->', open + 4), content: '' }
  if (text.startsWith('<![CDATA[', open)) {
    const end = endOf(']]>', open + 9)
    return { end, content: text.slice(open + 9, end - 3) }
  }
  if (text.startsWith('<?', open)) {
    // Most likely an external style sheet.
    if (!/^<\?(?:xml|xpacket)\s/i.test(text.slice(open, open + 10))) refuseActiveSvg()
    return { end: endOf('?>', open + 2), content: '' }
  }
  if (text.startsWith('<!', open)) {
    const end = endOf('>', open)
    // An internal subset defines entities, and an external one may.
    if (!standardDoctype.test(text.slice(open, end))) refuseActiveSvg()
    return { end, content: '' }
  }
  return null
}

/** Where a tag ends; a quoted value may contain `>`. */
function findTagEnd(text: string, open: number): number {
  let quote = ''
  for (let at = open + 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote) quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at + 1
    else if (char === '<') return refuseBrokenSvg()
  }
  return refuseBrokenSvg()
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase()

function checkSvgTag(tag: string, isRoot: boolean): { isEmpty: boolean } {
  const isEmpty = tag.endsWith('/')
  const [, fullName = '', rest = ''] =
    /^([\p{L}_][\w.:-]*)([^\w.:-][\s\S]*)?$/u.exec(isEmpty ? tag.slice(0, -1) : tag) ?? refuseBrokenSvg()
  const name = localName(fullName)
  if (isRoot && name !== 'svg') refuseBrokenSvg()
  if (forbiddenElements.has(name)) refuseActiveSvg()
  const attributes = parseSvgAttributes(rest)
  for (const [attribute, value] of attributes) checkSvgAttribute(attribute, value)
  if (name === 'svg' || name === 'symbol' || name === 'pattern' || name === 'marker') checkSvgSize(new Map(attributes))
  return { isEmpty }
}

function parseSvgAttributes(text: string): [name: string, value: string][] {
  const attributes: [string, string][] = []
  const pattern = /\s+([\p{L}_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/uy
  let at = 0
  for (;;) {
    pattern.lastIndex = at
    const [attribute, name, doubleQuoted, singleQuoted] = pattern.exec(text) ?? []
    if (attribute === undefined || name === undefined) break
    attributes.push([name, decodeReferences(doubleQuoted ?? singleQuoted ?? '')])
    at += attribute.length
  }
  return text.slice(at).trim() === '' ? attributes : refuseBrokenSvg()
}

const predefinedEntities = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

/** Replaces character references. Entities that the file defines are refused. */
function decodeReferences(value: string): string {
  return value.replaceAll(/&([^;&]{0,12});?/g, (reference, name: string) => {
    if (!reference.endsWith(';')) return refuseBrokenSvg()
    const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name)
    if (!number) return predefinedEntities.get(name) ?? refuseActiveSvg()
    const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : refuseBrokenSvg()
  })
}

function checkSvgAttribute(attribute: string, value: string): void {
  const name = localName(attribute)
  if (name.startsWith('on')) refuseActiveSvg()
  // Namespace names look like URLs, but nothing fetches them.
  if (attribute === 'xmlns' || attribute.startsWith('xmlns:')) return
  if (referenceAttributes.has(name) && !isInternalReference(name, value)) refuseActiveSvg()
  // Attributes of drawing programs have a prefix and are not styles.
  if (!attribute.includes(':') || name === 'href') checkCss(value)
}

/** Whether a value refers to a part of the file, or to nothing: attributes such as `from` may also be numbers. */
const isInternalReference = (name: string, value: string): boolean => {
  const text = value.trim()
  return text === '' || text.startsWith('#') || (name !== 'href' && name !== 'src' && !/[:/\\]/.test(text))
}

/** Refuses CSS that fetches or executes something, in any notation. */
function checkCss(css: string): void {
  if (/javascript:|vbscript:|data:|expression\s*\(|-moz-binding|behaviou?r\s*:/i.test(css)) refuseActiveSvg()
  if (/url\s*\(\s*(?:["']\s*)?(?!["'\s#])/i.test(css)) refuseActiveSvg()
  if (/@import|@font-face|@namespace|\\|image\s*\(|image-set\s*\(/i.test(css)) refuseActiveSvg()
}

function checkSvgSize(attributes: ReadonlyMap<string, string>): void {
  const viewBox = attributes.get('viewBox')
  const numbers = viewBox === undefined ? [] : viewBox.trim().split(/[\s,]+/)
  for (const number of numbers) if (!(Math.abs(Number(number)) <= maxSvgSide)) refuseBrokenSvg()
  for (const side of [attributes.get('width'), attributes.get('height')])
    if (side !== undefined && !(Math.abs(Number.parseFloat(side)) <= maxSvgSide || side.trim() === 'auto'))
      refuseBrokenSvg()
}

/** Whether a file starts like an SVG: text whose first element is `svg`. It may still be broken or hostile. */
export function isSvg(start: Uint8Array): boolean {
  const text = Buffer.from(start.subarray(0, 4096))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  const elements = text.replace(/^(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>)+/i, '')
  return /^<(?:[\w.-]{1,32}:)?svg[\s>/]/i.test(elements)
}
