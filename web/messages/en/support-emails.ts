/** The confirmation of a message to support. It carries no text of the sender; docs/security.md T29. */
export const supportEmails = {
  received: {
    subject: 'We have received your message',
    preview: 'We will answer by email.',
    heading: 'We have received your message',
    lead: (host: string, when: string) => `We received your message to ${host} support on ${when}.`,
    answer: 'We will answer by email to this address. You don’t need to do anything.',
    reason: (host: string) =>
      `You’re receiving this email because this address was entered in the contact form at ${host}. ` +
      `If this wasn’t you, you can ignore this email.`,
  },
}
