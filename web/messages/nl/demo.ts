import type { demo as english } from '../en/demo.ts'

/** The demonstration of the big screen. */
export const demo: typeof english = {
  title: 'Het grote scherm',
  heading: 'Demo: het grote scherm',
  label: 'Demo',
  lead: 'De voorbeeldfoto’s wisselen elkaar af. Elke code werkt.',
  failed: 'De voorbeeldfoto’s laden is niet gelukt.',
  getStarted: 'Aan de slag',
  openLatest: 'Nieuwste foto openen',
  pause: 'Pauzeren',
  play: 'Afspelen',
  next: 'Volgende',
}
