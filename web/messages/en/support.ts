import { emailProblemMessages } from '@keepsnap/contract/emails.ts'
import { productName } from '@keepsnap/contract/product.ts'

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
