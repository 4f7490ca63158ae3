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
    hint: 'In your gallery you see its place and the reason, and can delete it. While it is hidden, nobody can open the photo itself, not even you. If you think that this is a mistake, please write to support.',
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
  /** To the operators, about a payment that its holder disputes at the bank. */
  disputed: {
    subject: (amount: string) => `A payment of ${amount} is disputed`,
    preview: 'What it is about, and what you can do.',
    heading: 'A payment is disputed',
    lead: (account: string, amount: string, when: string) =>
      `The holder of the card or account that paid ${amount} for ${account} disputed this payment at the bank on ${when}. The bank takes the money back until this is decided.`,
    why: (reason: string) => `The reason that the payment provider gives: ${reason}.`,
    respond: (when: string) => `You can send evidence to the payment provider until ${when}, on its own page.`,
    ends: 'The plan continues for now. If the dispute is lost, the subscription is cancelled without a refund, and the plan ends.',
    button: 'Open the account',
    reason: (host: string) => `You’re receiving this email because you operate ${host}.`,
  },
}
