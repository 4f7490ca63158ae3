import { billingLimits } from '@keepsnap/contract/limits.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'

const largestFiles = Array.from(new Set(planIds.map((id) => plans[id].features.max_file_size_mb)))

/** What is promised about every plan: the same on all pages. */
export const claims = {
  title: 'Pricing',
  lead: 'Every plan has unlimited QR codes and no setup fee. Change or cancel any time.',
  guarantee: `${billingLimits.refundDays}-day money-back guarantee. Photos are kept for ${billingLimits.keepDays} days after your plan ends.`,
  api: (plan: string) => `API access is part of ${plan}.`,
  apiDocumentation: 'Read the API documentation',
  heading: 'Questions and answers',
  questions: [
    {
      question: 'Do guests need an app or an account?',
      answer: 'No. The phone’s camera reads the code, and the photo opens in the browser.',
    },
    {
      question: 'Is the number of QR codes limited?',
      answer:
        'No: QR codes are unlimited. Every photo has two, one to download it and one to request it by email, and they can be scanned as often as you like.',
    },
    {
      question: 'Is there a setup fee?',
      answer: 'No setup fee. You pay the price of the plan, nothing else.',
    },
    {
      question: 'What happens when I reach my monthly limit?',
      answer:
        'More photos wait in the upload queue until you choose a larger plan or the next month starts. Photos you have already uploaded stay, and their codes keep working.',
    },
    {
      question: 'Can I switch between monthly and yearly?',
      answer:
        'Yes, at any time, here or in Settings. The unused part of the period you have paid for is credited towards the new price.',
    },
    {
      question: 'Can I get my money back?',
      answer: `Yes, there is a ${billingLimits.refundDays}-day money-back guarantee: within ${billingLimits.refundDays} days of your first payment, you get back everything you paid. Ask for it in Settings; your plan then ends at once. It is offered once per customer.`,
    },
    {
      question: 'What happens to my photos when I cancel?',
      answer: `Your plan continues until the end of the period you have paid for. After that, your photos are kept for ${billingLimits.keepDays} days. Then the oldest are removed until the rest fits the storage of the free plan. We email you three times before that, and for ${billingLimits.undoRemovalDays} days you can undo it.`,
    },
    {
      question: 'How reliable is it?',
      answer:
        'The target is 99.9% uptime: at most about 44 minutes a month in which pages and codes can’t be reached. The operator of this site aims for it; it isn’t a guarantee with compensation.',
    },
    {
      question: 'Which photos can I upload?',
      answer: `JPG, PNG, GIF, WebP, AVIF, TIFF and HEIC: ${largestFiles[0]} MB per file on the free plan, ${largestFiles.at(-1)} MB on Pro. HDR photos are stored without their extra brightness.`,
    },
  ],
}

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
  vat: 'All prices include VAT where it is due.',
  perMonth: 'per month',
  perYear: 'per year',
  perInterval: (amount: string, per: string) => `${amount} ${per}`,
  paidMonthly: 'Paid monthly, cancel any time',
  aboutPerMonth: (price: string, saving: string) => `about ${price} per month, ${saving}`,
  inAYear: (price: string) => `${price} a year`,
  photos: (count: string) => `${count} photos a month`,
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
  choose: (plan: string) => `Choose ${plan}`,
  changePlan: 'Change Plan',
  yourPlan: 'Your plan',
  endsOn: (date: string) => `Ends on ${date}`,
  complimentary: 'Complimentary',
  complimentaryUntil: (date: string) => `Complimentary until ${date}`,
  paidUntil: (date: string) => `Paid until ${date}. A better complimentary plan applies now.`,
  notSold: 'This site doesn’t sell plans.',
  paused: 'This site can’t take payments at the moment. Please try again later.',
  pending: 'Your payment is on its way. Your plan starts when it arrives.',
  payFirst: 'A payment is overdue. Once it is made, you can change plans.',
  toSettings: 'Open Settings',
  plansFailed: 'Plans can’t be bought right now: we couldn’t fetch the list of plans.',
  statusFailed: 'Failed to fetch subscription status',
  checkoutFailed: 'The payment page couldn’t be opened. Please try again.',
  chosen: (plan: string, price: string) => `You chose ${plan}, ${price}.`,
  toPayment: 'Continue to payment',
  freeNow: {
    title: (plan: string) => `Pay for ${plan} now?`,
    question: (date: string) =>
      `Your complimentary plan continues until ${date} and includes at least as much. You would pay from today, but see no difference until then.`,
  },
}
