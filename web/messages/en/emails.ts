import type { CsvWord } from '@keepsnap/contract/languages.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { productName } from '@keepsnap/contract/site.ts'

/** Tables that owners save. */
interface CsvMessages {
  /** Translations by the server's word; null where the words of the server are shown. */
  words: Readonly<Record<CsvWord, string>> | null
}

/** In English, the words of the server are shown. */
export const csv: CsvMessages = { words: null }

/** Emails. The templates escape the values given to the functions. Emails contain no advertising. */
export const emails = {
  operator: (name: string) => `Sent with ${productName}, operated by ${name}.`,
  beforeLink: (link: string) => `${link}:`,
  copyLink: 'If the button doesn’t work, copy this link into your browser:',
  settings: 'Open Settings',
  pricing: 'See the plans',
  /** What emails about the security of an account have in common. */
  security: {
    preview: 'If this was you, you don’t need to do anything.',
    button: 'Set a new password',
    reason: (host: string) =>
      `You’re receiving this email because it concerns the security of your account at ${host}.`,
  },
  /** After a key or a webhook was created. */
  accessHint:
    'If this was you, you don’t need to do anything. If not, set a new password now. When you sign in with it, you can delete the API keys and webhooks that aren’t yours.',
  photo: {
    subject: (brandName: string | null) =>
      brandName === null ? 'The photo you asked for' : `Your photo from ${brandName}`,
    sender: (brandName: string | null) => `${brandName ?? 'A photographer'}, by ${productName}`,
    heading: 'Here is your photo',
    pictureAlt: 'Your photo',
    lead: 'Open it and save it to your phone.',
    attached: 'It’s also attached to this email.',
    button: 'Get your photo',
    expiry: (when: string) => `The link works until ${when}.`,
    file: (name: string) => `File: ${name}`,
    reason: (host: string) =>
      `You’re receiving this email because your address was entered on a photo page at ${host}. ` +
      `We use it to send this photo, nothing else.`,
    unsubscribe: {
      // Two sentences, because the second is a link.
      ignore:
        'If this wasn’t you, you can ignore this email. We won’t send more photos unless your address is entered again.',
      link: 'Or stop receiving photos at this address',
    },
  },
  webhookDisabled: {
    subject: (host: string) => `Your webhook to ${host} was switched off`,
    preview: 'It has accepted no events for a day.',
    heading: 'A webhook was switched off',
    lead: (host: string, since: string) =>
      `${host} has accepted none of our events since ${since}, although we retried for a day.`,
    hint: 'We no longer send events to it. In Settings you can see what went wrong, switch the webhook on again and replay events that weren’t delivered.',
    reason: (host: string) => `You’re receiving this email because your account at ${host} has this webhook.`,
  },
  guestPhotos: {
    waiting: {
      subject: (count: string, event: string) => `${count} photos of guests wait for you: ${event}`,
      preview: 'Guests see them when you have approved them.',
      heading: 'Photos of guests wait for you',
      lead: (count: string, event: string) =>
        `Guests of ${event} have added ${count} photos that nobody has looked at yet.`,
      hint: 'They are shown to others once you approve them. Until then, only you and whoever added them can see them.',
    },
    full: {
      subject: (event: string) => `Guests cannot add more photos: ${event}`,
      preview: 'Your own uploads go on as before.',
      heading: 'Guests cannot add more photos',
      lead: (event: string) =>
        `The photos that guests may add to ${event} are used up: those of the event, of your plan this month, or the part of your storage that guests may fill.`,
      hint: 'Your own uploads go on as before. You can allow more photos for the event, reject some, or choose a larger plan.',
    },
    button: 'Review photos',
    reason: (host: string) =>
      `You’re receiving this email because guests add photos to an event of your account at ${host}.`,
    unsubscribe: {
      ignore: 'We send each of these emails at most once a day for an event.',
      link: 'Switch off these emails on the page of the event',
    },
  },
  requestRemoval: {
    subject: (count: string) => `${count} email addresses of guests will soon be removed`,
    preview: (day: string) => `The first on ${day}. Until then, you can export them.`,
    heading: 'Addresses of guests will soon be removed',
    lead: (count: string, day: string, days: { kept: number; soon: number }) =>
      `Requests for your photos are kept for ${days.kept} days. ${count} email addresses will be removed within the next ${days.soon} days, the first on ${day}.`,
    hint: 'If you need them, export them first: Photo Requests has the button Export CSV.',
    button: 'Open Photo Requests',
    reason: (host: string) => `You’re receiving this email because guests requested photos of your account at ${host}.`,
    unsubscribe: { ignore: 'We send it at most once a month.', link: 'Switch off these emails in Settings' },
  },
  reset: {
    subject: 'Set a new password',
    preview: 'The link works once, for 30 minutes.',
    lead: 'Someone (hopefully you) asked to reset the password of your account.',
    button: 'Set a new password',
    expiry: (when: string) =>
      `The link works once, until ${when}. If you request another one, only the latest link works.`,
    reason: (host: string) =>
      `You’re receiving this email because a password reset for this address was requested at ${host}. ` +
      `If this wasn’t you, you can ignore this email: your password stays the same.`,
  },
  verify: {
    subject: 'Confirm your email address',
    preview: 'Confirm your address with one click.',
    heading: 'Is this your address?',
    lead: 'Confirm it so that we can email your guests and help you recover your account.',
    button: 'Confirm my address',
    expiry: (when: string) => `The link works once, until ${when}.`,
    reason: (host: string) =>
      `You’re receiving this email because an account at ${host} was created with this address. ` +
      `If this wasn’t you, you can ignore this email.`,
  },
  change: {
    subject: 'Confirm your new email address',
    heading: 'Is this your new address?',
    lead: 'Confirm it to use this address for your account. Until then, nothing changes.',
    button: 'Use this address',
    reason: (host: string) =>
      `You’re receiving this email because someone who is signed in at ${host} asked to use this address. ` +
      `If this wasn’t you, you can ignore this email.`,
  },
  archive: {
    subject: 'Your data is ready',
    preview: 'Everything in your account, in one file.',
    lead: 'Everything in your account is in one file: your photos, the requests of your guests, your settings and what you agreed to. Keep the link private: anyone who has it can open the file.',
    button: 'Download my data',
    expiry: (when: string) => `The link works until ${when}, as often as you like.`,
    reason: (host: string) => `You’re receiving this email because you asked for your data at ${host}.`,
  },
  report: {
    subject: 'A guest reported one of your photos',
    subjectMany: (photos: number) => `Guests reported ${photos} of your photos`,
    preview: 'You decide whether guests can still open it.',
    heading: 'A guest reported a photo',
    headingMany: (photos: number) => `Guests reported ${photos} photos`,
    lead: (filename: string, reasons: string) => `A guest reported ${filename}: ${reasons}.`,
    leadMany: 'Each one needs your decision.',
    hint: 'Until you decide, guests can still open it with its code. You can hide it with one click, and show it again later.',
    hintMany:
      'Until you decide, guests can still open them with their codes. You can hide each with one click, and show it again later.',
    button: 'Review reports',
    reason: (host: string) =>
      `You’re receiving this email because guests can report photos of your account at ${host}. ` +
      `The link only opens the page: nothing changes until you click a button there.`,
    reasons: {
      me: 'they are in it and don’t want it shown',
      child: 'it shows a child',
      hurtful: 'it is hurtful',
      illegal: 'it may be illegal',
      other: 'another reason',
    },
    and: '; ',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    lead: (when: string) =>
      `The password of your account was changed on ${when}. All devices that were signed in have been signed out.`,
    hint: 'If this was you, you don’t need to do anything. If not, set a new password now:',
  },
  newSignIn: {
    subject: 'New sign-in to your account',
    lead: (when: string, device: string) =>
      `A new browser signed in to your account on ${when}${device}. It hadn’t signed in before, or its cookies had been deleted. If this was you, you don’t need to do anything.`,
    signOut: (url: string) => `If it wasn’t you, choose “Sign out everywhere” in Settings: ${url}`,
    hint: 'Then set a new password, because somebody knows the current one:',
  },
  apiKeyCreated: {
    subject: 'A new API key for your account',
    heading: 'An API key was created',
    lead: (when: string, name: string) =>
      `On ${when} the API key “${name}” was created. Whoever has it can read your account and photos, and upload new ones.`,
  },
  webhookCreated: {
    subject: 'A new webhook for your account',
    heading: 'A webhook was set up',
    lead: (when: string, name: string) =>
      `On ${when} a webhook was set up that sends events of your account to ${name}.`,
  },
  emailChanged: {
    subject: 'The email address of your account was changed',
    heading: 'Your email address was changed',
    lead: (when: string, address: string) =>
      `On ${when} the email address of your account was changed${address && ` to ${address}`}. ` +
      `This address can no longer be used to sign in.`,
    hint: (address: string) =>
      `If this was you, you don’t need to do anything. If not, write to ${address} as soon as you can.`,
    reason: (host: string) =>
      `You’re receiving this email because this was the address of an account at ${host}. ` +
      `You won’t receive any more emails about it.`,
  },
  test: {
    subject: 'Your test email has arrived',
    preview: 'This is the test email that you asked for.',
    lead: (when: string) =>
      `This is the test email that you asked for on ${when}. Emails to your guests go the same way.`,
    reason: (host: string) => `You’re receiving this email because you sent it from your settings at ${host}.`,
  },
  accountDeleted: {
    subject: 'Your account has been deleted',
    preview: 'Your photos, codes and requests have been deleted too.',
    lead: (when: string) =>
      `As you asked on ${when}, we deleted your account with its photos, codes and requests. Printed codes no longer work.`,
    hint: 'This cannot be undone. Remaining copies are deleted within 24 hours.',
    reason: (host: string) =>
      `You’re receiving this email because this was the address of an account at ${host}. ` +
      `You won’t receive any more emails about it.`,
  },
  plan: {
    reason: (host: string) =>
      `You’re receiving this email because it concerns what you pay for your account at ${host}.`,
    demo: 'Payments here are a demonstration: no money moves.',
    perMonth: (price: string) => `${price} per month`,
    perYear: (price: string) => `${price} per year`,
    started: {
      subject: (plan: string) => `Welcome to ${plan}`,
      preview: 'Your new limits apply now.',
      lead: (plan: string, price: string, date: string) =>
        `Thank you. You have ${plan} for ${price}. The next payment is on ${date}.`,
      hint: 'Your new limits apply now. You can change or cancel your plan in Settings, and request a refund there within 30 days of your first payment.',
      coveredPreview: 'Your payment has arrived.',
      covered: (plan: string, better: string) =>
        `Your complimentary plan, ${better}, includes more and continues; ${plan} applies when it ends. You can change or cancel ${plan} in Settings, and request a refund there within 30 days of your first payment.`,
      withdraw: (place: string) =>
        `You can withdraw from this contract within ${billingLimits.withdrawalDays} days, without a reason, and get back what you paid for it. “Withdraw from contract here” is at the bottom of every page: ${place}`,
    },
    firstPaymentFailed: {
      subject: 'Your payment failed',
      preview: 'Nothing was charged.',
      lead: (plan: string, price: string) =>
        `Your payment of ${price} for ${plan} didn’t arrive. Nothing was charged, and no plan was started.`,
      hint: 'You can choose a plan again at any time, also with another payment method.',
    },
    paymentFailed: {
      subject: 'Your payment failed',
      preview: 'What you can do to keep your plan.',
      lead: (plan: string, price: string) => `We couldn’t charge ${price} for ${plan}.`,
      until: (date: string) => `Your plan continues until ${date}.`,
      hint: 'To keep it, update your card in Settings; the payment is then tried again.',
      demoHint: 'To keep it, cancel the subscription in Settings and choose a plan again.',
    },
    changed: {
      subject: (plan: string) => `You now have ${plan}`,
      lead: (plan: string, price: string, date: string) =>
        `Your plan is now ${plan} for ${price}. The next payment is on ${date}.`,
      hint: 'The unused part of the period you had paid for is credited towards it. Your new limits apply now.',
      covered: (better: string) =>
        `The unused part of the period you had paid for is credited towards it. Your complimentary plan, ${better}, includes more and continues.`,
    },
    cancelled: {
      subject: 'Your subscription is cancelled',
      preview: 'You won’t be charged again.',
      lead: (plan: string, date: string) => `You keep ${plan} until ${date}. You won’t be charged again.`,
      hint: 'Until then you can resume it in Settings.',
    },
    resumed: {
      subject: 'Your subscription continues',
      preview: 'You keep your plan.',
      lead: (plan: string, price: string, date: string) =>
        `You keep ${plan} for ${price}. The next payment is on ${date}.`,
    },
    ended: {
      subject: (plan: string) => `${plan} has ended`,
      preview: 'Your account continues with the limits of the Free plan.',
      lead: 'You won’t be charged again. Your account continues with the limits of the Free plan, or of a complimentary plan if you have one.',
      hint: 'Your codes keep working. If your photos take more storage than you have now, we email you before any are removed. You can choose a plan again at any time.',
    },
    refunded: {
      subject: 'Your refund',
      preview: (amount: string) => `We refunded ${amount}.`,
      lead: (amount: string) => `We refunded ${amount}. It should reach your card within ten days.`,
      hint: 'That subscription has ended. You won’t be charged for it again.',
    },
  },
}

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

