import type { copying as english } from '../en/copying.ts'

export const copying: typeof english = {
  copy: 'Kopieren',
  copyNamed: (label: string) => `Kopieren: ${label}`,
  copied: 'Kopiert',
  selected: 'Markiert',
}
