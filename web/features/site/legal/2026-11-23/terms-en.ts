import { productName } from '@keepsnap/contract/site.ts'
import { paths } from '../../../../lib/paths.ts'
import { dollars, type LegalContext, type LegalSection, type LegalText } from '../legal-text.ts'
import { processing } from './terms-processing-en.ts'

const parties: LegalSection = {
  id: 'parties',
  title: 'Who agrees with whom',
  blocks: () => [
    `These General Conditions are the contract between you, who have an account, and the company that runs this site with the program ${productName} (“we”):`,
    { operator: { name: 'Company', address: 'Address', vat: 'VAT number', email: 'Email' } },
    'You accept them when you create an account; we store which version that was. They apply to private persons (consumers) and to businesses; where only one of the two is meant, it says so. Conditions of your own do not apply. Guests who open a photo make no contract with us; [section](#content) says what they may do.',
  ],
}

const service: LegalSection = {
  id: 'service',
  title: 'What you get',
  blocks: ({ values: v }) => [
    'You upload photos. Each gets a page and two QR codes, one to download it and one to ask for it by email. People who scan a code get the photo, as you have set it. Your big screen shows the newest one.',
    {
      table: {
        caption: 'Plans',
        head: ['Plan', 'Price', 'Photos in a month', 'Storage', 'Largest file'],
        rows: [
          ['Free', '$0', `${v.freePhotos}`, `${v.freeStorageGb} GB`, `${v.freeFileMb} MB`],
          [
            'Pro Monthly',
            `${dollars(v.monthlyCents)} per month`,
            `${v.monthlyPhotos}`,
            `${v.monthlyStorageGb} GB`,
            `${v.monthlyFileMb} MB`,
          ],
          [
            'Pro Yearly',
            `${dollars(v.yearlyCents)} per year`,
            `${v.yearlyPhotos}`,
            `${v.yearlyStorageGb} GB`,
            `${v.yearlyFileMb} MB`,
          ],
        ],
      },
    },
    `Prices are in US dollars. The Pro plans add your own logo, background and watermark, usage analytics and priority support; Pro Yearly also API access. QR codes are unlimited on every plan. [Pricing](${paths.pricing}) compares the plans.`,
    '**Over a limit.** A photo over the month or the storage is refused with the reason and waits in your browser; it goes up when the next month begins, when you delete photos, or with a larger plan. A file over the largest size waits for a plan that takes it. Photos that are stored stay, and their codes go on working. Months are calendar months in UTC; a deleted photo counts for its month.',
    `**Fair use.** To protect everybody there are limits in a minute (such as ${v.uploadsPerMinute} uploads of an account and ${v.authPerMinute} attempts to sign in from one place), for emails to guests, and for files that take long to process. When you reach one, you are told what to do.`,
  ],
}

const account: LegalSection = {
  id: 'account',
  title: 'Your account',
  blocks: () => [
    'You need to be an adult, or have the permission of a parent or guardian. The email address must be your own and be correct: we write to it about your plan and your photos. Keep the password to yourself and tell us if somebody else has it. You answer for what is done with your account, unless it is our fault or you have told us.',
    'An account is for one person or one business. You may let others work with it, on your responsibility.',
  ],
}

const money: Record<LegalContext['site']['payments'], string> = {
  stripe:
    '**Payment.** Plans are paid in advance by card, on the page of our payment provider Stripe. The price in the table is all that you pay: VAT is included where it is due, there is no setup fee. The payment provider makes an invoice for each payment.',
  demo: '**Demo: no money moves.** On this site payments are a demonstration. No card is asked for and nothing is charged or given back; what follows shows what would apply.',
  off: '**This site does not sell plans.** Who runs it can give you a larger plan without payment. What follows would apply if plans were sold.',
}

const payment: LegalSection = {
  id: 'payment',
  title: 'Price, renewal and cancelling',
  blocks: ({ values: v, site }) => [
    money[site.payments],
    '**Renewal.** A paid plan goes on by itself, for another month or year at the same price, until you cancel. You can cancel at any time in [Settings](' +
      paths.settings +
      '), up to the last day, without a reason and without a fee. You keep the plan until the end of the period that is paid, and nothing more is charged. Until then you can take it back.',
    '**Change.** You can change between monthly and yearly at any time; it takes effect at once. What is left of the paid period counts towards the new price. If it is more than that, the rest pays your next payments, as long as the subscription goes on.',
    `**A payment that fails.** Your plan goes on for ${v.graceDays} days while the payment is tried again, and we tell you how to correct it. Then your plan becomes Free. If you cancel while a payment is missing, the plan ends at once and that payment is not asked for any more.`,
    '**New prices** apply only to plans that begin or renew after we have told you as [section](#changes) says.',
    '**A plan without payment** that we give you ends on the day that we name, or when we take it back.',
  ],
}

