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

/** The text as a stranger's language: accents, brackets around it, two fifths longer. */
export function pseudoText(text: string): string {
  if (text === '') return ''
  const letters = text.replace(/[aeioucnyAEO]/g, (letter) => accents[letter] ?? letter)
  const filler = 'óne twö thréé föür fívé síx séven eíght '
    .repeat(8)
    .slice(0, Math.ceil(text.length * 0.4))
    .trim()
  return `⟦${letters} ${filler}⟧`
}

/** A catalogue in which every sentence shows that it came from the catalogue. For tests and development. */
export const pseudoOf = (catalogue: Catalogue): Catalogue => pseudo(catalogue) as Catalogue // same keys, same kinds

function pseudo(value: unknown): unknown {
  if (typeof value === 'string') return pseudoText(value)
  if (typeof value === 'function') return (...given: unknown[]) => pseudo(value(...given))
  if (Array.isArray(value)) return value.map(pseudo)
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, pseudo(part)])) // what is left
}
