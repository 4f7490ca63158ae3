import type { keptPhotos as english } from '../en/kept-photos.ts'

/** Photos over the storage after a larger plan has ended. */
export const keptPhotos: typeof english = {
  removal: (photos, count, date) =>
    photos === 1 ? `Op ${date} wordt 1 foto verwijderd.` : `Op ${date} worden ${count} foto’s verwijderd.`,
  reason: (photos, size, storage) =>
    photos === 1
      ? `Je oudste foto (${size}) past niet meer in je ${storage} opslagruimte. Wil je hem houden? Kies een groter abonnement of verwijder andere foto’s. Hieronder kun je ook alles downloaden, bij Je gegevens.`
      : `De oudste (${size}) passen niet meer in je ${storage} opslagruimte. Wil je ze houden? Kies een groter abonnement of verwijder andere foto’s. Hieronder kun je ook alles downloaden, bij Je gegevens.`,
  removed: (photos, count) => (photos === 1 ? '1 foto is verwijderd.' : `${count} foto’s zijn verwijderd.`),
  restorable: (photos, size, date) =>
    photos === 1
      ? `Hij (${size}) paste niet in je opslagruimte. Tot ${date} kun je hem terugzetten: met een groter abonnement komt hij vanzelf terug, of hier zodra er plaats is.`
      : `Ze (${size}) pasten niet in je opslagruimte. Tot ${date} kun je ze terugzetten: met een groter abonnement komen ze vanzelf terug, of hier zodra er plaats is.`,
  gallery: 'Galerij openen',
  settings: 'Wat je kunt doen',
  restore: (photos) => (photos === 1 ? 'Foto terugzetten' : 'Foto’s terugzetten'),
  restored: (photos, count) => (photos === 1 ? '1 foto is terug.' : `${count} foto’s zijn terug.`),
  remaining: (photos, count) => (photos === 1 ? '1 foto past nog niet.' : `${count} foto’s passen nog niet.`),
  failed: (photos) =>
    photos === 1
      ? 'De foto terugzetten is niet gelukt. Probeer het opnieuw.'
      : 'De foto’s terugzetten is niet gelukt. Probeer het opnieuw.',
}
