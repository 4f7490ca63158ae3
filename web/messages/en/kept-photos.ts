/** Photos over the storage after a larger plan has ended. */
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
      ? `It (${size}) didn’t fit into your storage. Until ${date} it can be restored: automatically with a larger plan, or here once there is enough storage.`
      : `They (${size}) didn’t fit into your storage. Until ${date} they can be restored: automatically with a larger plan, or here once there is enough storage.`,
  gallery: 'Open the gallery',
  settings: 'What you can do',
  restore: (photos: number): string => (photos === 1 ? 'Restore photo' : 'Restore photos'),
  restored: (photos: number, count: string) => (photos === 1 ? '1 photo restored.' : `${count} photos restored.`),
  remaining: (photos: number, count: string) =>
    photos === 1 ? '1 photo still doesn’t fit.' : `${count} photos still don’t fit.`,
  failed: (photos: number): string =>
    photos === 1
      ? 'The photo couldn’t be restored. Please try again.'
      : 'The photos couldn’t be restored. Please try again.',
}
