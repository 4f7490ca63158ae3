/** The pages behind the code of an event, for guests. */
export const eventGuests = {
  title: 'Photos of tonight',
  description: 'The photos of this event, as they are taken.',
  /** Of the link from a photo. */
  all: 'All photos of tonight',
  leads: { added: 'All photos, the newest first.', taken: 'All photos, the last taken first.' },
  newest: 'Newest photos',
  fresh: 'New photos',
  more: 'More photos',
  archive: (count: number, written: string, size: string) =>
    count === 1 ? `Download the photo (${size})` : `Download all ${written} photos (${size})`,
  photoAlt: (time: string) => `Photo, ${time}`,
  empty: 'No photos yet. They appear here automatically.',
  noMore: 'No more photos.',
  opens: (time: string) => `The photos open at ${time}`,
  comeBack: 'This page opens by itself.',
  ended: { heading: 'This evening has ended. Codes on printed photos still work.', advice: '' },
  off: {
    heading: 'There are no photos here yet',
    advice: 'Please ask the hosts, or scan the code of a photo.',
  },
  unknown: {
    heading: 'This code doesn’t work',
    advice: 'It may have been replaced by a new one. Please ask the hosts for it.',
  },
  about: {
    noFaces: 'No face recognition is used here.',
    responsible: (name: string) => `${name} is responsible for these photos.`,
    hosts: 'The hosts are responsible for these photos.',
    report: 'To report a photo, open it.',
  },
}

/** What the page of an event sends by email: a notice when its gallery opens, and a link to all photos. */
export const eventEmails = {
  tell: {
    open: 'Tell me when they open',
    heading: 'Tell me when the photos are open',
    send: 'Tell me',
    consent: 'We use your address for this one email, nothing else.',
    sent: 'We’ll tell you when they open',
    lead: 'One email will go to',
    after: 'It leaves when the photos are open.',
  },
  everything: {
    open: 'Send me everything',
    heading: 'All photos by email',
    send: 'Send me the link',
    consent: 'We use your address to send this link, nothing else.',
    lead: 'A link to all photos is on its way to',
    after: 'It works for 72 hours. On a computer, the file opens with a double click.',
  },
}

/** The photos of an event whose codes a phone has scanned, and which it keeps. */
export const scannedPhotos = {
  photos: 'Your photos',
  email: 'Send all to my address',
  send: 'Send all',
  consent: 'We use your address to send these photos, nothing else.',
  onTheirWay: 'Your photos are on their way to',
  arrival: 'They usually arrive within a minute, but can take longer when many guests ask at once.',
  remember: 'Remember for 30 days',
  forget: 'Forget',
  /** What the script fills in. */
  script: {
    one: 'You have 1 photo of tonight',
    many: 'You have {} photos of tonight',
    lead: 'No face recognition. This list is kept on this phone alone, for 48 hours.',
    leadRemembered: 'No face recognition. This list is kept on this phone alone, for 30 days.',
    photo: 'Photo {}',
    save: 'Save',
    loading: 'Loading {} of {}',
    saveAll: 'Save all',
    saveFirst: 'Save the first {}',
    saveNext: 'Save the next {}',
    saved: 'That was all of them.',
    again: 'Load again',
    notLoaded: 'Some photos couldn’t be loaded. Check your connection and try again.',
    tapAgain: 'The photos are ready. Tap again.',
    notShared: 'They can’t be saved together here. Use Save below each photo.',
    byEmail: 'Photos without Save are sent by email.',
    droppedOne: '1 photo is no longer shared and has left this list.',
    dropped: '{} photos are no longer shared and have left this list.',
    allDropped: 'The photos that you had here are no longer shared.',
    forgotten: 'Forgotten. Nothing of this list is left on this phone.',
    newest: 'The newest {} go into the email.',
  },
}

/** In which order the photos of an event are, and the hours that have any. */
export const eventOrder = {
  label: 'Order of the photos',
  orders: { added: 'By time added', taken: 'By time taken' },
  hours: 'Hours with photos',
  hour: (time: string, count: number, written: string) =>
    count === 1 ? `${time}, 1 photo` : `${time}, ${written} photos`,
}

/** The codes of an event, for its owner. */
export const eventCodes = {
  heading: 'Code for guests',
  lead: 'Put it on the tables: it leads every guest to the gallery of this event.',
  off: 'Guests see nothing yet: switch on the guest gallery.',
  alt: 'QR code of this event',
  open: 'Open as a guest',
  print: 'Print',
  printLabel: (label: string) => `Print the code of ${label}`,
  renew: 'Replace code',
  confirmRenew: {
    title: 'Replace the code of this event?',
    question:
      'The code you have printed or shared stops working at once, and its links too. Codes of tables and of photos keep working.',
    confirm: 'Replace code',
    done: 'The event has a new code.',
  },
  tables: {
    heading: 'Tables',
    lead: 'Each table can have a code of its own. It leads to the same gallery.',
    count: 'Number of tables',
    name: (number: number) => `Table ${number}`,
    add: 'Add tables',
    label: 'Or one name',
    addOne: 'Add',
    revokeLabel: (label: string) => `Revoke the code of ${label}`,
  },
  confirmRevoke: {
    title: (label: string) => `Revoke the code of ${label}?`,
    question: 'It stops working at once, on paper too. You can add a new one at any time.',
    confirm: 'Revoke',
    done: 'The code was revoked.',
  },
  errors: {
    load: 'The codes couldn’t be loaded.',
    change: 'The codes couldn’t be changed. Please try again.',
  },
}

/** Its codes on paper. */
export const eventPrint = {
  lead: 'A code for all photos, to put on tables and at the entrance.',
  code: 'Code',
  own: 'The whole event',
  gone: 'This event no longer exists.',
  failed: 'The code couldn’t be loaded.',
}

/** Beside its code on Latest. */
export const eventOnScreen = { all: 'All photos', add: 'Add photos', alt: 'QR code of this event' }
