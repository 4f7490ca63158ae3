import { billingLimits } from '@keepsnap/contract/limits.ts'

/** The pages after a checkout. */
export const checkout = {
  success: {
    title: 'Welcome to Pro!',
    lead: 'Your plan is active, and its limits apply now.',
    coveredTitle: 'Thank you, your payment has arrived',
    coveredLead: (plan: string, better: string) =>
      `Your complimentary plan, ${better}, includes more and continues. ${plan} applies when it ends.`,
    plan: 'Plan',
    price: 'Price',
    next: 'Next billing date',
    date: (date: string) => date,
    upload: 'Upload Photos',
    settings: 'Go to Settings',
    withdraw: `You can withdraw from this contract within ${billingLimits.withdrawalDays} days, without a reason:`,
    withdrawLink: 'Withdraw from contract here',
    refund: (date: string) => `Changed your mind? Until ${date} you can request a refund in Settings.`,
    line: 'Ready for your logo',
    demo: 'Demo: no money moves.',
  },
  verifying: {
    title: 'Checking your payment',
    lead: 'This takes a few seconds. This page continues automatically.',
  },
  problems: {
    late: {
      title: 'We can’t confirm your payment yet',
      lead: 'You don’t have to pay again. If the payment went through, your plan starts automatically within an hour.',
    },
    pending: {
      title: 'Your payment is on its way',
      lead: 'With this payment method it can take up to two weeks. Your plan starts when it arrives; you need not pay again.',
    },
    refused: {
      title: 'Your plan hasn’t started',
      lead: 'This checkout hasn’t been paid. If you have just paid, check again in a moment.',
    },
    unknown: {
      title: 'We don’t know this checkout',
      lead: 'It may belong to another account, or the link is incomplete. You can see the plan of this account in Settings.',
    },
    missing: {
      title: 'There is no checkout to confirm',
      lead: 'The link to this page is incomplete. You can see your plan in Settings.',
    },
    reference: 'Reference',
    checkAgain: 'Check again',
    settings: 'Go to Settings',
    plans: 'View Pricing Plans',
  },
  cancelled: {
    title: 'Subscription Cancelled',
    lead: 'You left before paying. Nothing was charged.',
    planStays: (plan: string) => `Your plan is still ${plan}.`,
    plans: 'View Pricing Plans',
    home: 'Go Home',
    upload: 'Upload Photos',
    stays: 'Your photos stay as they are',
    left: (left: string) => `${left} more photos this month`,
  },
}

/** The page of demo payments. */
export const demoCheckout = {
  title: 'Demo checkout',
  description: 'Pay for a plan as a demonstration: no money moves.',
  mark: 'Demo: no money moves',
  markLead: 'This page replaces the payment page. You won’t be asked for a real card, and nothing is charged.',
  back: (product: string) => `Back to ${product}`,
  order: 'Your order',
  subscription: (product: string) => `${product} subscription`,
  line: { month: (plan: string) => `${plan}, one month`, year: (plan: string) => `${plan}, one year` },
  setupFee: 'Setup fee',
  total: 'Total today',
  renews: { month: 'Renews every month until you cancel.', year: 'Renews every year until you cancel.' },
  moneyBack: (days: number) => `${days}-day money-back guarantee.`,
  agree: ['By paying you agree to the ', '.'],
  choose: 'Choose the outcome',
  lead: 'Two sample cards, so that you can try both outcomes.',
  card: 'Sample card',
  cards: {
    succeed: {
      name: 'Card that is accepted',
      number: '4242 4242 4242 4242',
      effect: 'The payment succeeds and your plan starts.',
    },
    decline: {
      name: 'Card that is declined',
      number: '4000 0000 0000 0002',
      effect: 'You stay here and see the refusal.',
    },
  },
  declined: {
    heading: 'The card was declined.',
    advice: 'Nothing was charged, and your plan has not changed. Choose the other card or go back.',
  },
  pay: (price: string) => `Pay ${price} (demo)`,
  cancel: 'Cancel and go back',
  ended: {
    paid: {
      heading: 'This checkout has been paid',
      lead: 'Nothing is charged twice. You can see your plan in Settings.',
    },
    expired: {
      heading: 'This checkout has expired',
      lead: 'Nothing was charged. Choose a plan to start again.',
    },
    unknown: {
      heading: 'This checkout doesn’t exist',
      lead: 'Nothing was charged. Choose a plan to start again.',
    },
  },
  toPlans: 'View Pricing Plans',
  toSettings: 'Go to Settings',
}

