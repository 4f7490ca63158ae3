import type { EmailContext, PlanEmail } from '@keepsnap/contract/guest.ts'
import type { Catalogue } from '../../messages/en.ts'

interface PlanContentOptions {
  text: Catalogue['emails']['plan']
  frame: EmailContext
  formatDate: (iso: string) => string
  formatPrice: (cents: number) => string
}

interface Sentences {
  subject: string
  preview: string
  heading: string
  paragraphs: readonly string[]
}

/** The sentences of an email about a plan. */
export function planEmailContent(email: PlanEmail, options: PlanContentOptions) {
  const { text, frame } = options
  const sentences = sentencesOf(email, options)
  return {
    ...sentences,
    paragraphs: email.isDemo ? [...sentences.paragraphs, text.demo] : sentences.paragraphs,
    action: {
      button: email.kind === 'plan-ended' || email.kind === 'first-payment-failed' ? text.pricing : text.settings,
      url: email.url,
    },
    reason: text.reason(new URL(frame.publicUrl).host),
  }
}

function sentencesOf(email: PlanEmail, { text, formatDate, formatPrice }: PlanContentOptions): Sentences {
  const { planName: plan, priceCents, interval, at, amountCents, coveredBy } = email
  const price = (interval === 'month' ? text.perMonth : text.perYear)(formatPrice(priceCents))
  const date = at === null ? '' : formatDate(at)
  const amount = formatPrice(amountCents ?? 0)
  switch (email.kind) {
    case 'plan-started':
    case 'plan-changed': {
      const { subject, heading, preview, lead, hint } = email.kind === 'plan-started' ? text.started : text.changed
      const headline = { subject: subject(plan), heading: heading(plan) }
      if (coveredBy === null) return { ...headline, preview, paragraphs: [lead(plan, price, date), hint] }
      const covered =
        email.kind === 'plan-started' ? text.started.covered(plan, coveredBy) : text.changed.covered(coveredBy)
      return { ...headline, preview: text.started.coveredPreview, paragraphs: [lead(plan, price, date), covered] }
    }
    case 'first-payment-failed': {
      const { lead, hint, ...headline } = text.firstPaymentFailed
      return { ...headline, paragraphs: [lead(plan, formatPrice(priceCents)), hint] }
    }
    case 'payment-failed': {
      const { lead, until, hint, demoHint, ...headline } = text.paymentFailed
      const advice = `${until(date)} ${email.isDemo ? demoHint : hint}`
      return { ...headline, paragraphs: [lead(plan, formatPrice(priceCents)), advice] }
    }
    case 'plan-cancelled': {
      const { lead, hint, ...headline } = text.cancelled
      return { ...headline, paragraphs: [lead(plan, date), hint] }
    }
    case 'plan-resumed': {
      const { lead, ...headline } = text.resumed
      return { ...headline, paragraphs: [lead(plan, price, date)] }
    }
    case 'plan-ended': {
      const { subject, heading, preview, lead, hint } = text.ended
      return { subject: subject(plan), heading: heading(plan), preview, paragraphs: [lead, hint] }
    }
    case 'payment-refunded': {
      const { subject, heading, preview, lead, hint } = text.refunded
      return { subject, heading, preview: preview(amount), paragraphs: [lead(amount), hint] }
    }
  }
}
