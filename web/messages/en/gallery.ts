/** The gallery and its viewer; spec sections 2 and 8. */
export const gallery = {
  title: 'Gallery',
  heading: 'Gallery',
  count: (photos: number, written: string) => (photos === 1 ? '1 photo' : `${written} photos, newest first`),
  upload: 'Upload Photos',
  empty: 'No photos yet. Upload some photos to get started!',
  received: 'New photo received!',
  tile: (name: string, taken: string) => `${name}, ${taken}`,
  processing: (name: string) => `${name} is being processed`,
  failed: 'Processing failed',
  failedTile: (name: string) => `${name}: processing failed`,
  retry: 'Retry',
  retryOne: (name: string) => `Retry ${name}`,
  select: {
    start: 'Select',
    stop: 'Done',
    label: 'Selected photos',
    pick: (name: string) => `Select ${name}`,
    count: (photos: number) => (photos === 1 ? '1 selected' : `${photos} selected`),
    hint: 'Choose photos to download or delete.',
    download: 'Download',
    remove: 'Delete',
  },
  errors: {
    load: 'Failed to load photos. Please try again later.',
    remove: 'Failed to delete the photo. Please try again later.',
    removeSome: (photos: number) =>
      photos === 1
        ? 'Failed to delete the photo. Please try again later.'
        : `Failed to delete ${photos} of the photos. Please try again later.`,
    retry: 'This photo could not be processed again. Please upload it once more.',
  },
  sure: {
    title: 'Delete photo',
    question: 'Are you sure you want to delete this photo? This action cannot be undone.',
    titleMany: (photos: number) => `Delete ${photos} photos`,
    questionMany: (photos: number) =>
      `Are you sure you want to delete these ${photos} photos? This action cannot be undone.`,
    confirm: 'Delete',
  },
  viewer: {
    label: 'Photo',
    position: (at: number, of: string) => `Photo ${at} of ${of}`,
    /** For screen readers. */
    slides: {
      all: 'Photos',
      kind: 'carousel',
      one: 'photo',
      position: (at: string, of: string) => `${at} of ${of}`,
    },
    previous: 'Previous photo',
    next: 'Next photo',
    remove: 'Delete photo',
    close: 'Close',
    scan: 'Scan to keep',
    codeAlt: (name: string) => `QR code for ${name}`,
    downloadPhoto: 'download photo',
    downloadCode: 'download QR',
    processing: 'Processing your photo',
    processingHint: 'It appears here by itself.',
    failed: 'Processing failed',
    failedHint: 'There was an error processing your photo. Please try uploading again.',
    gone: 'This photo is not there any more.',
    unreadable: 'This photo could not be loaded.',
  },
}
