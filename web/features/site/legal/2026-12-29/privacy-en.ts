import { text as before } from '../2026-11-23/privacy-en.ts'
import { amend } from '../amend.ts'

const security = 'To keep accounts and the service safe (legitimate interest)'

/** The Privacy Policy in English. */
export const text = amend(before, ({ values: v }) => ({
  'What the pages need to work':
    'What the pages need to work is stored on your device without asking, as the law allows. It stays there: only the session’s token, the language and, when you sign in, the device cookie are sent to us.',
  'language (Cookie)': [
    ['language (Cookie)', 'The language you chose, if you chose one', `${v.languageDays} days`],
    [
      'device (Cookie)',
      'Recognizes this browser when you sign in again, so that others who try passwords cannot hold you up, and so that you are told about sign-ins with other browsers. Of your account it holds a hash with a secret key, from which it cannot be read, and it signs nobody in',
      `${v.deviceCookieDays} days after you last signed in, or until you clear it. It counts for nothing once you change your password`,
    ],
    [
      'unsent-uploads-* (Local storage)',
      'The names of the photos you are uploading, so that after a reload you read which were not sent, and those that arrived are left out',
      'Until all are uploaded, you close the message or you sign out',
    ],
  ],
  '**Messages to support**': [
    [
      '**Messages to support**: name, email address, subject, message, your account if you are signed in, and pseudonyms as above, of IPv6 also of the two wider networks, against floods. They also go by email to those who answer',
      'To answer you (contract, legitimate interest)',
      `${v.supportAnsweredDays} days after the answer; ${v.supportOpenDays} days without one, ${v.supportSuspectedDays} days if it looks like spam; the pseudonyms ${v.requestAttemptDays} day`,
    ],
  ],
  '**Wrong passwords**': [
    [
      '**Wrong passwords**: the email address that was typed, the number of attempts and, where you signed in before, the IP address or the random number of the browser from its device cookie',
      security,
      `${v.passwordAttemptDays} day after the last attempt`,
    ],
  ],
  '**Counters**': [
    [
      '**Counters**: how often an IP address (of IPv6, a network), a browser with a device cookie, an account or a key called something that has a limit',
      security,
      `About ${v.rateHitMinutes} minutes; of uploads, about ${v.uploadHitMinutes} minutes`,
    ],
  ],
}))