/** Photos over the storage after a larger plan has ended. */
export const keptPhotos = {
  removal: (photos: number, count: string, date: string) =>
    photos === 1 ? `1 photo will be removed on ${date}.` : `${count} photos will be removed on ${date}.`,
  reason: (photos: number, size: string, storage: string) =>
    photos === 1
      ? `Your oldest photo (${size}) doesn’t fit into your ${storage} of storage any more. To keep it, choose a larger plan or delete other photos. You can also download everything below, under Your data.`
      : `The oldest ones (${size}) don’t fit into your ${storage} of storage any more. To keep them, choose a larger plan or delete other photos. You can also download everything below, under Your data.`,
  removed: (photos: number, count: string) => (photos === 1 ? '1 photo was removed.' : `${count} photos were removed.`),
  restorable: (photos: number, size: string, date: string) =>
    photos === 1
      ? `It (${size}) didn’t fit into your storage. Until ${date} it can be restored: automatically with a larger plan, or here once there is enough storage.`
      : `They (${size}) didn’t fit into your storage. Until ${date} they can be restored: automatically with a larger plan, or here once there is enough storage.`,
  gallery: 'Open the gallery',
  settings: 'What you can do',
  restore: (photos: number): string => (photos === 1 ? 'Restore photo' : 'Restore photos'),
  restored: (photos: number, count: string) => (photos === 1 ? '1 photo restored.' : `${count} photos restored.`),
  remaining: (photos: number, count: string) =>
    photos === 1 ? '1 photo still doesn’t fit.' : `${count} photos still don’t fit.`,
  failed: (photos: number): string =>
    photos === 1
      ? 'The photo couldn’t be restored. Please try again.'
      : 'The photos couldn’t be restored. Please try again.',
}

