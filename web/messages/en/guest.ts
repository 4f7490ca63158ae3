import { emailProblemMessages } from '@keepsnap/contract/emails.ts'
import { requestAccepted, requestConsent } from '@keepsnap/contract/requests.ts'

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
