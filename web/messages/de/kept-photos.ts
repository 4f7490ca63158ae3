import type { keptPhotos as english } from '../en/kept-photos.ts'

export const keptPhotos: typeof english = {
  removal: (photos: number, count: string, date: string) =>
    photos === 1 ? `1 Foto wird am ${date} entfernt.` : `${count} Fotos werden am ${date} entfernt.`,
  reason: (photos: number, size: string, storage: string) =>
    photos === 1
      ? `Dein ältestes Foto (${size}) passt nicht mehr in deine ${storage} Speicher. Um es zu behalten, wähle einen größeren Tarif oder lösche andere Fotos. Weiter unten, bei „Deine Daten“, kannst du auch alles herunterladen.`
      : `Die ältesten (${size}) passen nicht mehr in deine ${storage} Speicher. Um sie zu behalten, wähle einen größeren Tarif oder lösche andere Fotos. Weiter unten, bei „Deine Daten“, kannst du auch alles herunterladen.`,
  removed: (photos: number, count: string) =>
    photos === 1 ? '1 Foto wurde entfernt.' : `${count} Fotos wurden entfernt.`,
  restorable: (photos: number, size: string, date: string) =>
    photos === 1
      ? `Es (${size}) passte nicht mehr in deinen Speicher. Bis zum ${date} kannst du es zurückholen: von selbst mit einem größeren Tarif, oder hier, sobald Platz ist.`
      : `Sie (${size}) passten nicht mehr in deinen Speicher. Bis zum ${date} kannst du sie zurückholen: von selbst mit einem größeren Tarif, oder hier, sobald Platz ist.`,
  gallery: 'Galerie öffnen',
  settings: 'Was du tun kannst',
  restore: (photos: number) => (photos === 1 ? 'Foto zurückholen' : 'Fotos zurückholen'),
  restored: (photos: number, count: string) =>
    photos === 1 ? '1 Foto ist wieder da.' : `${count} Fotos sind wieder da.`,
  remaining: (photos: number, count: string) =>
    photos === 1 ? '1 Foto passt noch nicht.' : `${count} Fotos passen noch nicht.`,
  failed: (photos: number) =>
    photos === 1
      ? 'Das Foto konnte nicht zurückgeholt werden. Bitte versuch es noch einmal.'
      : 'Die Fotos konnten nicht zurückgeholt werden. Bitte versuch es noch einmal.',
}