/** The subscription in Settings, changes of it, and the notice about a missing payment. */
export const subscription = {
  errors: {
    noToken: 'Authentication token not found',
    expired: 'Session expired. Please log in again.',
    status: 'Failed to fetch subscription status',
    cancel: 'Failed to cancel subscription. Please try again.',
    resume: 'Failed to resume subscription. Please try again.',
    change: 'Failed to change the plan. Please try again.',
    refund: 'Failed to refund your payment. Please try again.',
    portal: 'The billing page couldn’t be opened. Please try again.',
    invoices: 'Failed to load your payments.',
  },
  done: {
    cancelled: 'Subscription cancelled successfully. You will retain access until the end of your billing period.',
    ended: 'Subscription cancelled successfully. It has ended, because its last payment was overdue.',
    resumed: 'Your subscription continues.',
    changed: (plan: string) => `Your plan is ${plan} now.`,
    refunded: (amount: string) => `We’ve refunded ${amount}. Your subscription has ended.`,
    refundedAfterEnd: (amount: string) => `We’ve refunded ${amount}.`,
    nothingToRefund:
      'Your subscription has ended. There was nothing to refund here, because your bank has the payment.',
  },
  badges: {
    none: 'No subscription',
    active: 'Active',
    complimentary: 'Complimentary',
    ends: (date: string) => `Ends on ${date}`,
    pastDue: 'Payment overdue',
  },
  facts: {
    plan: 'Plan',
    status: 'Status',
    billing: 'Billing',
    next: 'Next payment',
    lastDay: 'Last day',
    since: 'Subscriber since',
    paid: 'Paid plan',
    complimentary: 'Complimentary plan',
    afterwards: 'Afterwards',
  },
  states: {
    free: 'Free, no card needed',
    active: 'Active',
    cancelled: 'Cancelled',
    pastDue: (date: string) => `Payment overdue, continues until ${date}`,
    complimentary: 'Complimentary',
    complimentaryUntil: (date: string) => `Complimentary until ${date}`,
  },
  free: '$0',
  date: (date: string) => date,
  freeOfCharge: 'Free of charge',
  noMorePayments: (price: string) => `${price}, no further payments`,
  nextPayment: (amount: string, date: string) => `${amount} on ${date}`,
  creditPays: (credit: string) => `Covered by your credit of ${credit}.`,
  creditPaysPart: (credit: string, rest: string) => `Your credit of ${credit} pays part of it; you pay ${rest}.`,
  planUntil: (plan: string, date: string) => `${plan} until ${date}`,
  otherPlan: (plan: string, price: string, date: string) => `${plan}, ${price}, paid until ${date}`,
  afterwards: {
    free: 'Free, unless you choose a plan',
    paid: (plan: string) => `${plan}, which you pay for`,
  },
  notSold: 'This site doesn’t sell plans. Ask the person who runs it for a larger one.',
  demo: 'Demo: no money moves.',
  features: 'In your plan',
  feature: {
    photos: (count: string) => `${count} photos a month`,
    storage: (gigabytes: string) => `${gigabytes} GB of storage`,
    files: (megabytes: string) => `Files up to ${megabytes} MB`,
    branding: 'Custom branding',
    analytics: 'Analytics',
    support: 'Priority support',
    api: 'API access',
  },
  actions: {
    upgrade: 'Upgrade Plan',
    change: 'Change Plan',
    cancel: 'Cancel Subscription',
    resume: 'Resume Subscription',
    updateCard: 'Update card',
    keep: 'Keep my plan',
    notNow: 'Not now',
  },
  pastDue: {
    sentence: (date: string, next: string) =>
      `Your last payment failed. Your plan continues until ${date}; then it becomes ${next}.`,
    fixCard: 'Update your card to keep it.',
    fixDemo: 'In this demo, cancel the subscription and choose a plan again.',
    toSettings: 'Open Settings',
    sign: (date: string) => `Payment overdue: your plan ends on ${date}`,
  },
  delayed: {
    pending: (plan: string) =>
      `Your payment for ${plan} is on its way. With this payment method it can take up to two weeks. Your plan starts when it arrives; you need not pay again.`,
    failed: (plan: string) => `Your payment for ${plan} failed, and nothing was charged. You can choose a plan again.`,
  },
  cancelDialog: {
    until: (plan: string, date: string) => `You keep ${plan} until ${date}. Nothing more is charged.`,
    afterwards: (photos: string, gigabytes: string) =>
      `After that your plan is Free: ${photos} photos a month and ${gigabytes} GB.`,
    atOnce: (plan: string) =>
      `${plan} ends at once, because its last payment is overdue. You no longer owe that payment.`,
    complimentary: (plan: string) => `After that your complimentary plan applies: ${plan}.`,
    codes: 'Codes you have shown or printed keep working.',
    photos: (gigabytes: string) =>
      `Photos above ${gigabytes} GB are kept for ${billingLimits.keepDays} days more. We email you before any are removed.`,
  },
  after: {
    heading: 'What happens next',
    ends: (plan: string) => `Your plan becomes ${plan}. Codes you have shown or printed keep working.`,
    features: 'New photos no longer get your logo and watermark, and your analytics are no longer shown.',
    api: 'API access ends.',
    fits: (gigabytes: string) => `Your photos fit into the ${gigabytes} GB of the free plan: all of them stay.`,
    emails: 'We email you, with the number of photos that will be removed and a link to download all of them.',
    removal: (gigabytes: string) =>
      `The oldest photos are removed until ${gigabytes} GB are left. You can undo this for ${billingLimits.undoRemovalDays} days.`,
    and: (first: string, second: string) => `${first} and ${second}`,
  },
  changeDialog: {
    title: (plan: string) => `Change to ${plan}`,
    limits: (photos: string, gigabytes: string) =>
      `From now on: ${photos} photos a month and ${gigabytes} GB of storage.`,
    withApi: 'API access is included.',
    withoutApi: 'API access ends.',
    overStorage: (used: string) =>
      `You use ${used}, which is more than that. Your photos stay for now, but new ones wait until there is space.`,
    larger: (price: string) => `You pay ${price} today, less the unused part of the period you have already paid for.`,
    smaller: (price: string) =>
      `The unused part of the period you have already paid for is credited towards the new price of ${price}, and then towards the next payments, as long as you keep the subscription.`,
    credit: (credit: string) => `Your credit of ${credit} is used as well.`,
    asking: 'Working out what you pay today…',
    charged: (amount: string) => `You pay ${amount} today.`,
    nothing: 'You pay nothing today.',
    left: (credit: string) =>
      `${credit} of what you have paid is left for the next payments, as long as you keep the subscription.`,
    continues: 'You have cancelled; with this change your subscription continues.',
    renews: (price: string) => `After that it renews for ${price}.`,
    submit: 'Change Plan',
  },
  changeTo: {
    heading: (percent: number) => `Change to yearly and save ${percent}%`,
    lead: (year: string, month: string, twelve: string) => `${year} a year instead of 12 × ${month} = ${twelve}.`,
    more: (photos: string, gigabytes: string) => `${photos} photos a month, ${gigabytes} GB of storage and API access.`,
    action: 'Change to yearly',
  },
  refund: {
    heading: 'Refund',
    hint: (date: string) => `Until ${date} you can get back everything you paid.`,
    /** The conditions quote it: web/features/site/legal. */
    open: 'Ask for my money back',
    title: 'Refund',
    amount: (amount: string) => `${amount} goes back to the card it came from.`,
    everything: 'Everything you paid goes back to the card it came from.',
    ends: (next: string) =>
      `Your subscription ends at once, and your plan becomes ${next}. This is offered once and can’t be undone.`,
    photos: (gigabytes: string) => `Photos above ${gigabytes} GB are kept for ${billingLimits.keepDays} days.`,
    submit: (amount: string) => `End my plan and refund ${amount}`,
    submitAll: 'End my plan and refund me',
    ended: 'Your plan has already ended. This is offered once and can’t be undone.',
    submitEnded: (amount: string) => `Refund ${amount}`,
    submitEndedAll: 'Refund me',
  },
  withdraw: {
    heading: 'Right of withdrawal',
    hint: (date: string) => `You can withdraw from this contract without a reason until the end of ${date}.`,
    open: 'Withdraw from contract',
  },
  portal: {
    heading: 'Card and invoices',
    hint: 'On the page of our payment provider',
    open: 'Open billing',
  },
  invoices: {
    heading: 'Payments',
    none: 'No payments yet.',
    date: (date: string) => date,
    refunded: 'Refunded',
    partlyRefunded: (amount: string) => `${amount} refunded`,
    disputed: 'Disputed',
    open: 'Invoice',
    openOf: (date: string) => `Invoice of ${date}`,
    more: (count: string) => `Show all ${count}`,
  },
}

