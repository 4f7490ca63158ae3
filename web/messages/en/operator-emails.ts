/** Emails to the owner of a photo that an operator hid from guests, or shows again. */
export const operatorEmails = {
  hidden: {
    subject: 'One of your photos was hidden from guests',
    preview: 'The reason, and what you can do about it.',
    heading: 'One of your photos was hidden',
    lead: (filename: string, host: string, when: string) =>
      `The operator of ${host} hid ${filename} from guests on ${when}. Its codes, pages and email links no longer open it.`,
    /** Where the operator wrote no message. */
    why: 'A guest reported it, and it was reviewed.',
    hint: 'You still see it in your gallery, and you can delete it there. If you think that this is a mistake, please write to support.',
    button: 'Contact support',
  },
  shown: {
    subject: 'Your photo is allowed again',
    preview: 'It is in your gallery.',
    heading: 'Your photo is allowed again',
    lead: (filename: string, host: string, when: string) =>
      `The operator of ${host} made ${filename} visible again on ${when}. Its codes, pages and email links work again.`,
    leadStillHidden: (filename: string, host: string, when: string) =>
      `The operator of ${host} made ${filename} visible again on ${when}.`,
    stillHidden:
      'Guests still can’t open it, because you had hidden it yourself. You can show it again in your gallery.',
    button: 'Open the photo',
  },
  message: 'Message from the operator',
  reason: (host: string) => `You’re receiving this email because it concerns a photo of your account at ${host}.`,
}
