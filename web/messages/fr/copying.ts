import type { copying as english } from '../en/copying.ts'

/** Buttons that copy a text. */
export const copying: typeof english = {
  copy: 'Copier',
  copyNamed: (label) => `Copier : ${label}`,
  copied: 'Copié',
  selected: 'Sélectionné',
}
