import { plans } from '@keepsnap/contract/plans.ts'

/** The comparison of plans; limits come from `contract/plans.ts`. */
export const pricing = {
  heading: 'Start free. Upgrade when your calendar fills up.',
  cycle: 'Billing cycle',
  cycles: { month: 'Monthly', year: 'Yearly' },
  save: (percent: number) => `Save ${percent}%`,
  /** The badge of the marked plan. */
  marked: { month: 'Cancel any time', year: 'Best value' },
  names: { free: plans.free.name, pro_monthly: plans.pro_monthly.name, pro_yearly: plans.pro_yearly.name },
  forever: 'forever',
  noCard: 'No card needed',
  perMonth: 'per month',
  perYear: 'per year',
  paidMonthly: 'Paid monthly, cancel any time',
  aboutPerMonth: (price: string, saving: string) => `about ${price} per month, ${saving}`,
  inAYear: (price: string) => `${price} a year`,
  photos: (count: number) => `${count} photos a month`,
  storage: (gigabytes: number) => `${gigabytes} GB of storage`,
  files: (megabytes: number) => `Files up to ${megabytes} MB`,
  bothCodes: 'Both QR codes on every photo',
  branding: 'Your own logo, background and watermark',
  brandingShort: 'Your own logo and watermark',
  analytics: 'Usage analytics, priority support',
  api: 'API access for your booth or camera',
  apiShort: 'API access',
  notIncluded: 'Not included: ',
  getStarted: 'Get Started',
  startsFree: 'Every account starts on the free plan.',
}
