/** Photos over the storage after a larger plan has ended; docs/behaviour.md section 9. */
export const keptPhotos = {
  removal: (photos: number, count: string, date: string) =>
    photos === 1 ? `1 photo will be removed on ${date}.` : `${count} photos will be removed on ${date}.`,
  reason: (photos: number, size: string, storage: string) =>
    photos === 1
      ? `Your oldest photo (${size}) doesn’t fit into your ${storage} of storage any more. To keep it, choose a larger plan or delete other photos. You can also download everything below, under Your data.`
      : `The oldest ones (${size}) don’t fit into your ${storage} of storage any more. To keep them, choose a larger plan or delete other photos. You can also download everything below, under Your data.`,
  removed: (photos: number, count: string) => (photos === 1 ? '1 photo was removed.' : `${count} photos were removed.`),
  restorable: (photos: number, size: string, date: string) =>
    photos === 1
      ? `It (${size}) didn’t fit into your storage. Until ${date} you can put it back: it returns by itself with a larger plan, or here once there is room.`
      : `They (${size}) didn’t fit into your storage. Until ${date} you can put them back: they return by themselves with a larger plan, or here once there is room.`,
  gallery: 'Open the gallery',
  settings: 'What you can do',
  restore: (photos: number): string => (photos === 1 ? 'Put photo back' : 'Put photos back'),
  restored: (photos: number, count: string) => (photos === 1 ? '1 photo is back.' : `${count} photos are back.`),
  remaining: (photos: number, count: string) =>
    photos === 1 ? '1 photo still doesn’t fit.' : `${count} photos still don’t fit.`,
  failed: (photos: number): string =>
    photos === 1
      ? 'The photo couldn’t be put back. Please try again.'
      : 'The photos couldn’t be put back. Please try again.',
}
