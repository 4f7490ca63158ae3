import type { copying as english } from '../en/copying.ts'

/** Buttons that copy a text. */
export const copying: typeof english = {
  copy: 'Kopiëren',
  copyNamed: (label) => `Kopiëren: ${label}`,
  copied: 'Gekopieerd',
  selected: 'Geselecteerd',
}
