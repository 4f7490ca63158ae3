import { emailSentences } from '@keepsnap/contract/emails.ts'
import { requestAccepted, requestConsent } from '@keepsnap/contract/requests.ts'

/** What guests read: people who scanned a code or followed a letter, and know nothing of the product. */
export const guest = {
  titles: {
    request: 'Get your photo',
    photo: 'Your photo',
    reported: 'Report this photo',
    gone: 'Photo not available',
    expired: 'Link expired',
    stop: 'Photos by e-mail',
    unknown: 'Link not known',
  },
  descriptions: {
    request: 'Leave your e-mail address and the photo is on its way.',
    photo: 'Your photo is ready to save.',
    other: 'Photos by scan.',
  },
  yourPhoto: 'Your photo',
  madeWith: 'Made with',
  request: {
    heading: 'Where shall we send your photo?',
    label: 'Your e-mail address',
    placeholder: 'name@example.com',
    send: 'Send Photo',
    sending: 'Sending',
    cancel: 'Cancel',
    consent: requestConsent.sentence,
    failed: 'Failed to submit request. Please try again later.',
    offline: 'You seem to be offline. Check the connection and try again; your address stays here.',
    problems: emailSentences,
    website: 'Leave this empty',
    off: {
      heading: 'Photos can’t be sent from here yet',
      lead: 'E-mail is not set up on this Keepsnap. Ask the person who shared the code for another way to get the photo.',
    },
  },
  sent: {
    heading: 'Request Submitted!',
    toast: requestAccepted,
    onItsWay: 'Your photo is on its way to',
    soon: 'It should be there within a minute; when many ask at once, it can take longer.',
    afterDeveloping: 'It goes as soon as the photo is developed.',
    spam: 'Not there? Look in spam, or check the address above.',
    another: 'Send to another address',
  },
  wait: {
    still: 'Still developing.',
    byItself: 'It appears here by itself.',
    here: 'Your photo is here.',
    lookAgain: 'Look again',
  },
  save: {
    download: 'Download',
    save: 'Save',
    getting: 'Getting your photo',
    ready: 'Your photo is ready. Tap Save once more.',
    plain: 'Plain file',
    share: 'Share',
    until: 'this link works until',
  },
  gone: {
    photo: {
      heading: 'We can’t show this photo',
      why: 'Unable to load photo details. The photo may not exist or may be private.',
      what: 'Ask the person who took it for a new code.',
    },
    expired: {
      heading: 'This link has expired',
      what: (hours: number) =>
        `Links to photos work for ${hours} hours. Scan the code again and we send you a new one.`,
    },
    stop: {
      heading: 'We don’t know this link',
      what: 'A part of it may be missing. Open it from the letter once more, or copy all of it into your browser.',
    },
    home: 'Back to Home',
  },
  stop: {
    ask: {
      heading: 'No more photos to your address?',
      what: (host: string) =>
        `Your address was typed on the page of a photo, so a letter with it came to you. ` +
        `Press the button, and ${host} sends no more photos to the address that the letter came to, whoever asks.`,
      fine: 'You can take it back here. Letters about an account of your own will still come.',
      button: 'Stop photos to my address',
    },
    stopped: {
      heading: 'No more photos will be sent',
      what: (host: string) =>
        `From now on ${host} sends no photos to the address that the letter came to, whoever asks.`,
      fine: 'If you change your mind later, the same link brings you back here.',
      button: 'Let photos come again',
    },
    allowed: {
      heading: 'Photos can come again',
      what: (host: string) =>
        `When the address that the letter came to is typed on the page of a photo, ${host} sends it the photo.`,
      fine: 'The link in any of these letters stops them again.',
    },
  },
  report: {
    open: 'Report this photo',
    heading: 'What is wrong with this photo?',
    reasons: {
      me: 'I am in it and don’t want it shown',
      child: 'It shows a child who should not be shown',
      hurtful: 'It is hurtful or degrading',
      illegal: 'It may be illegal',
      other: 'Something else',
    },
    note: 'Anything to add? (optional)',
    send: 'Send report',
    sending: 'Sending',
    choose: 'Please choose a reason.',
    failed: 'The report could not be sent. Please try again.',
    thanks: 'Thank you',
    thanksLead: 'Your report has reached the person responsible for this photo. They don’t learn who sent it.',
    back: 'Back to the photo',
  },
}