const refund: LegalSection = {
  id: 'refund',
  title: 'Money back and right of withdrawal',
  blocks: ({ values: v }) => [
    `**${v.refundDays}-day money-back guarantee.** Within ${v.refundDays} days of your first payment you can have back everything that you paid, without a reason: “Ask for my money back” in [Settings](${paths.settings}). It goes to the card it came from. Your plan ends at once and becomes Free; what [section](#end) says about your photos applies. We offer this once per customer, to consumers and businesses.`,
    '**Right of withdrawal of consumers.** If you are a consumer, you may withdraw from a paid contract within 14 days of making it, without a reason (articles VI.47 and following of the Belgian Code of Economic Law). The guarantee above is wider, and the easiest way to do it. For a contract that it does not cover, such as a second one, tell us in any clear words within these days, for example by email. You then get back all that you paid for that contract, at the latest 14 days after you told us, by the means with which you paid; we keep nothing for the days on which you used it.',
    {
      contact: 'operator',
      before: 'Withdraw by a message to',
      after:
        'You can write: “I withdraw from my contract for the plan … of (date). Name, email address of the account, date.”',
    },
  ],
}

const content: LegalSection = {
  id: 'content',
  title: 'Your photos, and what is not allowed',
  blocks: ({ values: v }) => [
    '**Your photos stay yours.** You give us only the right to store, convert, show and send them, as far as the service needs it and for as long as they are stored here. We use them for nothing else: not for advertising, and not to train machines.',
    '**You answer for what you upload.** You have the right to share it, and the people in it know of it or have agreed, as the law asks. Tell them, for example on the screen or at the entrance, who takes the photos and what becomes of them.',
    '**Not allowed**: what breaks the law or the rights of others; sexual pictures of minors, hate, threats; pictures of people at their most private without their consent; malicious files; emails to people who did not ask for them; to look for gaps in our security without our consent, to get around limits, or to burden the service so that others suffer; to sell the service on as your own without an agreement with us.',
    '**Guests** may open, save and use a photo as its owner and the law allow; a code gives them no other right to it. They may report it.',
    `**Reports.** Anybody can report a photo on its page, with a reason and a note; ${v.openReports} open reports for each reason are kept. The owner is told and can hide or keep it. We look at reported photos, too: what is unlawful or against these conditions we hide from guests. In serious or repeated cases we close the account. The owner sees what was decided and may answer by email; a person then looks at it again. No machine decides about content.`,
  ],
}

const end: LegalSection = {
  id: 'end',
  title: 'When a plan or the account ends',
  blocks: ({ values: v }) => [
    `**When a paid plan ends**, your account becomes Free. Codes go on working. Logo, background, watermark, analytics and API access stop. Only storage counts for what stays: your photos are kept for ${v.keepDays} days. Then, if they take more than the ${v.freeStorageGb} GB of the Free plan, the oldest are removed until the rest fits. Before that we send ${v.keepEmails} emails (on days ${v.keepEmailDays}) with the number of photos, the day, and a link to a file with all of them. For ${v.undoRemovalDays} days after the removal you can undo it as far as there is space.`,
    `**You can leave at any time**: “Export my data” and “Delete my account” in [Settings](${paths.settings}). Deleting ends a subscription too and cannot be undone; what is paid is then not given back, except by [section](#refund).`,
    `**We can end the contract** with notice by email, at least ${v.noticeDays} days before, and then give back what you paid for the time after it. For an important reason, such as a serious breach of [section](#content) or a payment by fraud, we may close your account at once; you can still have your data, unless a law forbids it. If we close a plan without a reason of yours, you get back the share of the price for the rest of the period.`,
  ],
}

/** The General Conditions in English. */
export const text: LegalText = {
  summary: ({ values: v }) => [
    'Your photos stay yours.',
    `Cancel at any time. All your money back within ${v.refundDays} days of the first payment, once.`,
    `After a paid plan ends, your photos are kept for ${v.keepDays} days; then the oldest go, until the rest fits the Free plan.`,
    'Belgian law applies. What the law gives consumers stays theirs.',
  ],
  sections: [parties, service, account, payment, refund, content, end, ...processing],
}
