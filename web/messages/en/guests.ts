import { emailProblemMessages } from '@keepsnap/contract/form-rules.ts'
import { requestAccepted, requestConsent } from '@keepsnap/contract/guests.ts'

/** The pages for guests: people who scanned a code or opened a link in an email and don't know the product. */
export const guest = {
  titles: {
    request: 'Get your photo',
    photo: 'Your photo',
    sample: 'Sample picture',
    reported: 'Report this photo',
    gone: 'Photo not available',
    expired: 'Link expired',
    unsubscribe: 'Photo emails',
    unknown: 'Link not valid',
    unavailable: 'Not available right now',
  },
  descriptions: {
    request: 'Enter your email address and we’ll send you the photo.',
    photo: 'Your photo is ready to save.',
    sample: 'A sample picture, as guests get their photos.',
    other: 'Scan a code, get the photo.',
  },
  yourPhoto: 'Your photo',
  madeWith: 'Made with',
  request: {
    heading: 'Where should we send your photo?',
    label: 'Your email address',
    placeholder: 'name@example.com',
    send: 'Send Photo',
    sending: 'Sending',
    cancel: 'Cancel',
    // Widened to string: other languages have their own sentence.
    consent: requestConsent.sentence as string,
    privacy: 'Privacy Policy',
    failed: 'Failed to submit request. Please try again later.',
    offline: 'You seem to be offline. Check your connection and try again.',
    problems: emailProblemMessages,
    /** Of a box. */
    tellMe: 'Also tell me when the gallery is open',
    // A field that only bots see and fill in.
    honeypot: 'Leave this empty',
    emailOff: {
      heading: 'Photos can’t be sent from here yet',
      lead: 'Email isn’t set up here. Ask the person who shared the code for another way to get the photo.',
    },
  },
  sent: {
    heading: 'Request Submitted!',
    toast: requestAccepted,
    onItsWay: 'Your photo is on its way to',
    arrival: 'It usually arrives within a minute, but can take longer when many guests ask at once.',
    afterProcessing: 'We’ll send it as soon as the photo is ready.',
    spam: 'Didn’t get it? Check your spam folder and the address above.',
    another: 'Send to another address',
  },
  wait: {
    processing: 'Still processing.',
    automatic: 'It will appear here automatically.',
    ready: 'Your photo is ready.',
    checkAgain: 'Check again',
  },
  save: {
    download: 'Download',
    save: 'Save',
    fetching: 'Getting your photo',
    tapAgain: 'Your photo is ready. Tap Save again.',
    nothingHappened: 'Nothing happened? Press and hold the picture, or open this page in your browser.',
    downloadFile: 'Download file',
    share: 'Share',
    expires: 'this link works until',
  },
  sample: {
    note: 'A sample picture. At an event, this is where guests save their own.',
    demo: 'See the big screen',
  },
  gone: {
    photo: {
      heading: 'We can’t show this photo',
      reason: 'Unable to load photo details. The photo may not exist or may be private.',
      advice: 'If you think you should have it, ask the person who took it.',
    },
    expired: {
      heading: 'This link has expired',
      advice: (hours: number) => `Photo links work for ${hours} hours. Scan the code again to get a new one.`,
    },
    unsubscribe: {
      heading: 'This link isn’t valid',
      advice: 'Part of it may be missing. Open it from the email again, or copy the whole link into your browser.',
    },
    unavailable: {
      heading: 'One moment, please',
      advice: 'This page can’t be shown right now. Nothing is lost: it loads again by itself.',
      sendAgain: 'This couldn’t be sent right now. Please go back and send it again in a minute.',
    },
    home: 'Back to Home',
  },
  unsubscribe: {
    ask: {
      heading: 'Stop receiving photos?',
      lead: (host: string) =>
        `Someone entered your email address on a photo page at ${host}. ` +
        `Click the button to stop ${host} from sending photos to this address.`,
      note: 'You can undo this here. Emails about your own account are not affected.',
      button: 'Stop sending me photos',
    },
    stopped: {
      heading: 'No more photos will be sent',
      lead: (host: string) => `${host} won’t send photos to your address, even if someone requests them.`,
      note: 'If you change your mind, open the link in the email again.',
      button: 'Allow photos again',
    },
    allowed: {
      heading: 'You’ll receive photos again',
      lead: (host: string) =>
        `When someone enters your address on a photo page at ${host}, we’ll send the photo to it.`,
      note: 'You can stop them again with the link in any of these emails.',
    },
  },
  report: {
    open: 'Report this photo',
    heading: 'What is wrong with this photo?',
    reasons: {
      me: 'I’m in it and don’t want it shown',
      child: 'It shows a child who should not be shown',
      hurtful: 'It is hurtful or degrading',
      illegal: 'It may be illegal',
      other: 'Something else',
    },
    note: 'Anything to add? (optional)',
    send: 'Send report',
    sending: 'Sending',
    choose: 'Please choose a reason.',
    failed: 'The report couldn’t be sent. Please try again.',
    thanks: 'Thank you',
    thanksLead: 'Your report has reached the person responsible for this photo. They won’t see who sent it.',
    back: 'Back to the photo',
  },
}

