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
  const filler = 'óne twö thréé föür fívé síx séven eíght '
    .repeat(8)
    .slice(0, Math.ceil(text.length * 0.4))
    .trim()
  return `⟦${accented} ${filler}⟧`
}

/** A catalogue whose sentences are recognizable as translated. For tests and development. */
export const pseudoCatalogue = (catalogue: Catalogue): Catalogue => pseudo(catalogue) as Catalogue // same keys and types

function pseudo(value: unknown): unknown {
  if (typeof value === 'string') return pseudoText(value)
  if (typeof value === 'function') return (...values: unknown[]) => pseudo(value(...values))
  if (Array.isArray(value)) return value.map(pseudo)
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, pseudo(part)])) // only objects remain
}
