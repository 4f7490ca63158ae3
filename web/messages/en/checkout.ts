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
