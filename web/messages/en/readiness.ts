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
