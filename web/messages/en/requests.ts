/** Photos that guests requested by email. */
export const requests = {
  title: 'Photo Requests',
  heading: 'Photo Requests',
  summary: {
    all: (count: number, written: string) => (count === 1 ? '1 request' : `${written} requests`),
    sent: (written: string) => `${written} sent`,
    failed: (written: string) => `${written} failed`,
    pending: (written: string) => `${written} pending`,
    list: (parts: string[]) => parts.join(', '),
  },
  refresh: 'Refresh',
  export: 'Export CSV',
  columns: { requester: 'Requester', photo: 'Photo', requested: 'Requested', state: 'State', action: 'Action' },
  states: { queued: 'Queued', sent: 'Sent', failed: 'Failed', waiting: 'Waiting' },
  nextAttempt: (when: string) => `Next attempt ${when}`,
  scheduledFor: (when: string) => `Scheduled for ${when}`,
  inGallery: 'in the gallery',
  view: 'View Photo',
  resend: 'Resend',
  resendTo: (address: string) => `Resend to ${address}`,
  more: 'Show more',
  search: 'Search by email address',
  filter: 'State',
  allStates: 'All states',
  found: (count: number, written: string) => (count === 1 ? '1 request found' : `${written} requests found`),
  noMatch: 'No requests match.',
  showAll: 'Show all requests',
  exportsAll: 'Export CSV contains all requests, not only those found.',
  removal: (day: string, count: number, written: string) =>
    count === 1
      ? `On ${day}, 1 address will be removed. Export it first if you need it.`
      : `On ${day}, ${written} addresses will be removed. Export them first if you need them.`,
  loadingMore: 'Loading more requests',
  resendAll: 'Send all failed again',
  resendFailed: {
    title: 'Send all failed emails again?',
    question: (count: number, written: string) =>
      count === 1
        ? '1 email has failed and will be sent again.'
        : `${written} emails have failed and will be sent again.`,
    details:
      'Guests who have unsubscribed, and photos that are hidden or could not be processed, are left out. The limits for emails apply: some may be sent later.',
    confirm: 'Send again',
    queued: (count: number, written: string) =>
      count === 1 ? '1 email is being sent again.' : `${written} emails are being sent again.`,
    waiting: (count: number, written: string) =>
      count === 1
        ? '1 email will be sent later because of a limit.'
        : `${written} emails will be sent later because of a limit.`,
    refused: (count: number, written: string) =>
      count === 1 ? '1 email can’t be sent again.' : `${written} emails can’t be sent again.`,
    left: (count: number, written: string) =>
      count === 1 ? '1 failed email is left. Send it next.' : `${written} failed emails are left. Send them next.`,
    none: 'No failed emails are left.',
  },
  empty: 'No requests yet. They appear here when a guest requests a photo.',
  askForEmail: 'Ask for an email address',
  filename: (day: string) => `photo-requests-${day}.csv`,
  errors: {
    load: 'Failed to load photo requests. Please try again.',
    more: 'Failed to load more photo requests. Please try again.',
    resend: 'Failed to resend the email. Please try again.',
    resendAll: 'Failed to resend the emails. Some may have been sent. Please try again.',
    export: 'Failed to export photo requests. Please try again.',
  },
}
