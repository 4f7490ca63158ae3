import { contributorNameMessages } from '@keepsnap/contract/form-rules.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'

/** The card "Helpers" on the page of an event. */
export const helpers = {
  heading: 'Helpers',
  lead: 'Somebody you trust looks at the photos of guests for you, on their own phone and without an account. They see this event only: no settings, no addresses, no originals.',
  none: 'There is no helper yet.',
  list: 'Helpers of this event',
  add: 'Add a helper',
  name: 'Their name',
  names: contributorNameMessages,
  nameHint: `It stands beside what they decide. The link works on one device, until the day after the event, or for ${eventLimits.helperHours} hours when there is no date to come.`,
  create: 'Make the link',
  loadFailed: 'We couldn’t load the helpers.',
  failed: 'We couldn’t save that. Please try again.',
  states: {
    new: 'Not begun',
    begun: 'On a device',
    asks: 'Another device asks',
    ended: 'Ended',
  },
  until: (when: string) => `Works until ${when}`,
  since: (when: string) => `On one device since ${when}`,
  lastSeen: (when: string) => `Last active ${when}`,
  asked: (when: string) =>
    `Another device has used the link since ${when}. Allow it only if your helper has changed phones.`,
  counts: (approved: string, rejected: string, hidden: string) =>
    `Approved: ${approved}. Rejected: ${rejected}. Hidden: ${hidden}.`,
  nothing: 'Nothing decided yet.',
  allow: 'Allow this device',
  allowed: 'Allowed. The device before works no longer.',
  newLink: 'New link',
  undo: 'Undo all',
  end: 'End',
  remove: 'Remove',
  /** For screen readers: a button of one helper. */
  of: (action: string, name: string) => `${action}: ${name}`,
  link: {
    title: (name: string) => `Link for ${name}`,
    lead: 'Let your helper scan this code, or send them the link. It is shown only now, and the first device that begins with it keeps it.',
    qr: 'QR code of the link',
    label: 'Link for the helper',
    close: 'Done',
  },
  renewal: {
    title: (name: string) => `A new link for ${name}?`,
    question: 'The link before stops working at once, also on the device that uses it.',
    submit: 'Make a new link',
  },
  undoing: {
    title: (name: string) => `Undo what ${name} did?`,
    question: (waiting: string, hidden: string) =>
      `Photos that wait again: ${waiting}. Photos that are shown again: ${hidden}. What you have decided since stays.`,
    open: 'This helper can go on. End the access first if you don’t want that.',
    confirm: 'Undo all',
    done: (waiting: string, shown: string) => `Undone. Waiting again: ${waiting}. Shown again: ${shown}.`,
  },
  ending: {
    title: (name: string) => `End the access of ${name}?`,
    question: 'It ends at once. What was decided stays, and you can still undo it.',
    confirm: 'End',
    done: 'Ended. The link works no longer.',
  },
  removal: {
    title: (name: string) => `Remove ${name}?`,
    question: 'The name is deleted. What was decided stays, but can’t be undone together any more.',
    confirm: 'Remove',
    done: 'Removed.',
  },
}

/** Who decided, beside a photo. */
export const reviewedBy = {
  named: (name: string) => `By ${name}`,
  helper: 'By a helper',
}

/** The page that the link of a helper opens. */
export const helping = {
  title: 'Help with the photos',
  begin: {
    heading: 'Help with the photos',
    lead: 'You have been asked to look at the photos of guests: which ones may be shown, and which not.',
    device: 'The link works on one device. Press the button on the phone that you will use.',
    button: 'Begin',
    failed: 'That didn’t work. Please try again.',
  },
  refused: {
    heading: 'This link is used on another device',
    lead: 'Please ask the host to allow this device: on the page of the event, under Helpers. This page goes on by itself then.',
    waiting: 'Waiting for the host…',
  },
  ended: {
    heading: 'This link doesn’t work any more',
    lead: 'It has expired, the host has ended it, or another device uses it now. Ask the host for a new one if you are still helping. Thank you for your help.',
  },
  until: (name: string, when: string) => `${name}, until ${when}`,
  shown: 'Shown',
  loadFailed: 'We couldn’t load the photos.',
  noneShown: 'Guests can’t see any photos yet.',
  listLabel: 'Photos that guests can see',
  fromHosts: 'From the hosts',
  hidden: 'Hidden',
  held: 'On the screen now',
  hide: 'Hide',
  show: 'Show again',
  hold: 'Hold on the screen',
  release: 'Release',
  of: (action: string, who: string) => `${action}. ${who}`,
  hiddenNow: 'Hidden. Guests can’t see it any more.',
  shownNow: 'Guests can see it again.',
  heldNow: 'The screens hold this photo for ten minutes.',
  releasedNow: 'Released.',
  unchanged: 'That was changed somewhere else meanwhile.',
  failed: 'We couldn’t change that. Please try again.',
}

/** The email to the owner. */
export const helperEmails = {
  created: {
    subject: 'A helper was added to your event',
    heading: 'A helper has a link to your event',
    lead: (when: string, name: string) =>
      `On ${when} a link was made with which ${name} can see the photos of one of your events, approve, reject and hide them, without an account.`,
    hint: 'If this was you, you don’t need to do anything. If not, set a new password now. When you sign in with it, you can end the access.',
  },
}
