import type {
  Email,
  EmailContext,
  EmailKind,
  EmailLogo,
  LinkEmail,
  PlanEmail,
  ReportEmail,
  UsageEmail,
  WithdrawalEmail,
} from '@keepsnap/contract/emails.ts'
import { billingLimits, limits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import type { Format } from '../lib/format.ts'
import type { Catalogue } from '../messages/en.ts'
// Those who answer messages to support read English.
import { operatorSupport } from '../messages/en/operators.ts'

/** The sentences of an email, for its HTML and its plain text. */
export interface EmailContent {
  subject: string
  /** Shown after the subject in the inbox. */
  preview: string
  heading: string
  /** Who sent it, for the guest. */
  sender?: string
  /** The picture that it is about, attached under `cid`; sizes in pixels. */
  picture?: { cid: string; width: number; height: number; alt: string }
  paragraphs: readonly string[]
  /** What somebody wrote: a title of one line, and a text of several. */
  quote?: { title: string; text: string }
  /** A sentence after it. */
  note?: string
  /** The email's one link. */
  action?: { button: string; url: string; expiry?: string }
  /** Names the attachment in plain text. */
  file?: string
  /** Why the recipient gets this email. */
  reason: string
  /** How to unsubscribe from such emails. */
  unsubscribe?: { ignore: string; link: string; url: string }
  logo?: EmailLogo | null
}

/** The sentences and formats of the language of an email, and its addresses. */
export interface EmailTools extends Pick<
  Catalogue,
  | 'emails'
  | 'storageEmails'
  | 'operatorEmails'
  | 'supportEmails'
  | 'withdrawalEmails'
  | 'eventGrantEmails'
  | 'helperEmails'
> {
  frame: EmailContext
  format: Format
  /** A time, in the time zone of the email. */
  at: (iso: string) => string
  /** The day alone, with its year. */
  day: (iso: string) => string
  /** The day with its year, the time to the second, and the time zone. */
  moment: (iso: string) => string
}
interface Tools extends EmailTools {
  /** Of this site. */
  host: string
  urlOf: (page: string) => string
  /** A number stays on the line of its unit. */
  size: (bytes: number) => string
}

/** Fills the sentences of an email with its values. */
export function emailContent(email: Email, tools: EmailTools): EmailContent {
  const { publicUrl } = tools.frame
  const contentOf = contents[email.kind] as (email: Email, tools: Tools) => EmailContent // that of its kind
  return contentOf(email, {
    ...tools,
    host: new URL(publicUrl).host,
    urlOf: (page) => new URL(page, publicUrl).href,
    size: (bytes) => tools.format.size(bytes).replaceAll(' ', '\u{a0}'),
  })
}

type EmailOf<Kind extends EmailKind, One = Email> = One extends { kind: infer Kinds }
  ? Kind extends Kinds
    ? One
    : never
  : never

/** What both emails about guests' photos have in common. */
const guestPhotosContent = (
  { button, reason, unsubscribe }: Tools['emails']['guestPhotos'],
  { url, settingsUrl }: Pick<EmailOf<'review-waiting'>, 'url' | 'settingsUrl'>,
  host: string,
) => ({ action: { button, url }, reason: reason(host), unsubscribe: { ...unsubscribe, url: settingsUrl } })

const contents: { [Kind in EmailKind]: (email: EmailOf<Kind>, tools: Tools) => EmailContent } = {
  photo: (
    { brandName, thumbnail, attached, filename, url, expiresAt, stopUrl, logo },
    { emails: { photo: text }, host, at },
  ) => ({
    ...headlineOf({ ...text, subject: text.subject(brandName), preview: text.lead }),
    sender: text.sender(brandName),
    ...(thumbnail && { picture: { ...thumbnail, alt: text.pictureAlt } }),
    paragraphs: [attached ? `${text.lead} ${text.attached}` : text.lead],
    action: { button: text.button, url, expiry: text.expiry(at(expiresAt)) },
    file: text.file(filename),
    reason: text.reason(host),
    unsubscribe: { ...text.unsubscribe, url: stopUrl },
    logo,
  }),

  reset: (email, tools) => linkContent(email, tools.emails.reset, tools),
  archive: (email, tools) => linkContent(email, tools.emails.archive, tools),
  verify: (email, tools) => {
    const { verify, change } = tools.emails
    return linkContent(email, email.changed ? { ...verify, ...change } : verify, tools)
  },
  'password-changed': (email, tools) => {
    const text = tools.emails.passwordChanged
    return securityContent(text, [text.lead(tools.at(email.at)), text.hint], tools)
  },
  'new-sign-in': (email, tools) => {
    const text = tools.emails.newSignIn
    const lead = text.lead(tools.at(email.at), email.device ? ` (${email.device})` : '')
    return securityContent(text, [lead, text.signOut(tools.urlOf(pages.settings)), text.hint], tools)
  },
  'email-changed': (email, { emails: { emailChanged: text, security }, frame, host, at }) => ({
    ...headlineOf({ ...security, ...text }),
    paragraphs: [text.lead(at(email.at), email.newEmail ?? ''), text.hint(frame.operator.email)],
    reason: text.reason(host),
  }),
  'account-deleted': (email, { emails: { accountDeleted: text }, host, at }) => ({
    ...headlineOf(text),
    paragraphs: [text.lead(at(email.at)), text.hint],
    reason: text.reason(host),
  }),
  test: (email, { emails: { test: text }, host, at }) => ({
    ...headlineOf(text),
    paragraphs: [text.lead(at(email.at))],
    reason: text.reason(host),
  }),

  'api-key-created': ({ at, name }, tools) => accessContent(tools.emails.apiKeyCreated, at, name, tools),
  'webhook-created': ({ at, name }, tools) => accessContent(tools.emails.webhookCreated, at, name, tools),
  'event-grant-created': ({ at, name = '' }, tools) => {
    const { created: text } = tools.eventGrantEmails
    return securityContent(text, [text.lead(tools.at(at), name), text.hint], tools)
  },
  'helper-created': ({ at, name = '' }, tools) => {
    const { created: text } = tools.helperEmails
    return securityContent(text, [text.lead(tools.at(at), name), text.hint], tools)
  },
  'event-grant': (
    { eventName, brandName, photos, url, expiresAt, stopUrl },
    { emails: { photo }, eventGrantEmails: { grant: text }, host, format, at },
  ) => ({
    ...headlineOf({ subject: text.subject(eventName), preview: text.preview }),
    sender: photo.sender(brandName),
    paragraphs: [text.lead(eventName, brandName ?? host), text.count(photos, format.count(photos)), text.private],
    action: { button: text.button, url, expiry: text.expiry(at(expiresAt)) },
    reason: text.reason(host),
    unsubscribe: { ignore: text.ignore, link: photo.unsubscribe.link, url: stopUrl },
  }),
  'webhook-disabled': (email, { emails: { webhookDisabled: text, settings }, host, at }) => ({
    ...headlineOf({ ...text, subject: text.subject(email.host) }),
    paragraphs: [text.lead(email.host, at(email.failingSince)), text.hint],
    action: { button: settings, url: email.url },
    reason: text.reason(host),
  }),

  report: (email, tools) => reportContent(email, tools),
  'report-digest': (email, tools) => reportContent(email, tools),
  'request-removal': (
    { addresses, firstAt, url, settingsUrl },
    { emails: { requestRemoval: text }, host, format, day },
  ) => {
    const [count, first] = [format.count(addresses), day(firstAt)]
    return {
      subject: text.subject(count),
      preview: text.preview(first),
      heading: text.heading,
      paragraphs: [text.lead(count, first, { kept: limits.requestDays, soon: limits.requestRemovalDays }), text.hint],
      action: { button: text.button, url },
      reason: text.reason(host),
      unsubscribe: { ...text.unsubscribe, url: settingsUrl },
    }
  },

  'review-waiting': ({ event, photos, ...email }, { emails: { guestPhotos: text }, host, format }) => ({
    ...guestPhotosContent(text, email, host),
    subject: text.waiting.subject(format.count(photos), event),
    preview: text.waiting.preview,
    heading: text.waiting.heading,
    paragraphs: [text.waiting.lead(format.count(photos), event), text.waiting.hint],
  }),
  'guests-full': ({ event, ...email }, { emails: { guestPhotos: text }, host }) => ({
    ...guestPhotosContent(text, email, host),
    subject: text.full.subject(event),
    preview: text.full.preview,
    heading: text.full.heading,
    paragraphs: [text.full.lead(event), text.full.hint],
  }),

  'plan-started': (email, tools) => {
    const { started } = tools.emails.plan
    return begunPlanContent(email, started, (coveredBy) => started.covered(email.planName, coveredBy), tools)
  },
  'plan-changed': (email, tools) => {
    const { started, changed } = tools.emails.plan
    return begunPlanContent(email, { ...started, ...changed }, changed.covered, tools)
  },
  'first-payment-failed': (email, tools) => {
    const { lead, hint, ...headline } = tools.emails.plan.firstPaymentFailed
    const paragraphs = [lead(email.planName, tools.format.price(email.priceCents)), hint]
    return planContent(email, { ...headline, paragraphs }, tools)
  },
  'payment-failed': (email, tools) => {
    const { lead, until, hint, demoHint, ...headline } = tools.emails.plan.paymentFailed
    const advice = `${until(dayOf(email, tools))} ${email.isDemo ? demoHint : hint}`
    const paragraphs = [lead(email.planName, tools.format.price(email.priceCents)), advice]
    return planContent(email, { ...headline, paragraphs }, tools)
  },
  'plan-cancelled': (email, tools) => {
    const { lead, hint, ...headline } = tools.emails.plan.cancelled
    return planContent(email, { ...headline, paragraphs: [lead(email.planName, dayOf(email, tools)), hint] }, tools)
  },
  'plan-resumed': (email, tools) => {
    const { lead, ...headline } = tools.emails.plan.resumed
    const paragraphs = [lead(email.planName, priceOf(email, tools), dayOf(email, tools))]
    return planContent(email, { ...headline, paragraphs }, tools)
  },
  'plan-ended': (email, tools) => {
    const { subject, preview, lead, hint } = tools.emails.plan.ended
    return planContent(email, { subject: subject(email.planName), preview, paragraphs: [lead, hint] }, tools)
  },
  'payment-refunded': (email, tools) => {
    const { preview, lead, hint, ...headline } = tools.emails.plan.refunded
    const amount = tools.format.price(email.amountCents ?? 0)
    return planContent(email, { ...headline, preview: preview(amount), paragraphs: [lead(amount), hint] }, tools)
  },

  usage: (email, tools) =>
    email.subject === 'photos' ? usedPhotosContent(email, tools) : usedStorageContent(email, tools),
  removal: (
    { photos, bytes, storedBytes, planName, planBytes, removeAt, archive },
    { emails: { settings }, storageEmails: { removal: text }, host, urlOf, format, size, at },
  ) => {
    const [count, when] = [format.count(photos), at(removeAt)]
    return {
      subject: text.subject(photos, count, when),
      preview: text.preview,
      heading: text.heading(photos, count),
      paragraphs: [
        text.lead(planName, size(planBytes), size(storedBytes)),
        text.removed({ photos, count, size: size(bytes), when }),
        text.keep(urlOf(pages.pricing)),
        archive ? text.archive : text.noArchive,
      ],
      action: archive
        ? { button: text.download, url: archive.url, expiry: text.expiry(at(archive.expiresAt)) }
        : { button: settings, url: urlOf(pages.settings) },
      reason: text.reason(host),
    }
  },
  removed: (
    { photos, bytes, planName, planBytes, restorableUntil },
    { emails: { settings }, storageEmails: { removed: text }, host, urlOf, format, size, at },
  ) => {
    const [count, when] = [format.count(photos), at(restorableUntil)]
    return {
      subject: text.subject(photos, count),
      preview: text.preview(when),
      heading: text.heading(photos, count),
      paragraphs: [text.lead(planName, size(planBytes), size(bytes)), text.restore(when)],
      action: { button: settings, url: urlOf(pages.settings) },
      reason: text.reason(host),
    }
  },

  'photo-hidden': (
    { filename, at: decidedAt, message, url },
    { operatorEmails: { hidden: text, message: title, reason }, host, at },
  ) => ({
    ...headlineOf(text),
    paragraphs: [text.lead(filename, host, at(decidedAt)), ...(message === null ? [text.why] : [])],
    ...(message !== null && { quote: { title, text: message } }),
    note: text.hint,
    action: { button: text.button, url },
    reason: reason(host),
  }),
  'photo-shown': (
    { filename, at: decidedAt, message, stillHidden, url },
    { operatorEmails: { shown: text, message: title, reason }, host, at },
  ) => ({
    ...headlineOf(text),
    paragraphs: stillHidden
      ? [text.leadStillHidden(filename, host, at(decidedAt)), text.stillHidden]
      : [text.lead(filename, host, at(decidedAt))],
    ...(message !== null && { quote: { title, text: message } }),
    action: { button: text.button, url },
    reason: reason(host),
  }),
  'payment-disputed': (
    { account, amountCents, reason, at: disputedAt, respondBy, url },
    { operatorEmails: { disputed: text }, host, format, at },
  ) => {
    const amount = format.price(amountCents)
    return {
      subject: text.subject(amount),
      preview: text.preview,
      heading: text.heading,
      paragraphs: [
        text.lead(account, amount, at(disputedAt)),
        text.why(reason.replaceAll('_', ' ')),
        ...(respondBy === null ? [] : [text.respond(at(respondBy))]),
        text.ends,
      ],
      action: { button: text.button, url },
      reason: text.reason(host),
    }
  },
  'support-message': ({ name, address, subject, message, priority, suspected, url }, { host }) => {
    const { email: text } = operatorSupport
    return {
      // The marks stand first, so that rules of a mail program can sort by them.
      subject: [...(suspected ? [text.marks.suspected] : []), ...(priority ? [text.marks.priority] : []), subject].join(
        ' ',
      ),
      preview: message.slice(0, 120),
      heading: text.heading,
      paragraphs: [
        text.from(name, address),
        ...(priority ? [text.priority] : []),
        ...(suspected ? [text.suspected] : []),
      ],
      quote: { title: subject, text: message },
      note: text.hint,
      action: { button: text.button, url },
      reason: text.reason(host),
    }
  },
  'support-received': (email, { supportEmails: { received: text }, host, at }) => ({
    ...headlineOf(text),
    paragraphs: [text.lead(host, at(email.at)), text.answer],
    reason: text.reason(host),
  }),
  'withdrawal-received': (email, tools) => {
    const { withdrawalEmails: text, emails, operatorEmails, host, moment } = tools
    const when = moment(email.at)
    const { labels } = text
    return {
      ...headlineOf({ subject: text.subject, preview: text.preview(when) }),
      paragraphs: [
        text.lead(host, when),
        ...withdrawalParagraphs(email, tools),
        ...(email.isDemo ? [emails.plan.demo] : []),
      ],
      quote: {
        title: text.declared,
        text: [
          text.declaration,
          `${labels.name}: ${email.name}`,
          `${labels.email}: ${email.address}`,
          `${labels.contract}: ${email.contract}`,
          `${labels.made}: ${when}`,
        ].join('\n'),
      },
      action: {
        button: { link: text.button, late: emails.settings }[email.found as 'link'] ?? operatorEmails.hidden.button, // others are not among the keys
        url: email.url,
      },
      reason: text.reason(host),
    }
  },
}

/** What was found, and what follows. */
function withdrawalParagraphs(
  { found, planName, concludedAt, until, decideBy }: WithdrawalEmail,
  { withdrawalEmails: text, day, moment }: Tools,
): string[] {
  const plan = planName ?? text.acceptedPlan
  const concluded = concludedAt === null ? '' : day(concludedAt)
  if (found === 'accepted') return [text.accepted(plan)]
  if (found === 'link') return [text.link(plan, concluded), text.linkOr(day(decideBy))]
  if (found === 'late')
    return [text.late(plan, concluded, until === null ? '' : moment(until)), text.lateAdvice(billingLimits.refundDays)]
  return [text[found]]
}

interface Headline {
  subject: string
  preview: string
  /** Where it is not the subject. */
  heading?: string
}
const headlineOf = ({ subject, preview, heading = subject }: Headline) => ({ subject, preview, heading })

const linkContent = (
  { url, expiresAt }: LinkEmail,
  text: Catalogue['emails']['reset'] & Headline,
  { host, at }: Tools,
): EmailContent => ({
  ...headlineOf(text),
  paragraphs: [text.lead],
  action: { button: text.button, url, expiry: text.expiry(at(expiresAt)) },
  reason: text.reason(host),
})

const accessContent = (
  text: Catalogue['emails']['apiKeyCreated'],
  createdAt: string,
  name = '',
  tools: Tools,
): EmailContent => securityContent(text, [text.lead(tools.at(createdAt), name), tools.emails.accessHint], tools)

const securityContent = (
  headline: Omit<Headline, 'preview'>,
  paragraphs: string[],
  { emails: { security }, host, urlOf }: Tools,
): EmailContent => ({
  ...headlineOf({ ...security, ...headline }),
  paragraphs,
  action: { button: security.button, url: urlOf(pages.forgotPassword) },
  reason: security.reason(host),
})

function reportContent({ url, photos, photo }: ReportEmail, { emails: { report: text }, host }: Tools): EmailContent {
  const shared = { preview: text.preview, action: { button: text.button, url }, reason: text.reason(host) }
  if (photo === null)
    return {
      ...shared,
      subject: text.subjectMany(photos),
      heading: text.headingMany(photos),
      paragraphs: [text.leadMany, text.hintMany],
    }
  const reasons = photo.reasons.map((reason) => text.reasons[reason]).join(text.and)
  return {
    ...shared,
    subject: text.subject,
    heading: text.heading,
    paragraphs: [text.lead(photo.filename, reasons), text.hint],
  }
}

const dayOf = ({ at }: PlanEmail, { day }: Tools): string => (at === null ? '' : day(at))
const priceOf = ({ interval, priceCents }: PlanEmail, { emails: { plan: text }, format }: Tools): string =>
  (interval === 'month' ? text.perMonth : text.perYear)(format.price(priceCents))

function begunPlanContent(
  email: PlanEmail,
  { subject, preview, lead, hint, withdraw }: Omit<Catalogue['emails']['plan']['started'], 'covered'>,
  covered: (coveredBy: string) => string,
  tools: Tools,
): EmailContent {
  const { planName: plan, coveredBy } = email
  const headline = {
    subject: subject(plan),
    preview: coveredBy === null ? preview : tools.emails.plan.started.coveredPreview,
  }
  const paragraphs = [
    lead(plan, priceOf(email, tools), dayOf(email, tools)),
    coveredBy === null ? hint : covered(coveredBy),
    withdraw(tools.urlOf(pages.withdraw)),
  ]
  return planContent(email, { ...headline, paragraphs }, tools)
}

const planContent = (
  { kind, url, isDemo }: PlanEmail,
  { paragraphs, ...headline }: Headline & { paragraphs: readonly string[] },
  { emails: { plan: text, pricing, settings }, host }: Tools,
): EmailContent => ({
  ...headlineOf(headline),
  paragraphs: isDemo ? [...paragraphs, text.demo] : paragraphs,
  action: { button: kind === 'plan-ended' || kind === 'first-payment-failed' ? pricing : settings, url },
  reason: text.reason(host),
})

const plansAction = ({ emails, urlOf }: Tools) => ({ button: emails.pricing, url: urlOf(pages.pricing) })

function usedPhotosContent(
  { used, limit, isFull, planName, isLargestPlan, monthEndsAt }: UsageEmail,
  tools: Tools,
): EmailContent {
  const {
    storageEmails: { usage: text },
    frame,
    host,
    urlOf,
    format,
    at,
  } = tools
  const [usedCount, limitCount] = [format.count(used), format.count(limit)]
  const subject = isFull ? text.photosUsed(limitCount) : text.photosNearlyUsed(usedCount, limitCount)
  return {
    subject,
    preview: text.preview(planName),
    heading: subject,
    paragraphs: [
      text.photosLead(planName, limitCount),
      ...(monthEndsAt === null ? [] : [text.photosUntil(at(monthEndsAt))]),
      ...(isFull ? [text.photosWait] : []),
      isLargestPlan ? text.morePhotosThanAnyPlan(frame.operator.email) : text.morePhotos,
    ],
    action: isLargestPlan ? { button: tools.emails.settings, url: urlOf(pages.settings) } : plansAction(tools),
    reason: text.reason(host),
  }
}

function usedStorageContent({ used, limit, isFull, planName, isLargestPlan }: UsageEmail, tools: Tools): EmailContent {
  const {
    storageEmails: { usage: text },
    frame,
    host,
    urlOf,
    size,
  } = tools
  const subject = isFull ? text.storageFull(size(limit)) : text.storageNearlyFull(size(used), size(limit))
  return {
    subject,
    preview: text.preview(planName),
    heading: subject,
    paragraphs: [
      text.storageLead(planName, size(limit), size(used)),
      ...(isFull ? [text.storageWaits] : []),
      isLargestPlan ? text.moreStorageThanAnyPlan(frame.operator.email) : text.moreStorage,
    ],
    action: isLargestPlan ? { button: text.gallery, url: urlOf(pages.gallery) } : plansAction(tools),
    reason: text.reason(host),
  }
}
