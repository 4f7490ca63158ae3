import type { Catalogue } from '../messages/en.ts'

const accents: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ö',
  u: 'ü',
  c: 'ç',
  n: 'ñ',
  y: 'ÿ',
  A: 'Å',
  E: 'É',
  O: 'Ø',
}

/** Pseudolocalization: accents, brackets around the text, 40 percent longer. */
export function pseudoText(text: string): string {
  if (text === '') return ''
  const accented = text.replace(/[aeioucnyAEO]/g, (character) => accents[character] ?? character)
  const fillerText = 'óne twö thréé föür fívé síx séven eíght '
    .repeat(8)
    .slice(0, Math.ceil(text.length * 0.4))
    .trim()
  return `⟦${accented} ${fillerText}⟧`
}

/** A catalogue whose sentences are recognizable as translated. For tests and development. */
export const pseudoCatalogue = (catalogue: Catalogue): Catalogue => pseudoValue(catalogue) as Catalogue // same keys and types

function pseudoValue(value: unknown): unknown {
  if (value === null) return null
  if (typeof value === 'string') return pseudoText(value)
  if (typeof value === 'function') return (...values: unknown[]) => pseudoValue(value(...values))
  if (Array.isArray(value)) return value.map(pseudoValue)
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, pseudoValue(part)])) // only objects remain
}