/** Emails about what a plan includes: usage of it, and photos that are removed after a larger plan has ended. */
export const storageEmails = {
  usage: {
    photosNearlyUsed: (used: string, limit: string) => `You’ve used ${used} of your ${limit} photos this month`,
    photosUsed: (limit: string) => `You’ve used all ${limit} photos of this month`,
    storageNearlyFull: (used: string, limit: string) => `You’ve used ${used} of your ${limit} of storage`,
    storageFull: (limit: string) => `Your storage of ${limit} is full`,
    preview: (planName: string) => `What your ${planName} plan includes, and how to get more.`,
    photosLead: (planName: string, limit: string) => `Your plan, ${planName}, includes ${limit} photos a month.`,
    photosUntil: (when: string) => `The count resets on ${when}.`,
    photosWait: 'Until then, new photos stay in your upload list. They upload automatically once there is space.',
    storageLead: (planName: string, limit: string, used: string) =>
      `Your plan, ${planName}, includes ${limit} of storage. Your photos take ${used}.`,
    storageWaits: 'New photos that don’t fit stay in your upload list. They upload automatically once there is space.',
    morePhotos: 'If you need more photos before then, choose a larger plan.',
    moreStorage: 'Delete photos you no longer need, or choose a larger plan.',
    morePhotosThanAnyPlan: (address: string) => `If you need more photos before then, write to ${address}.`,
    moreStorageThanAnyPlan: (address: string) =>
      `Delete photos you no longer need. If you need more storage, write to ${address}.`,
    gallery: 'Open the gallery',
    reason: (host: string) =>
      `You’re receiving this email because your account at ${host} has reached a limit of its plan.`,
  },
  removal: {
    subject: (photos: number, count: string, when: string) =>
      photos === 1 ? `1 photo will be removed on ${when}` : `${count} photos will be removed on ${when}`,
    preview: 'Download everything, choose a larger plan, or delete photos you no longer need.',
    heading: (photos: number, count: string) =>
      photos === 1 ? '1 of your photos will be removed' : `${count} of your photos will be removed`,
    lead: (planName: string, limit: string, used: string) =>
      `Your larger plan has ended. Your plan is now ${planName}, with ${limit} of storage, and your photos take ${used}.`,
    removed: ({ photos, count, size, when }: { photos: number; count: string; size: string; when: string }) =>
      photos === 1
        ? `On ${when} the oldest photo (${size}) will be removed, so that the others fit. Its codes and links stop working then.`
        : `On ${when} the ${count} oldest photos (${size}) will be removed, so that the others fit. Their codes and links stop working then.`,
    keep: (pricingUrl: string) =>
      `To keep them all, choose a larger plan at ${pricingUrl}, or delete other photos before that day.`,
    archive:
      'A copy of everything in your account is ready. Keep its link private: anyone who has it can open the file.',
    noArchive: 'In Settings you can ask for a copy of everything in your account.',
    download: 'Download everything',
    expiry: (when: string) => `The link works until ${when}.`,
    reason: (host: string) => `You’re receiving this email because photos of your account at ${host} will be removed.`,
  },
  removed: {
    subject: (photos: number, count: string) => (photos === 1 ? '1 photo was removed' : `${count} photos were removed`),
    preview: (when: string) => `You can restore them until ${when}.`,
    heading: (photos: number, count: string) =>
      photos === 1 ? '1 of your photos was removed' : `${count} of your photos were removed`,
    lead: (planName: string, limit: string, size: string) =>
      `Your plan, ${planName}, includes ${limit} of storage. The oldest photos (${size}) were removed, so that the others fit.`,
    restore: (when: string) =>
      `Until ${when} you can restore them: choose a larger plan and they return automatically, or free some storage and restore them in Settings. After that, they are deleted.`,
    reason: (host: string) => `You’re receiving this email because photos of your account at ${host} were removed.`,
  },
}
