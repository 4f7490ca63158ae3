/** The gallery and its viewer. */
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
  hidden: 'Hidden from guests',
  hiddenTile: (label: string) => `${label}, hidden from guests`,
  hiddenByOperator: 'Hidden by the operator',
  hiddenByOperatorTile: (label: string) => `${label}, hidden from guests by the operator of this site`,
  retry: 'Retry',
  retryProcessing: (name: string) => `Retry ${name}`,
  select: {
    start: 'Select',
    stop: 'Done',
    label: 'Selected photos',
    toggle: (name: string) => `Select ${name}`,
    count: (photos: number, written: string) => (photos === 1 ? '1 selected' : `${written} selected`),
    progress: (done: string, of: string) => `${done} of ${of}`,
    evening: (day: string) => `Select all photos of ${day}`,
    eveningFailed: 'Failed to load the photos of this evening. Please try again.',
    hint: 'Choose photos to download, hide or delete.',
    download: 'Download',
    hide: 'Hide',
    show: 'Show',
    remove: 'Delete',
  },
  search: {
    label: 'Search by file name',
    clear: 'Clear search',
    busy: 'Searching…',
    found: (photos: number, written: string) => (photos === 1 ? '1 photo found' : `${written} photos found`),
    none: (name: string) => `No file name contains “${name}”.`,
  },
  dates: {
    button: 'Go to date',
    months: 'Months',
    date: 'Date',
    go: 'Go',
    newest: 'Newest photos',
    none: 'There are no photos on or before that date.',
    failed: 'The dates couldn’t be loaded.',
  },
  errors: {
    load: 'Failed to load photos. Please try again later.',
    remove: 'Failed to delete the photo. Please try again later.',
    removeSome: (photos: number) =>
      photos === 1
        ? 'Failed to delete the photo. Please try again later.'
        : `Failed to delete ${photos} photos. Please try again later.`,
    retry: 'Retrying this photo failed. Please upload it again.',
  },
  visibility: {
    hide: 'Hide from guests',
    show: 'Show again',
    undo: 'Undo',
    hidden: (photos: number, written: string) =>
      photos === 1 ? 'Photo hidden from guests.' : `${written} photos hidden from guests.`,
    shown: (photos: number, written: string) =>
      photos === 1 ? 'Guests can open the photo again.' : `Guests can open ${written} photos again.`,
    refused: (photos: number, written: string) =>
      photos === 1
        ? 'The operator of this site has hidden the photo, so it stays hidden.'
        : `The operator of this site has hidden ${written} of the photos, so they stay hidden.`,
    missing: (photos: number, written: string) =>
      photos === 1 ? 'The photo no longer exists.' : `${written} of the photos no longer exist.`,
    hideFailed: (photos: number) =>
      photos === 1
        ? 'The photo couldn’t be hidden. Please try again.'
        : `${photos} photos couldn’t be hidden. Please try again.`,
    showFailed: (photos: number) =>
      photos === 1
        ? 'The photo couldn’t be unhidden. Please try again.'
        : `${photos} photos couldn’t be unhidden. Please try again.`,
  },
  confirmDelete: {
    title: 'Delete photo',
    question: 'Are you sure you want to delete this photo? This action cannot be undone.',
    titleMany: (_: number, written: string) => `Delete ${written} photos`,
    questionMany: (_: number, written: string) =>
      `Are you sure you want to delete these ${written} photos? This action cannot be undone.`,
    confirm: 'Delete',
  },
  deletion: {
    progress: (done: string, of: string) => `Deleting ${done} of ${of}`,
    leaving: 'Please keep this page open: leaving it stops the deletion. Photos already deleted stay deleted.',
    stop: 'Stop',
    stopping: 'Stopping…',
    waiting: 'The server can’t be reached. The deletion continues when the connection is back.',
    stopped: 'Deletion stopped',
    incomplete: 'Not all photos were deleted',
    gone: (photos: number, written: string) =>
      photos === 1 ? '1 photo was deleted.' : `${written} photos were deleted.`,
    left: (photos: number, written: string) =>
      photos === 1 ? '1 is left and stays selected.' : `${written} are left and stay selected.`,
    refused: (photos: number, written: string) =>
      photos === 1
        ? '1 can’t be deleted because the operator of this site has hidden it.'
        : `${written} can’t be deleted because the operator of this site has hidden them.`,
    unknown: (photos: number, written: string) =>
      photos === 1
        ? 'The connection was lost, so it isn’t known whether 1 more was deleted. The gallery shows it once the connection is back.'
        : `The connection was lost, so it isn’t known whether ${written} more were deleted. The gallery shows it once the connection is back.`,
  },
  viewer: {
    label: 'Photo',
    position: (at: number, of: string) => `Photo ${at} of ${of}`,
    // For screen readers.
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
    print: 'print card',
    copyLink: 'Copy link',
    link: 'Link to the photo',
    processing: 'Processing your photo',
    processingHint: 'It will appear here automatically.',
    failed: 'Processing failed',
    failedHint: 'There was an error processing your photo. Please try uploading again.',
    deleted: 'This photo no longer exists.',
    unreadable: 'This photo couldn’t be loaded.',
    hiddenHint: 'Guests can’t see it.',
    operator: {
      hid: (when: string) => `The operator of this site hid this photo from guests on ${when}.`,
      // Where the operator wrote no message.
      why: 'A guest reported it, and it was reviewed.',
      mistake: 'If you think that this is a mistake:',
      support: 'Contact support',
      shows: (when: string) => `The operator of this site made it visible again on ${when}.`,
    },
  },
  /** Several photos as one ZIP file. */
  archive: {
    evening: (date: string) => `Download photos: ${date}`,
    preparing: 'Preparing…',
    preparingHint: 'The photos are being prepared. The download starts by itself; please keep this page open.',
    started: (size: string) => `Your download has started: one ZIP file of ${size}.`,
    failed: 'The photos couldn’t be downloaded. Please try again.',
    tooMany: 'Download up to 2,000 photos at a time: select fewer, or download evening by evening.',
  },
}
