import { eventLimits } from '@keepsnap/contract/event-limits.ts'

/** The cards "All photos" and "Send a link to everything" on the page of an event. */
export const eventArchive = {
  heading: 'All photos as one file',
  lead: 'The full-size photos under their own names, also those that you have hidden. You can start again where a download was cut off.',
  size: (count: number, written: string, size: string) =>
    count === 1 ? `1 photo, ${size}` : `${written} photos, ${size}`,
  none: 'There are no photos to download yet.',
  download: 'Download all',
  failed: 'The size of the download couldn’t be found out.',
  grants: {
    heading: 'Send a link to everything',
    lead: `For the hosts, a client or a friend: a link to all photos that guests may see, without an account and whatever the gallery says. It works for ${eventLimits.grantDays} days. You can revoke it at any time.`,
    address: 'Email address',
    placeholder: 'name@example.com',
    emailNeeded: 'Please enter an email address, such as name@example.com.',
    send: 'Send the link',
    sent: (address: string) => `The link is on its way to ${address}.`,
    failedToSend: 'The link couldn’t be sent. Please try again.',
    list: 'Links that you sent',
    none: 'No link has been sent yet.',
    until: (date: string) => `Works until ${date}`,
    expired: 'Expired',
    revoked: 'Revoked',
    states: { queued: 'Sending', sent: 'Sent', failed: 'Not sent' },
    resend: 'Send again',
    resendTo: (address: string) => `Send the link to ${address} again`,
    revoke: 'Revoke',
    revokeOf: (address: string) => `Revoke the link of ${address}`,
    loadFailed: 'The links couldn’t be loaded.',
    revocation: {
      title: 'Revoke this link?',
      question: (address: string) =>
        `The link that ${address} got stops working at once, and downloads under way end. Photos that were saved already stay with them.`,
      confirm: 'Revoke',
      keep: 'Keep',
      failed: 'The link couldn’t be revoked. Please try again.',
      done: 'Revoked. The link no longer works.',
    },
  },
}

/** The page that the link opens. */
export const eventGrant = {
  description: 'All photos of this event.',
  from: (brandName: string) => `from ${brandName}`,
  size: (count: number, written: string, size: string) =>
    count === 1 ? `1 photo, ${size}` : `${written} photos, ${size}`,
  download: 'Download everything',
  hint: 'One ZIP file. On a computer it opens with a double click; on a phone you need room for it, and the app Files. A download that was cut off can go on.',
  until: (when: string) =>
    `This link works until ${when}. Please don’t share it: whoever has it can see all of these photos.`,
  none: 'There are no photos yet. Open this link again later.',
  processing: (count: number) =>
    count === 1 ? '1 more photo is being prepared.' : `${count} more photos are being prepared.`,
  photos: 'Photos, newest first',
  photo: (number: string) => `Photo ${number}`,
  save: 'Save',
  saveOne: (number: string) => `Save photo ${number}`,
  older: 'Older photos',
  newest: 'Newest photos',
  gone: {
    heading: 'This link doesn’t work any more',
    advice: `Links to all photos of an event work for ${eventLimits.grantDays} days, or until they are revoked. Ask the person who sent it for a new one.`,
  },
}

/** The emails about such links: to whom has the photos, and to the owner. */
export const eventGrantEmails = {
  grant: {
    subject: (eventName: string) => `All photos of ${eventName}`,
    preview: 'A link to look at them and download them.',
    lead: (eventName: string, from: string) => `${from} gives you all photos of ${eventName}.`,
    count: (count: number, written: string) =>
      count === 0
        ? 'They appear on the page as soon as there are some.'
        : count === 1
          ? 'There is 1 photo now. Those that are added later are there as well.'
          : `There are ${written} photos now. Those that are added later are there as well.`,
    private: 'You need no account. Please don’t pass the link on: whoever has it can see all of these photos.',
    button: 'See the photos',
    expiry: (when: string) => `The link works until ${when}.`,
    ignore: 'If you don’t know who sent it, you can ignore this email.',
    reason: (host: string) =>
      `You’re receiving this email because somebody at ${host} sent you the photos of an event.`,
  },
  created: {
    subject: 'You sent a link to all photos of an event',
    heading: 'A link to all photos was sent',
    lead: (when: string, address: string) =>
      `On ${when} a link to all photos of one of your events was sent to ${address}. Whoever has it can see and download them.`,
    hint: 'If this was you, you don’t need to do anything. If not, set a new password now. When you sign in with it, you can revoke the link.',
  },
}

/** The emails that guests of an event ask for: several photos, all of them, and that the gallery is open. */
export const eventRequestEmails = {
  photos: {
    subject: (count: string, brandName: string | null) =>
      brandName === null ? `The ${count} photos you asked for` : `Your ${count} photos from ${brandName}`,
    heading: 'Here are your photos',
    lead: 'Open each of them and save it to your phone.',
    one: (number: string) => `Photo ${number}`,
    expiry: (when: string) => `The links work until ${when}.`,
    reason: (host: string) =>
      `You’re receiving this email because your address was entered on a photo page at ${host}. ` +
      `We use it to send these photos, nothing else.`,
  },
  archive: {
    preview: 'A link to download them as one file.',
    lead: (count: number, written: string, size: string) =>
      count === 1 ? `There is 1 photo now, ${size}.` : `There are ${written} photos now, ${size} as one file.`,
    hint: 'Open the link on a computer: phones often cannot open a file that large. It works only while the gallery is open.',
    button: 'Download the photos',
  },
  open: {
    subject: (eventName: string) => `The photos of ${eventName} are open`,
    preview: 'You asked us to tell you.',
    heading: 'The photos are open',
    lead: (eventName: string) => `You can see the photos of ${eventName} now.`,
    button: 'See the photos',
    reason: (host: string) =>
      `You’re receiving this email because your address was entered on an event’s page at ${host}, to be told when its photos are open. ` +
      `We have deleted it from that list now.`,
  },
}
