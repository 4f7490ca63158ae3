const photos = (count: number, written: string): string => (count === 1 ? '1 photo' : `${written} photos`)

/** The count of waiting photos, in the account menu, on Latest and on pages of events. */
export const reviewCount = {
  waiting: (count: number, written: string) => (count === 1 ? '1 photo waits' : `${written} photos wait`),
  /** On Latest, as short as possible. */
  review: 'Review',
  /** In the account menu. */
  of: (event: string) => `Review “${event}”`,
}

/** The page where the owner of an event looks at the photos of guests. */
export const review = {
  title: 'Review',
  lead: (count: number, written: string) =>
    count === 1 ? '1 photo from guests waits.' : `${written} photos from guests wait.`,
  /** The two lists. */
  lists: 'Photos',
  waiting: 'Waiting',
  decided: 'Decided',
  loadFailed: 'We couldn’t load the photos.',
  stale: 'We couldn’t load the photos again. This list may be old.',
  missing: 'This event doesn’t exist anymore.',
  empty: 'All looked at. New ones appear here by themselves.',
  off: 'Guests can’t add photos to this event.',
  settings: 'Open the event',
  screen: 'Open the screen',
  photo: 'Photo to review',
  from: (name: string) => `From ${name}`,
  fromGuest: 'From a guest',
  /** Who added a photo, and at which table or when. */
  fromWhere: (who: string, where: string) => `${who}, ${where}`,
  alt: (who: string) => `Photo. ${who}`,
  position: (position: string, count: string) => `${position} of ${count}`,
  hiddenByOperator: 'The operator of this site has hidden this photo.',
  approve: 'Approve',
  reject: 'Reject',
  previous: 'Previous photo',
  next: 'Next photo',
  undo: 'Undo',
  keys: 'Keyboard shortcuts',
  keysHint: 'A approves, R rejects, U takes back, arrows show the other photos',
  swipeHint: 'Swipe right to approve, left to reject.',
  rejectedHint: (days: number) => `Rejected photos stay with you for ${days} days. Guests aren’t told why.`,
  /** What was done, beside the buttons; for screen readers with what comes next. */
  done: {
    approved: (count: number, written: string) => (count === 1 ? 'Approved.' : `${photos(count, written)} approved.`),
    rejected: (count: number, written: string) => (count === 1 ? 'Rejected.' : `${photos(count, written)} rejected.`),
    waiting: (count: number, written: string) =>
      count === 1 ? 'Taken back. It waits again.' : `Taken back. ${photos(count, written)} wait again.`,
    nothing: 'There is nothing to undo.',
  },
  following: (who: string) => `Next: ${who}`,
  unsent: (count: number, written: string) =>
    count === 1
      ? 'No connection. 1 decision is sent as soon as there is one.'
      : `No connection. ${written} decisions are sent as soon as there is one.`,
  failed: (count: number, written: string) =>
    count === 1
      ? 'We couldn’t save what you decided. The photo waits again.'
      : `We couldn’t save what you decided about ${written} photos. They wait again.`,
  conflict: (count: number, written: string) =>
    count === 1
      ? 'Somebody else had decided about this photo already. That stays.'
      : `Somebody else had decided about ${written} photos already. That stays.`,
  gone: (count: number, written: string) =>
    count === 1 ? 'The photo doesn’t exist anymore.' : `${written} photos don’t exist anymore.`,
  all: {
    open: (written: string) => `Approve all ${written}`,
    title: (written: string) => `Approve all ${written}?`,
    seen: (seen: number, written: string) =>
      seen === 0 ? 'You have seen none of them.' : `You have seen ${written} of them.`,
    question: 'Guests can see them at once, and the screen shows the newest one.',
    confirm: (written: string) => `Approve all ${written}`,
    dismiss: 'Keep looking',
  },
  block: {
    open: 'Block this guest',
    title: (name: string) => `Block ${name}?`,
    titleGuest: 'Block this guest?',
    question: (count: number, written: string) =>
      count === 1
        ? 'Their photo is rejected if it waits, and hidden if guests can see it. They can add no more.'
        : `This is about all of their ${written} photos: those that wait are rejected, those that guests can see are hidden. They can add no more.`,
    review:
      'A new phone would count as another guest. So from now on photos of guests wait for you, instead of being shown at once.',
    confirm: 'Block',
    done: (rejected: string, hidden: string) => `Blocked. Rejected: ${rejected}. Hidden: ${hidden}.`,
    undone: (rejected: string, hidden: string) =>
      `No longer blocked. Waiting again: ${rejected}. Shown again: ${hidden}.`,
    reviewOn: 'Photos of guests wait for your review from now on.',
    failed: 'We couldn’t block this guest. Please try again.',
    undoFailed: 'We couldn’t undo that. Please try again.',
  },
  blocked: 'Blocked',
  unblock: 'Unblock this guest',
  pause: { label: 'Pause', on: 'Go on', saved: 'Saved.', failed: 'We couldn’t save that. Please try again.' },
  adding: {
    paused: 'Paused: guests can’t add photos for now.',
    full: 'No more photos of guests fit. The limit of the event, of your plan or of its storage is reached.',
    ended: 'Adding photos has ended for this event.',
  },
  list: {
    empty: 'Nothing decided yet.',
    label: 'Decided photos',
    approved: 'Approved',
    rejected: 'Rejected',
    hidden: 'Hidden',
    gone: (day: string) => `Deleted on ${day}`,
    back: 'Back to waiting',
    backNamed: (who: string) => `Back to waiting. ${who}`,
    more: 'Show more',
    moved: 'The photo waits again.',
    conflict: 'That was changed somewhere else meanwhile.',
    failed: 'We couldn’t change that. Please try again.',
  },
}
