import type { demo as english } from '../en/demo.ts'

/** The demonstration of the big screen. */
export const demo: typeof english = {
  title: 'Le grand écran',
  heading: 'Démo : le grand écran',
  label: 'Démo',
  lead: 'Des photos d’exemple se succèdent. Tous les codes fonctionnent.',
  failed: 'Les photos d’exemple n’ont pas pu être chargées.',
  getStarted: 'Commencer',
  openLatest: 'Ouvrir le grand écran',
  pause: 'Pause',
  play: 'Lecture',
  next: 'Suivante',
}
