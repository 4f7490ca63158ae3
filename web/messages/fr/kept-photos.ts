import type { keptPhotos as english } from '../en/kept-photos.ts'

/** Photos over the storage after a larger plan has ended. */
export const keptPhotos: typeof english = {
  removal: (photos, count, date) =>
    photos < 2 ? `${count} photo sera supprimée le ${date}.` : `${count} photos seront supprimées le ${date}.`,
  reason: (photos, size, storage) =>
    photos < 2
      ? `Votre photo la plus ancienne (${size}) ne tient plus dans vos ${storage} de stockage. Pour la garder, choisissez une formule supérieure ou supprimez d’autres photos. Vous pouvez aussi tout télécharger plus bas, sous Vos données.`
      : `Les plus anciennes (${size}) ne tiennent plus dans vos ${storage} de stockage. Pour les garder, choisissez une formule supérieure ou supprimez d’autres photos. Vous pouvez aussi tout télécharger plus bas, sous Vos données.`,
  removed: (photos, count) => (photos < 2 ? `${count} photo a été supprimée.` : `${count} photos ont été supprimées.`),
  restorable: (photos, size, date) =>
    photos < 2
      ? `Elle (${size}) ne tenait plus dans votre espace de stockage. Jusqu’au ${date}, vous pouvez la récupérer : elle revient d’elle-même avec une formule supérieure, ou ici dès qu’il y a de la place.`
      : `Elles (${size}) ne tenaient plus dans votre espace de stockage. Jusqu’au ${date}, vous pouvez les récupérer : elles reviennent d’elles-mêmes avec une formule supérieure, ou ici dès qu’il y a de la place.`,
  gallery: 'Ouvrir la galerie',
  settings: 'Que faire ?',
  restore: (photos) => (photos < 2 ? 'Récupérer la photo' : 'Récupérer les photos'),
  restored: (photos, count) => (photos < 2 ? `${count} photo est revenue.` : `${count} photos sont revenues.`),
  remaining: (photos, count) =>
    photos < 2 ? `${count} photo ne tient toujours pas.` : `${count} photos ne tiennent toujours pas.`,
  failed: (photos) =>
    photos < 2
      ? 'La photo n’a pas pu être récupérée. Veuillez réessayer.'
      : 'Les photos n’ont pas pu être récupérées. Veuillez réessayer.',
}
