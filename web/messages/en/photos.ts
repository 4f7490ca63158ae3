import { uploadHint } from '@keepsnap/contract/limits.ts'

/** The gallery and its viewer. */
export const gallery = {
  title: 'Gallery',
  count: (photos: number, written: string) => (photos === 1 ? '1 photo' : `${written} photos, newest first`),
  upload: 'Upload Photos',
  empty: 'No photos yet. Upload some photos to get started!',
  received: 'New photo received!',
  tile: (name: string, taken: string) => `${name}, ${taken}`,
  processing: (name: string) => `${name} is being processed`,
  failed: 'Processing failed',
  failedTile: (name: string) => `Processing failed: ${name}`,
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

/** The upload page. */
export const upload = {
  title: 'Upload',
  lead: 'Each photo gets its code and goes straight to the big screen.',
  drop: {
    label: 'Choose photos',
    heading: 'Drop photos here',
    hint: 'or paste them, or pick them from this device',
    over: 'Drop to add them',
    choose: 'Choose photos',
    camera: 'Take a photo',
    preparing: 'Your device is preparing the photos…',
    formats: uploadHint,
    limit: (plan: string, size: string) => `Your plan (${plan}) allows files up to ${size}.`,
    hdr: 'HDR photos are stored without their extra brightness.',
  },
  sample: { line: 'Your photo, with its code', meta: 'Ready a moment after you drop it' },
  singleUpload: {
    label: 'Your photo',
    previewAlt: (name: string) => `Preview of ${name}`,
    noPreview: (kind: string) => `${kind}: no preview available`,
    pixels: (width: string, height: string) => `${width} × ${height}`,
    remove: (name: string) => `Remove ${name}`,
    submit: 'Upload Photo',
    sentBefore: (when: string) => `You uploaded this file before, on ${when}.`,
    another: 'Choose another',
    sending: 'Uploading',
    success: 'Photo uploaded successfully!',
    processing: 'Processing your photo. We’ll take you to the big screen as soon as it’s ready.',
    failedHeading: 'Processing failed!',
    failed: 'Photo processing failed. Please try again.',
    overlay: 'Processing failed',
    overlayHint: 'There was an error processing your photo. Please try uploading again.',
    unknown: 'We can’t track this photo right now. It will appear on the big screen when it’s ready.',
    latest: 'Go to the big screen',
  },
  queue: {
    heading: (photos: number) => (photos === 1 ? '1 photo' : `${photos} photos`),
    done: (photos: number) => `${photos} done`,
    inProgress: (photos: number) => `${photos} in progress`,
    needAttention: (photos: number) => (photos === 1 ? '1 needs attention' : `${photos} need attention`),
    overLimit: (photos: number) => `${photos} over your plan’s limit`,
    sentBeforeCount: (photos: number) => `${photos} uploaded before`,
    uploading: 'Uploading',
    uploadingFile: (name: string) => `Uploading ${name}`,
    total: (percent: string, sent: string, all: string) => `${percent} · ${sent} of ${all}`,
    timeLeft: (time: string) => ` · about ${time} left`,
    seconds: (seconds: number) => (seconds === 1 ? '1 second' : `${seconds} seconds`),
    minutes: (minutes: number) => (minutes === 1 ? '1 minute' : `${minutes} minutes`),
    waiting: (size: string) => `${size} · Waiting`,
    waitingForSlow: 'Many files that take long to process are ahead of this one. It will upload automatically.',
    waitingForRoom: (size: string) => `${size} · Over your plan’s limit`,
    sending: (size: string, percent: string) => `${size} · Uploading · ${percent}`,
    processing: (size: string) => `${size} · Processing and creating its code`,
    ready: (size: string) => `${size} · Ready`,
    onScreen: (size: string) => `${size} · On the big screen`,
    sentBefore: (size: string, when: string) => `${size} · Uploaded before, on ${when}`,
    listed: (size: string) => `${size} · Already in this list`,
    failed: 'Photo processing failed. Please try again.',
    deleted: (size: string) => `${size} · Deleted`,
    codeAlt: (name: string) => `QR code for ${name}`,
    screenLink: (name: string) => `${name} on the big screen`,
    galleryLink: (name: string) => `${name} in the gallery`,
    remove: (name: string) => `Remove ${name}`,
    retry: 'Retry',
    retryFile: (name: string) => `Retry ${name}`,
    retryAll: 'Retry all',
    again: 'Upload again',
    fileAgain: (name: string) => `Upload again: ${name}`,
    allAgain: 'Upload all again',
    clear: 'Clear finished',
    keepOpen: 'Keep this tab open until the uploads finish. You can use other pages meanwhile.',
    tooLargeHint: 'Files that are too large for your plan stay in this list and upload automatically after an upgrade.',
    full: (most: number) => `At most ${most} photos at once. Add the rest when these have uploaded.`,
  },
  pauses: {
    rateLimit: (wait: string, { photos, minutes, time }: { photos: number; minutes: number; time: string }) =>
      `Waiting for ${wait}: ${photos} photos in ${minutes} minutes is the limit. Goes on at ${time}.`,
    busy: (wait: string) => `Waiting for ${wait}: other photos of your account are being uploaded.`,
    unavailable: (wait: string) => `Waiting for ${wait}: the server is not available right now. Goes on automatically.`,
    unreachable: 'The server cannot be reached. The upload goes on as soon as it answers.',
    offline: 'You are offline. The upload goes on when the connection is back.',
    offlineStopped: 'You are offline. Upload the photo again when the connection is back.',
  },
  unsent: {
    message: (unsent: number, total: number) =>
      total === 1
        ? '1 photo was not sent: choose it again.'
        : unsent === total
          ? `${total} photos were not sent: choose them again.`
          : `${unsent} of ${total} ${unsent === 1 ? 'was' : 'were'} not sent: choose them again, those that arrived are left out.`,
    names: 'Show which',
    dismiss: 'Dismiss',
  },
  errors: {
    none: 'Please select a file to upload.',
    failed: 'Failed to upload photo. Please try again.',
    noResponse: 'No response from server. Check your connection.',
    serverUnavailable: 'The server is not available right now. The upload continues automatically.',
    unreadableFile: 'This file can no longer be read. Please choose it again.',
    changedFile:
      'This file was changed while it was being uploaded; the photo is the earlier version. Choose it again to add it as it is now.',
    signedOut: 'Authentication token not found. Please log in again.',
    notImage: 'This file is not a photo. Choose a JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC.',
    tooLarge: (size: string, most: string) =>
      `This file is ${size}. Your plan allows files up to ${most}. Reduce its size, for example by saving it as a JPG, and try again.`,
    tooLargeForProxy: (size: string) =>
      `A proxy between this device and the server rejects files of ${size}. Try a smaller file.`,
  },
}
