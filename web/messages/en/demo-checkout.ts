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
