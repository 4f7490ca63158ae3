import type { copying as english } from '../en/copying.ts'

export const copying: typeof english = {
  copy: 'Kopieren',
  copyNamed: (what: string) => `Kopieren: ${what}`,
  copied: 'Kopiert',
  selected: 'Markiert',
}