/** The section "Ready for tonight?" in Settings. */
export const readiness = {
  name: 'Ready for tonight?',
  lead: 'Check before the first guest arrives.',
  start: 'Check now',
  again: 'Check again',
  results: 'What was checked',
  states: { ok: 'OK', attention: 'Needs attention', pending: 'Waiting', idle: 'Not checked yet' },
  email: {
    title: 'Emails',
    idle: (address: string) => `The check sends a test email to ${address}.`,
    sending: 'The test email is on its way to the mail server.',
    delayed: (reason: string) => `The test email is delayed. ${reason}`,
    sent: (time: string, address: string) =>
      `The mail server accepted the test email at ${time}. Look for it at ${address}.`,
    outbox: (time: string) =>
      `Saved to the server’s outbox folder at ${time}: no mail server is configured, so guests don’t get emails.`,
    failed: (reason: string) => `The test email was not accepted. ${reason}`,
    failedUnknown: 'Ask the person who runs this site to look at the mail server.',
    notSent: 'The test email couldn’t be sent. Please try again.',
    unknown: 'We couldn’t check the status of the test email.',
  },
  code: {
    title: 'Scanning',
    idle: 'The check shows a code. Scan it with a phone that your guests could have, on the network they will use.',
    scan: 'Scan this code with a phone.',
    alt: 'Test code',
    opened: (time: string) => `A phone opened the code at ${time}. Guests can reach this site.`,
    expired: 'The code has expired. Check again for a new one.',
    hint: 'Nothing happens when you scan it? Then the phone can’t reach this site from its network.',
    failed: 'The code couldn’t be made. Please try again.',
  },
  photos: {
    title: 'Photos',
    ok: (left: string, until: string) => `${left} photos left until ${until}.`,
    few: (left: string, most: string, until: string) =>
      `Only ${left} of ${most} photos left until ${until}. Upgrade for more.`,
    none: (until: string) => `No photos left until ${until}. New ones wait in the upload list.`,
  },
  storage: {
    title: 'Storage',
    ok: (left: string) => `${left} left.`,
    few: (left: string, most: string) => `Only ${left} of ${most} left. Delete photos, or choose a larger plan.`,
    none: 'Full. New photos wait in the upload list until you delete others.',
  },
  plan: {
    title: 'Plan',
    free: (name: string) => `${name}, with no end date.`,
    renews: (name: string, date: string) => `${name}, renews on ${date}.`,
    ends: (name: string, date: string) => `${name}, ends on ${date}.`,
    endsSoon: (name: string, date: string, next: string) => `${name} ends on ${date}. Then your plan becomes ${next}.`,
    pastDue: (name: string, date: string) => `A payment is overdue. ${name} continues until ${date}.`,
  },
  connection: {
    title: 'Live connection',
    ok: (time: string) => `Connected. Last contact at ${time}. New photos appear at once.`,
    connecting: 'Connecting to the server.',
    lost: 'Not connected. New photos appear within a minute instead of at once.',
  },
  planUnknown: 'We can’t fetch your plan right now.',
  actions: {
    plans: 'See the plans',
    gallery: 'Open the gallery',
    subscription: 'See your plan',
  },
}

