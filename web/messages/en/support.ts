import { accountLimits, limits } from '@keepsnap/contract/limits.ts'
import { emailProblemMessages } from '@keepsnap/contract/form-rules.ts'
import { productName } from '@keepsnap/contract/site.ts'

/** The confirmation of a message to support. It carries no text of the sender; docs/security.md T29. */
export const supportEmails = {
  received: {
    subject: 'We have received your message',
    preview: 'We will answer by email.',
    lead: (host: string, when: string) => `We received your message to ${host} support on ${when}.`,
    answer: 'We will answer by email to this address. You don’t need to do anything.',
    reason: (host: string) =>
      `You’re receiving this email because this address was entered in the contact form at ${host}. ` +
      `If this wasn’t you, you can ignore this email.`,
  },
}

/**
 * Questions and answers of the support page, besides those about plans in `claims`. The keys are in the addresses of the
 * questions: they stay when a question is worded anew.
 */
export const supportQuestions = {
  event: {
    heading: 'At the event',
    questions: {
      connection: {
        question: 'What should I do if the screen loses its connection?',
        answer:
          'Leave Latest open. The last photo and its code stay on the screen, and the connection comes back automatically. Photos that you upload meanwhile wait in the upload list. If it takes longer than a minute, check the network of the computer: guest networks often ask for a new sign-in after some time.',
      },
      scan: {
        question: 'Guests scan the code, but nothing opens',
        answer:
          'Their phones need a connection through which they can reach this site. Settings, Ready for tonight? shows a test code that you can scan yourself. Make sure that no lamp reflects on the screen, and that nothing covers the white edge around the code.',
      },
      screens: {
        question: 'Can I show the photos on several screens?',
        answer: 'Yes. Sign in and open Latest on each of them: all of them show a new photo as soon as it is ready.',
      },
      awake: {
        question: 'How do I keep the screen on?',
        answer:
          'While Latest is open, it keeps the screen of the computer on. Televisions and projectors can have a sleep timer of their own: switch it off before the evening.',
      },
    },
  },
  photos: {
    heading: 'Photos and guests',
    questions: {
      email: {
        question: 'A guest’s email didn’t arrive',
        answer:
          'Photo Requests shows the status of each email. Most of the time it is in the spam folder, or the address has a typo: the guest can then scan the code again. An email that has failed can be sent again from there.',
      },
      link: {
        question: 'How long does the link in a guest’s email work?',
        answer: `${limits.grantHours} hours, for this one photo and as often as the guest likes. After that, the guest can scan the code again.`,
      },
      remove: {
        question: 'Somebody wants their photo removed',
        answer:
          'Open the photo in the Gallery and hide or delete it. Guests can’t open it any more from that moment on, neither with its codes nor with links in emails. Guests can also report a photo on its page: you get an email and decide.',
      },
      addresses: {
        question: 'What happens to the email addresses of guests?',
        answer: `They are used to send the photo that the guest asked for, nothing else. You see them in Photo Requests. They are deleted after ${limits.requestDays} days.`,
      },
    },
  },
  account: {
    heading: 'Your account',
    questions: {
      password: {
        question: 'I forgot my password',
        answer: `Choose “Forgot your password?” on the sign-in page. We email you a link to set a new one. It works for ${accountLimits.resetMinutes} minutes.`,
      },
      data: {
        question: 'How do I download my data or delete my account?',
        answer: `Both are in Settings. We email you a link to one file with everything in your account; it works for ${accountLimits.exportDays} days. A deleted account can’t be restored: your photos are gone and printed codes stop working.`,
      },
    },
  },
  plans: { heading: 'Plans and payment' },
}

/** The support page, and the page that answers its form without JavaScript. */
export const support = {
  title: 'Support',
  description: `Answers to questions about ${productName}, and a form to write to us.`,
  lead: 'Most questions are answered here. For the rest, write to us.',
  write: 'Write to us',
  questions: 'Questions and answers',
  linkTo: (question: string) => `Link to “${question}”`,
  fields: { name: 'Name', email: 'Email', subject: 'Subject', message: 'Message' },
  charactersLeft: (count: number, written: string) => (count === 1 ? '1 character left' : `${written} characters left`),
  charactersOver: (count: number, written: string) =>
    count === 1 ? '1 character too many' : `${written} characters too many`,
  send: 'Send message',
  sendAgain: 'Send again',
  sending: 'Sending',
  // A field that only bots see and fill in.
  honeypot: 'Leave this empty',
  privacy: 'We use your name and address to answer you, nothing else.',
  priority: 'Your plan has priority support: your message is answered first.',
  problems: {
    name: { missing: 'Please enter your name', long: (most: string) => `Please use at most ${most} characters` },
    subject: { missing: 'Please enter a subject', long: (most: string) => `Please use at most ${most} characters` },
    message: { missing: 'Please write a message', long: (most: string) => `Please use at most ${most} characters` },
    email: emailProblemMessages,
  },
  failed: 'Your message was not sent.',
  offline: 'You seem to be offline. Check your connection and try again.',
  tryAgain: 'Please try again later.',
  tooMany: (wait: string) => `Too many messages have come from your network. Please try again in ${wait}.`,
  waitMinutes: (minutes: number) => (minutes === 1 ? 'a minute' : `${minutes} minutes`),
  waitHours: (hours: number) => (hours === 1 ? 'an hour' : `${hours} hours`),
  stillHere: 'Your text is still here.',
  orEmail: 'Or email us at',
  sent: {
    heading: 'Message sent',
    answer: 'We have received your message. We will answer by email to',
    spam: 'No answer? Check your spam folder and the address above.',
    another: 'Write another message',
    home: 'Go Home',
    back: 'Back to Support',
  },
}
