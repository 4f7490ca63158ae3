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
