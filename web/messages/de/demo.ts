import type { demo as english } from '../en/demo.ts'

export const demo: typeof english = {
  title: 'Der große Bildschirm',
  heading: 'Demo: der große Bildschirm',
  label: 'Demo',
  lead: 'Beispielbilder wechseln sich ab. Jeder Code funktioniert.',
  failed: 'Die Beispielbilder konnten nicht geladen werden.',
  getStarted: 'Loslegen',
  openLatest: 'Neuestes Foto',
  pause: 'Anhalten',
  play: 'Abspielen',
  next: 'Weiter',
}
