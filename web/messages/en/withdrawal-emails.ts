/** The receipt of a withdrawal from a contract. It repeats what the person wrote, as the law wants. */
export const withdrawalEmails = {
  subject: 'Your withdrawal from the contract',
  preview: (when: string) => `Made on ${when}.`,
  lead: (host: string, when: string) =>
    `On ${when}, you withdrew from a contract at ${host}. This email is your receipt; please keep it.`,
  declared: 'What was declared',
  declaration: 'I withdraw from this contract.',
  labels: { name: 'Name', email: 'Email', contract: 'Contract', made: 'Made on' },
  accepted: (plan: string) =>
    `${plan} has ended, and what you paid for this contract is on its way back, by the way in which you paid. Another email says how much it is.`,
  acceptedPlan: 'Your plan',
  link: (plan: string, concluded: string) =>
    `We found this contract: ${plan}, made on ${concluded}. Press the button, and confirm on the page that it opens: the plan ends and your money goes back at once.`,
  linkOr: (date: string) =>
    `If you don’t, we do it ourselves, by ${date} at the latest. Your withdrawal counts from the moment it was made.`,
  unmatched:
    'No contract that is going on was found with this email address. If you used another address for your account, or mean a contract that has ended, answer this email or write to support: we look for it.',
  late: (plan: string, concluded: string, until: string) =>
    `We found this contract: ${plan}, made on ${concluded}. The time to withdraw from it was over on ${until}, so the plan goes on.`,
  lateAdvice: (days: number) =>
    `You may still get your money back: within ${days} days of your first payment, once per account, in Settings. We look at your withdrawal too, and write to you if it counts after all.`,
  closed:
    'We have looked at this withdrawal, and there is nothing left to do. If you think that this is a mistake, answer this email or write to support.',
  looking:
    'We are looking for your contract. Another email follows and says what we found. Your withdrawal counts from the moment it was made.',
  button: 'End plan and get the money back',
  reason: (host: string) =>
    `You’re receiving this email because this address was entered in a withdrawal at ${host}. If this wasn’t you, you can ignore this email.`,
}

/** The page of the link in that receipt. */
export const withdrawalLink = {
  title: 'Your withdrawal',
  description: 'Complete your withdrawal from a contract.',
  ask: {
    heading: (plan: string) => `End ${plan} and get your money back?`,
    lead: (when: string) => `You withdrew from this contract on ${when}.`,
    effect:
      'The plan ends at once, and what you paid for this contract goes back by the way in which you paid. Your account stays, with the Free plan.',
    button: 'End plan and get the money back',
  },
  accepted: {
    heading: (plan: string) => `${plan} is ending`,
    lead: 'Your money is on its way back. This can take a moment; you need not do anything.',
  },
  done: {
    heading: (plan: string) => `${plan} has ended`,
    refunded: (amount: string) => `We have paid back ${amount}. Your bank can take some days to show it.`,
    nothing: 'There was nothing left to pay back.',
  },
  closed: {
    heading: 'There is nothing to do',
    lead: 'This withdrawal is closed. If you think that this is a mistake, write to support.',
  },
  gone: {
    heading: 'This link isn’t valid',
    advice: 'Part of it may be missing, or it is too old. Open it from the email again, or write to support.',
  },
  support: 'Contact support',
}
