import { decline } from './decoders.ts'

/** A logo is drawn with far less. */
export const maxSvgBytes = 2 * 1024 * 1024

const maxElements = 50_000
const maxDepth = 200
/** Units of the drawing area. */
const maxSide = 20_000

/** Elements that are no part of a still drawing, by their names without prefix. */
const forbidden = new Set(
  `script foreignobject image feimage iframe object embed audio video canvas html body link include
  set animate animatecolor animatemotion animatetransform discard mpath handler listener`.split(/\s+/),
)
/** Attributes that lead somewhere. */
const leading = new Set(['href', 'src', 'data', 'action', 'formaction', 'base', 'from', 'to', 'values', 'srcset'])

/** What drawing programs of old begin with, if anything. */
const plainDoctype =
  /^<!doctype\s+(?:\w+:)?svg(?:\s+public\s+(["'])-\/\/W3C\/\/DTD SVG [\w. ]+\/\/EN\1\s+(["'])https?:\/\/www\.w3\.org\/[\w./-]+\2)?\s*>$/i

const active = (): never => decline('active')
const broken = (): never => decline('drawing')

/**
 * Refuses, before anything draws it, an SVG that is more than a still drawing: scripts and handlers, foreign elements,
 * references to anything but its own parts, entities, style sheets from elsewhere, absurd sizes. The whole file is read
 * strictly: what this reader cannot follow is not passed on to another one.
 */
export function judgeSvg(file: Uint8Array): void {
  const text = decoded(file)
  let at = 0
  let depth = 0
  let elements = 0
  // Pieces of one text may stand apart, with comments or sections between them.
  let words = ''
  while (at < text.length) {
    const open = text.indexOf('<', at)
    words += spelledOut(text.slice(at, open < 0 ? text.length : open))
    if (open < 0) break
    const special = pastSpecial(text, open)
    at = special?.end ?? pastTag(text, open)
    words += special?.words ?? ''
    if (special) continue
    judgeStyle(words)
    words = ''
    const tag = text.slice(open + 1, at - 1)
    if (tag.startsWith('/')) depth--
    else {
      if (++elements > maxElements) broken()
      if (!judgeTag(tag, elements === 1).isEmpty && ++depth > maxDepth) broken()
    }
  }
  if (elements === 0 || depth !== 0) broken()
}

/** Only encodings in which every reader sees the same text. */
function decoded(file: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return broken()
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(text)) broken()
  const encoding = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/i.exec(text.slice(0, 500))?.[1]
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding)) broken()
  return text
}

/** A comment, declaration or CDATA section that begins at `open`: its end, and what it says; null for a tag. */
function pastSpecial(text: string, open: number): { end: number; words: string } | null {
  const until = (mark: string, from: number): number => {
    const end = text.indexOf(mark, from)
    return end < 0 ? broken() : end + mark.length
  }
  if (text.startsWith('<!--', open)) return { end: until('-->', open + 4), words: '' }
  if (text.startsWith('<![CDATA[', open)) {
    const end = until(']]>', open + 9)
    return { end, words: text.slice(open + 9, end - 3) }
  }
  if (text.startsWith('<?', open)) {
    // A style sheet from elsewhere, most likely.
    if (!/^<\?(?:xml|xpacket)\s/i.test(text.slice(open, open + 10))) active()
    return { end: until('?>', open + 2), words: '' }
  }
  if (text.startsWith('<!', open)) {
    const end = until('>', open)
    // An inner part of the declaration is where entities are made, and one elsewhere could hold them.
    if (!plainDoctype.test(text.slice(open, end))) active()
    return { end, words: '' }
  }
  return null
}

/** The end of a tag; quoted values may hold its closing sign. */
function pastTag(text: string, open: number): number {
  let quote = ''
  for (let at = open + 1; at < text.length; at++) {
    const sign = text[at]!
    if (quote) quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at + 1
    else if (sign === '<') return broken()
  }
  return broken()
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase()

function judgeTag(tag: string, isRoot: boolean): { name: string; isEmpty: boolean } {
  const [, fullName = '', rest = '', slash] = /^([\p{L}_][\w.:-]*)([\s\S]*?)(\/?)$/u.exec(tag) ?? broken()
  const name = localName(fullName)
  if (isRoot && name !== 'svg') broken()
  if (forbidden.has(name)) active()
  const attributes = attributesOf(rest)
  for (const [attribute, value] of attributes) judgeAttribute(attribute, value)
  if (name === 'svg' || name === 'symbol' || name === 'pattern' || name === 'marker') judgeSize(new Map(attributes))
  return { name, isEmpty: slash === '/' }
}

function attributesOf(text: string): [name: string, value: string][] {
  const found: [string, string][] = []
  const one = /\s+([\p{L}_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/uy
  let at = 0
  for (;;) {
    one.lastIndex = at
    const [all, name, double, single] = one.exec(text) ?? []
    if (all === undefined || name === undefined) break
    found.push([name, spelledOut(double ?? single ?? '')])
    at += all.length
  }
  return text.slice(at).trim() === '' ? found : broken()
}

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** A value with its character references replaced. Entities of the file's own making have no place in it. */
function spelledOut(value: string): string {
  return value.replaceAll(/&([^;&]{0,12});?/g, (all, name: string) => {
    if (!all.endsWith(';')) return broken()
    const number = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name)
    if (!number) return named[name] ?? active()
    const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : broken()
  })
}

function judgeAttribute(attribute: string, value: string): void {
  const name = localName(attribute)
  if (name.startsWith('on')) active()
  // Names of namespaces look like addresses, but nobody goes there.
  if (attribute === 'xmlns' || attribute.startsWith('xmlns:')) return
  if (leading.has(name) && !isWithin(name, value)) active()
  // Drawing programs leave notes of their own, which are no style.
  if (attribute.includes(':') ? name === 'href' : true) judgeStyle(value)
}

/** Whether a reference stays within the file; numbers of other attributes of those names lead nowhere. */
const isWithin = (name: string, value: string): boolean => {
  const text = value.trim()
  return text === '' || text.startsWith('#') || (name !== 'href' && name !== 'src' && !/[:/\\]/.test(text))
}

/** Words that fetch or run: none of them, however they are spelled. */
function judgeStyle(css: string): void {
  if (/javascript:|vbscript:|data:|expression\s*\(|-moz-binding|behaviou?r\s*:/i.test(css)) active()
  if (/url\s*\(\s*["']?\s*(?!["'\s#])/i.test(css)) active()
  if (/@import|@font-face|@namespace|\\|image\s*\(|image-set\s*\(/i.test(css)) active()
}

function judgeSize(attributes: ReadonlyMap<string, string>): void {
  const box = attributes.get('viewBox')
  const numbers = box === undefined ? [] : box.trim().split(/[\s,]+/)
  for (const number of numbers) if (!(Math.abs(Number(number)) <= maxSide)) broken()
  for (const side of [attributes.get('width'), attributes.get('height')])
    if (side !== undefined && !(Math.abs(Number.parseFloat(side)) <= maxSide || side.trim() === 'auto')) broken()
}
