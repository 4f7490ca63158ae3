import type { copying as english } from '../en/copying.ts'

/** Buttons that copy a text. */
export const copying: typeof english = {
  copy: 'Kopiëren',
  copyNamed: (what) => `Kopiëren: ${what}`,
  copied: 'Gekopieerd',
  selected: 'Geselecteerd',
}