/** Photos that guests reported, and the owner's decision; docs/security.md T41. */
export const reports = {
  heading: 'Reported photos',
  lead: 'Guests lose access to a hidden photo immediately: its codes, pages and email links stop working. You still see it, and you can show it again.',
  reasons: {
    me: 'I’m in it and don’t want it shown',
    child: 'It shows a child',
    hurtful: 'It is hurtful',
    illegal: 'It may be illegal',
    other: 'Another reason',
  },
  badges: { open: 'Needs review', hide: 'Hidden from guests', keep: 'Visible', operator: 'Hidden by the operator' },
  inGallery: 'in the gallery',
  label: (name: string) => `Reports about ${name}`,
  more: (count: number) => (count === 1 ? '1 more report' : `${count} more reports`),
  hide: 'Hide from guests',
  keep: 'Keep visible',
  show: 'Show again',
  /** Of a photo that the operator of the site hid. */
  mistake: 'If you think that this is a mistake:',
  support: 'Contact support',
  undo: 'Undo',
  done: {
    hide: 'Hidden. Guests can no longer open it.',
    keep: 'Guests can open it. Its reports are closed.',
    undo: 'Guests can open it again. It still needs your review.',
    staysHidden: 'It stays hidden from guests.',
  },
  notice: {
    label: 'Reported photos',
    heading: 'A guest reported this photo',
    more: (photos: number) => (photos === 1 ? 'and 1 more photo' : `and ${photos} more photos`),
    review: 'Review',
    dismiss: 'Later',
  },
  sign: (photos: number) => (photos === 1 ? '1 photo reported' : `${photos} photos reported`),
  confirmShow: {
    title: 'Show this photo again?',
    question: 'Guests will be able to open it again through its codes, pages and emails.',
    confirm: 'Show again',
  },
  reviewed: (count: number) => (count === 1 ? '1 photo reviewed' : `${count} photos reviewed`),
  errors: {
    decide: 'Your decision couldn’t be saved. Please try again.',
    undo: 'This couldn’t be undone. Please try again.',
  },
}

/** Photos that guests requested by email. */
export const requests = {
  title: 'Photo Requests',
  summary: {
    all: (count: number, written: string) => (count === 1 ? '1 request' : `${written} requests`),
    sent: (written: string) => `${written} sent`,
    failed: (written: string) => `${written} failed`,
    pending: (written: string) => `${written} pending`,
    list: (parts: string[]) => parts.join(', '),
  },
  refresh: 'Refresh',
  export: 'Export CSV',
  columns: { requester: 'Requester', photo: 'Photo', requested: 'Requested', state: 'State', action: 'Action' },
  states: { queued: 'Queued', sent: 'Sent', failed: 'Failed', waiting: 'Waiting' },
  nextAttempt: (when: string) => `Next attempt ${when}`,
  scheduledFor: (when: string) => `Scheduled for ${when}`,
  inGallery: 'in the gallery',
  view: 'View Photo',
  resend: 'Resend',
  resendTo: (address: string) => `Resend to ${address}`,
  more: 'Show more',
  search: 'Search by email address',
  filter: 'State',
  allStates: 'All states',
  found: (count: number, written: string) => (count === 1 ? '1 request found' : `${written} requests found`),
  noMatch: 'No requests match.',
  showAll: 'Show all requests',
  exportsAll: 'Export CSV contains all requests, not only those found.',
  removal: (day: string, count: number, written: string) =>
    count === 1
      ? `On ${day}, 1 address will be removed. Export it first if you need it.`
      : `On ${day}, ${written} addresses will be removed. Export them first if you need them.`,
  loadingMore: 'Loading more requests',
  resendAll: 'Send all failed again',
  resendFailed: {
    title: 'Send all failed emails again?',
    question: (count: number, written: string) =>
      count === 1
        ? '1 email has failed and will be sent again.'
        : `${written} emails have failed and will be sent again.`,
    details:
      'Guests who have unsubscribed, and photos that are hidden or could not be processed, are left out. The limits for emails apply: some may be sent later.',
    confirm: 'Send again',
    queued: (count: number, written: string) =>
      count === 1 ? '1 email is being sent again.' : `${written} emails are being sent again.`,
    waiting: (count: number, written: string) =>
      count === 1
        ? '1 email will be sent later because of a limit.'
        : `${written} emails will be sent later because of a limit.`,
    refused: (count: number, written: string) =>
      count === 1 ? '1 email can’t be sent again.' : `${written} emails can’t be sent again.`,
    left: (count: number, written: string) =>
      count === 1 ? '1 failed email is left. Send it next.' : `${written} failed emails are left. Send them next.`,
    none: 'No failed emails are left.',
  },
  empty: 'No requests yet. They appear here when a guest requests a photo.',
  askForEmail: 'Ask for an email address',
  filename: (day: string) => `photo-requests-${day}.csv`,
  errors: {
    load: 'Failed to load photo requests. Please try again.',
    more: 'Failed to load more photo requests. Please try again.',
    resend: 'Failed to resend the email. Please try again.',
    resendAll: 'Failed to resend the emails. Some may have been sent. Please try again.',
    export: 'Failed to export photo requests. Please try again.',
  },
}