/** What is left of a plan's limits. */
export const usage = {
  heading: 'Usage this month',
  photos: 'Photos',
  storage: 'Storage',
  of: (used: string, most: string) => `${used} of ${most}`,
  photosLeft: (percent: string, left: string, until: string) => `${percent}, ${left} left until ${until}`,
  storageLeft: (percent: string, left: string) => `${percent}, ${left} left`,
  counting: 'Photos count from the 1st of the month (UTC). Deleted ones count too, failed ones don’t.',
  yourPlan: (plan: string) => `Your plan is ${plan}.`,
  planUnknown: 'We can’t tell what your plan includes right now. It appears here as soon as we can.',
  left: (left: string, most: string, until: string) => `${left} of ${most} photos left until ${until}.`,
  /** `used`: 8 of 10. */
  monthNear: (used: string, left: string, until: string) =>
    `${used} of this month’s photos are used, ${left} left until ${until}.`,
  monthFull: (most: string, until: string) =>
    `All ${most} photos of this month are used. More photos wait in the upload list and upload automatically on ${until} or after an upgrade.`,
  storageNear: (used: string, left: string) => `${used} of storage is used, ${left} left.`,
  storageFull: (size: string) =>
    `Your storage of ${size} is full. Photos that don’t fit wait in the upload list and upload automatically once you delete others or after an upgrade.`,
  plans: 'See the plans',
  gallery: 'Open the gallery',
  subscription: 'See your usage',
  hide: 'Hide until 90%',
}
