/** Logo, background and watermark; spec sections 2, 5 and 8. */
export const branding = {
  name: 'Appearance',
  lead: 'What guests see on the big screen.',
  logo: {
    label: 'Logo',
    hint: 'PNG, JPG or SVG. PNG and SVG may be transparent.',
    alt: 'Your logo',
    none: 'No logo yet',
    choose: 'Choose a logo',
    chosen: 'Chosen:',
    upload: 'Upload logo',
    delete: 'Delete logo',
    question: 'Are you sure you want to delete your logo? New photos carry no watermark then.',
    uploaded: 'Logo uploaded successfully',
    uploadFailed: 'Failed to upload logo',
    deleted: 'Logo deleted successfully',
    deleteFailed: 'Failed to delete logo',
    gone: 'The logo may already be gone from storage, but your profile is cleaned.',
  },
  background: {
    label: 'Background',
    hint: 'Any picture. Shown behind the latest photo.',
    alt: 'Your background',
    none: 'No background yet',
    choose: 'Choose a background',
    chosen: 'Chosen:',
    upload: 'Upload background',
    delete: 'Delete background',
    question: 'Are you sure you want to delete your background? A blurred copy of the photo takes its place.',
    uploaded: 'Background image uploaded successfully',
    uploadFailed: 'Failed to upload background image',
    deleted: 'Background image deleted successfully',
    deleteFailed: 'Failed to delete background image',
    gone: 'The background may already be gone from storage, but your profile is cleaned.',
  },
  broken: 'This picture cannot be shown',
  upsell: {
    heading: 'Put your own name on the night',
    lead: 'Your logo in the corner of every photo and your background behind the screen come with Pro.',
    action: 'See the plans',
    sample: 'Your',
    sampleRest: 'name here',
  },
  watermark: {
    noLogo: 'You need to upload a logo to use as a watermark.',
    noEffect: 'Stored, without effect for now: a watermark needs a logo and a Pro plan.',
    previewLabel: 'How it looks on your newest photo',
    previewAlt: 'Your newest photo with your logo at the bottom right',
    previewNone: 'Upload a photo, and you see here how your logo looks on it.',
    previewFailed: 'The preview cannot be shown right now.',
  },
  existing: {
    heading: 'Photos you have already',
    applicable: (count: string, one: boolean) =>
      one ? '1 photo does not carry your logo.' : `${count} photos do not carry your logo.`,
    undoable: (count: string, one: boolean) =>
      one
        ? '1 photo carries it and can be had without it again.'
        : `${count} photos carry it and can be had without it again.`,
    none: 'There is no photo to change.',
    apply: 'Put it on existing photos',
    undo: 'Take it off again',
    stop: 'Stop',
    applying: 'Putting your logo on your photos',
    undoing: 'Taking your logo off your photos',
    progress: (done: string, total: string) => `${done} of ${total}. Every photo can be opened all the while.`,
    stopping: 'Stopping after the photos that are being worked on.',
    done: (done: string) => `Done: ${done} photos changed.`,
    stopped: (done: string, total: string) => `Stopped after ${done} of ${total} photos.`,
    failed: (count: string, one: boolean) =>
      one
        ? '1 photo could not be changed and stays as it was.'
        : `${count} photos could not be changed and stay as they were.`,
    startFailed: 'This could not be started. Please try again.',
    stopFailed: 'This could not be stopped. Please try again.',
  },
}
