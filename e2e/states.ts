import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { eventPages, pages } from '@keepsnap/contract/site.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import * as sample from '../web/test/operators.ts'
import {
  helperList,
  helperPhoto,
  plansForSale,
  reviewList,
  reviewPhoto,
  sampleEvent,
  sampleHelper,
  sampleReport,
  sampleRequest,
  subscribed,
} from '../web/test/samples.ts'
import { button, filePicker, pressControl } from './browser.ts'
import type { Content } from './populate-server.ts'

/**
 * Who looks: nobody is signed in; the same before the cookie notice is answered; the free plan without photos; Pro Yearly
 * with everything; the same without a live connection, which would fetch what a state replaces.
 */
export type Viewer = 'visitor' | 'undecided' | 'free' | 'pro' | 'offline'

/** What the server is replaced by: an answer, or nothing. */
type Reply = { status?: number; json: unknown } | 'no answer'

/** A page in one of its states, from wherever the page of the browser is. */
export interface State {
  name: string
  viewer: Viewer
  path: string
  /** By the end of the path, or by its start where that ends with a slash. */
  replies?: Record<string, Reply>
  /** Fields of the user that differ. */
  user?: object
  /** What is done after the page is loaded, without looking for any words: states without `reach` and `says` exist in all languages. */
  act?: (page: Page) => Promise<unknown>
  /** The same by words, in English. */
  reach?: (page: Page, content: Content) => Promise<unknown>
  /** A text in English by which one sees that the state is reached. */
  says?: string | RegExp
  /** A dialog: what is behind it is a state of its own. */
  within?: string
  /** Whether the page shows other elements on a desktop, so that axe has to look there, too. */
  differsOnDesktop?: boolean
  /** Whether `npm test` looks at it: one of each kind; `npm run record -- screens` looks at all. */
  isInTests?: boolean
  /** Languages in which the main part is in English on purpose. */
  englishIn?: readonly Language[]
  /** Looked at in few sizes, because another viewer has the same page in all. */
  isRepeated?: boolean
}

/** Opens a state of a page; its replies hold until `page.unrouteAll()`. */
export async function openState(page: Page, state: State, content: Content): Promise<void> {
  const { path, replies = {}, user, act, reach, says } = state
  for (const [part, reply] of Object.entries(replies))
    await page.route(
      ({ pathname }) => (part.endsWith('/') ? pathname.startsWith(part) : pathname.endsWith(part)),
      (route) => (reply === 'no answer' ? route.abort() : route.fulfill(reply)),
    )
  if (user)
    await page.route('**/user/me', async (route) => {
      const own = (await (await route.fetch()).json()) as object // what the contract says
      await route.fulfill({ json: { ...own, ...user } })
    })
  await page.goto(path)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await act?.(page)
  await reach?.(page, content)
  if (says) await page.getByText(says).first().waitFor()
}

const refused = (status: number): Reply => ({ status, json: { code: 'x', detail: 'The disk is on fire.' } })
const dialog = { within: 'dialog[open]' }
const longEmail = 'a-very-long-name-of-somebody@a-very-long-name-of-a-company.example.com'
const translations: Language[] = ['nl', 'fr', 'de']
/** The content comes from the OpenAPI document, or is law that has two languages only. */
const englishIn: Partial<Record<string, readonly Language[]>> = {
  apiDocs: translations,
  privacy: ['fr', 'de'],
  terms: ['fr', 'de'],
}

type PageName = keyof typeof pages
/** Pages that show each user something else. */
const personal =
  /^(home|latest|gallery|upload|print|photoRequests|insights|events|profile|settings|pricing|withdraw|subscription(Success|Cancel))$/

/** Every page of the contract as one viewer sees it; those that redirect are left out when they do. */
function everyPage(viewer: Viewer, { links }: Content): State[] {
  const paths: Partial<Record<PageName, string>> = {
    resetPassword: `${pages.resetPassword}?token=abc`,
    verifyEmail: `${pages.verifyEmail}?token=abc`,
    subscriptionSuccess: links.success,
  }
  const names = (Object.keys(pages) as PageName[]).filter((name) => name !== 'admin') // of a constant
  return names.map((name): State => ({
    name: `${name}-${viewer}`,
    viewer,
    path: paths[name] ?? pages[name],
    isRepeated: viewer !== 'visitor' && !personal.test(name),
    ...(englishIn[name] && { englishIn: englishIn[name] }),
    ...(name === 'home' && viewer === 'visitor' && { isInTests: true, differsOnDesktop: true }),
  }))
}

type SeenState = Omit<State, 'viewer'>
/** States of one viewer. */
const seenBy = (viewer: Viewer, states: SeenState[]): State[] => states.map((state) => ({ viewer, ...state }))

const click = (selector: string) => (page: Page) => page.locator(selector).first().click()
const press = (name: string | RegExp) => (page: Page) => button(page, name).click()

const visitorStates = ({ links }: Content): State[] => [
  ...seenBy('visitor', [
    { name: 'not-found', path: '/no-such-page' },
    { name: 'login-refused', path: pages.login, reach: refusedSignIn, says: 'Invalid email or password.' },
    {
      name: 'register-with-complaints',
      path: pages.register,
      async reach(page) {
        await page.getByLabel('Email').fill('not an address')
        await page.getByLabel('Password', { exact: true }).fill('short')
        await page.keyboard.press('Enter')
      },
      says: 'Password must be at least 8 characters long',
    },
    {
      name: 'pricing-with-an-answer',
      path: pages.pricing,
      reach: (page) => page.getByText('Can I get my money back?').click(),
      differsOnDesktop: true,
    },
    {
      name: 'api-docs-open',
      path: `${pages.apiDocs}#get-api-photos`,
      async reach(page) {
        await page.locator('#photo-failed > summary').click()
        await page.locator('#get-api-photos').getByText('Errors').click()
      },
    },
    {
      name: 'api-docs-not-loaded',
      path: pages.apiDocs,
      replies: { '/openapi.json': 'no answer' },
      says: 'The documentation couldn’t be loaded.',
    },
    {
      name: 'forgot-password-sent',
      path: pages.forgotPassword,
      async act(page) {
        await page.locator('input[type=email]').fill(longEmail)
        await page.keyboard.press('Enter')
        await page.locator('form').waitFor({ state: 'detached' })
      },
    },
    {
      name: 'reset-password-with-a-complaint',
      path: `${pages.resetPassword}?token=abc`,
      replies: { '/reset-password/check': { json: { detail: 'This link works.' } } },
      async act(page) {
        await page.locator('input[type=password]').first().fill('short')
        await page.keyboard.press('Enter')
      },
    },
    { name: 'demo-checkout', path: links.checkout },
    {
      name: 'demo-checkout-declined',
      path: links.declined,
      async act(page) {
        await page.locator('input[value=decline]').check()
        await click('form button')(page)
        await page.locator('[role=alert]').waitFor()
      },
    },
    { name: 'demo-checkout-paid', path: links.paid },
    { name: 'demo-checkout-unknown', path: '/demo-checkout/unknown' },
    { name: 'guest-request', path: links.request },
    { name: 'guest-report', path: links.request, act: click('details.report > summary'), isInTests: true },
    {
      name: 'guest-sent',
      path: links.request,
      // Each address may ask a few times only.
      replies: { '/request-email': { json: { detail: 'Sent.' } } },
      async act(page) {
        await page.locator('input[type=email]').fill('maximiliane.oberhuber-schwarzenberg@fotografie.example.com')
        await page.keyboard.press('Enter')
        await page.locator('[data-name]').waitFor()
      },
    },
    {
      name: 'guest-refused',
      path: links.request,
      async reach(page) {
        await page.getByLabel('Your email address').fill('lotte@example')
        await page.keyboard.press('Enter')
      },
      says: 'The address is missing its ending',
    },
    { name: 'guest-photo', path: links.grant },
    { name: 'guest-gone', path: '/request-photo/unknown' },
    { name: 'guest-expired', path: `/g/${'a'.repeat(43)}` },
    { name: 'guest-sample', path: '/sample/dance' },
    { name: 'guest-unsubscribe', path: links.unsubscribe },
    { name: 'guest-unsubscribed', path: links.unsubscribed },
    { name: 'guest-unsubscribe-unknown', path: '/stop/unknown' },
    {
      name: 'support-with-complaints',
      path: `${pages.support}#awake`,
      async reach(page) {
        await page.getByRole('textbox', { name: 'Email', exact: true }).fill('marjolein@fotohuis')
        await page.getByRole('textbox', { name: 'Message', exact: true }).fill('a'.repeat(5_001))
        await press('Send message')(page)
      },
      says: 'Please enter your name',
    },
    {
      name: 'support-refused-without-javascript',
      path: pages.support,
      async reach(page) {
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A very long name of somebody'.repeat(3))
        await page.locator('form').evaluate((form: HTMLFormElement) => form.submit())
      },
      says: 'Your message was not sent.',
    },
  ]),
  ...seenBy('undecided', [
    { name: 'cookie-notice', path: pages.home, differsOnDesktop: true },
    { name: 'cookie-notice-and-form', path: pages.register, isInTests: true },
    { name: 'cookie-settings', path: pages.pricing, act: click('.cookie-notice__customize'), ...dialog },
  ]),
]

async function refusedSignIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
}

const end = '2026-12-22T12:00:00.000Z'
/** A paid plan whose photos are nearly used up, with payments by Stripe. */
const status: SubscriptionStatus = {
  ...subscribed('pro_monthly'),
  complimentary: { id: 'pro_monthly', name: 'Pro Monthly', until: end },
  current_usage: { photos_uploaded: 93, storage_used_bytes: 6.7 * 1024 ** 3 },
  usage_percentage: { photos: 93, storage: 67 },
  payments: 'stripe',
  refundable_until: end,
}
const statusOf = (fields: Parameters<typeof subscribed>[1]): SubscriptionStatus => ({
  ...status,
  subscription: subscribed('pro_monthly', fields).subscription,
})
const pastDue = statusOf({ status: 'past_due', grace_until: end })
const usedUp = { ...pastDue, usage_percentage: { photos: 100, storage: 67 } }
const cancelled = statusOf({ cancel_at_period_end: true })
const credited = statusOf({ credit_cents: 13_500 })
const ended: SubscriptionStatus = { ...status, has_subscription: false, subscription: null, plan: plans.free }
const removed = {
  removal: { photos: 120, bytes: 3 * 1024 ** 3, at: end },
  removed_photos: { photos: 20, bytes: 1024 ** 3, until: end },
}

/** Answers the calls about the plan in the place of the server. */
const planReplies = (json: SubscriptionStatus): Record<string, Reply> => ({
  '/subscriptions/status': { json },
  '/subscriptions/plans': { json: plansForSale },
  '/subscriptions/invoices': {
    json: [0, 500, 1499].map((refunded_cents, index) => ({
      id: String(index),
      paid_at: end,
      amount_cents: 1499,
      refunded_cents,
      url: 'https://pay.example/invoice',
    })),
  },
})
/** The text is shown with this plan in the place of the viewer's. */
const withPlan = (name: string, path: string, plan: SubscriptionStatus, says: string): SeenState => ({
  name,
  path,
  replies: planReplies(plan),
  says,
})
const planStates: State[] = seenBy('free', [
  { name: 'pricing-chosen', path: `${pages.pricing}?plan=pro_yearly`, says: 'You chose Pro Yearly' },
  {
    name: 'pricing-without-plans',
    path: pages.pricing,
    replies: { '/subscriptions/plans': refused(403) },
    says: 'Plans can’t be bought right now',
  },
  { ...withPlan('change-of-the-plan', pages.pricing, status, 'You pay'), reach: press('Change Plan'), ...dialog },
  withPlan('settings-subscribed', pages.settings, status, '$5.00 refunded'),
  ...['Cancel Subscription', 'Ask for my money back'].map((name): SeenState => ({
    ...withPlan(`settings, ${name}`, pages.settings, status, name),
    async reach(page) {
      await press(name)(page)
      await page.getByRole('alertdialog').waitFor()
    },
    ...dialog,
  })),
  {
    ...withPlan('settings-refund-after-the-end', pages.settings, { ...ended, complimentary: null }, 'Refund $24.98'),
    user: { became_subscriber_at: end },
    reach: press('Ask for my money back'),
    ...dialog,
  },
  withPlan('settings-cancelled', pages.settings, { ...cancelled, complimentary: null }, 'What happens next'),
  withPlan('settings-past-due', pages.settings, pastDue, 'Your last payment failed.'),
  withPlan('profile-past-due', pages.profile, pastDue, 'Your last payment failed.'),
  withPlan('settings-with-removal', pages.settings, { ...status, ...removed }, '120 photos will be removed'),
  withPlan('gallery-with-removal', pages.gallery, { ...status, ...removed }, '120 photos will be removed'),
  withPlan('settings-with-a-credit', pages.settings, credited, 'Covered by your credit of $135.00.'),
  withPlan('upload-without-a-photo-left', pages.upload, usedUp, 'All 100 photos of this month are used.'),
  withPlan('latest-without-a-photo-left', pages.latest, usedUp, 'All 100 photos of this month are used.'),
  {
    name: 'settings-without-the-plan',
    path: pages.settings,
    replies: { '/subscriptions/status': refused(403) },
    says: 'Failed to fetch subscription status',
  },
  {
    name: 'after-an-unconfirmed-payment',
    path: '/subscription/success?session_id=cs_2',
    replies: { '/subscriptions/verify-session': refused(429) },
    says: 'We can’t confirm your payment yet',
  },
])

const longName = 'Jubileumsfeier der Donaudampfschifffahrtsgesellschaft, 75 Jahre'
const eventList = [
  sampleEvent(3, { name: 'Lotte & Bram', starts_on: '2026-11-28', state: 'on_now', is_current: true, gallery: 'link' }),
  sampleEvent(2, { name: longName, starts_on: '2026-11-07', ends_on: '2026-11-08', state: 'past', photo_count: 1042 }),
  sampleEvent(1, { name: 'Noor', archived_at: '2026-06-01T10:00:00.000Z' }),
  sampleEvent(4, { name: 'Test', deleted_at: '2026-11-27T10:00:00.000Z', gone_at: '2026-12-04T10:00:00.000Z' }),
]
const events = { json: { events: eventList } }
const eventOf = (id: string): string => eventPages.event.replace(':id', id)
/** Of an account with events, the first of which is the current one. */
const eventStates = ({ latest }: Content): State[] =>
  seenBy('offline', [
    { name: 'events', path: pages.events, isInTests: true, differsOnDesktop: true },
    { name: 'events-none', path: pages.events, replies: { '/user/events': { json: { events: [] } } } },
    { name: 'events-not-loaded', path: pages.events, replies: { '/user/events': refused(500) } },
    { name: 'event-new', path: pages.events, reach: press('New event'), ...dialog },
    { name: 'event', path: eventOf('event3'), isInTests: true },
    { name: 'event-past', path: eventOf('event2') },
    { name: 'event-archived', path: eventOf('event1') },
    { name: 'event-deleted', path: eventOf('event4') },
    { name: 'event-unknown', path: eventOf('nothing') },
    { name: 'event-deleting', path: eventOf('event2'), reach: press('Delete…'), within: '[role=alertdialog]' },
    {
      name: 'event-guests-direct',
      path: eventOf('event3'),
      reach: (page) => page.getByText('Straight to the screen', { exact: true }).click(),
      within: '[role=alertdialog]',
    },
    { name: 'event-switcher', path: pages.gallery, act: click('.event-switcher__button') },
    {
      name: 'event-moving',
      path: pages.gallery,
      async reach(page) {
        await press('Select')(page)
        await press(/^Select (?!all)/)(page)
        await press('Move to event…')(page)
      },
      ...dialog,
    },
    { name: 'gallery-event-empty', path: pages.gallery, replies: { '/photos': { json: [] } } },
    { name: 'upload-to-event', path: `${pages.upload}?event=event2` },
    {
      name: 'latest-event-empty',
      path: pages.latest,
      replies: { '/photos/latest': refused(404), '/photos': { json: [] } },
    },
    { name: 'latest-event-choosing', path: pages.latest, act: click('.event-switcher__button') },
  ]).map((state) => ({
    user: { current_event_id: 'event3' },
    ...state,
    replies: {
      '/user/events': events,
      '/photos/latest': { json: { ...latest, event_id: 'event3' } },
      '/photos': { json: [{ ...latest, event_id: 'event3' }] },
      ...state.replies,
    },
  }))

const pdf = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
const uploadStates: State[] = seenBy('free', [
  {
    name: 'settings-watermark-without-effect',
    path: pages.settings,
    reach: (page) => page.getByRole('checkbox', { name: 'Watermark' }).check(),
    says: 'You need to upload a logo to use as a watermark.',
  },
  {
    name: 'upload-refused',
    path: pages.upload,
    reach: (page) => filePicker(page).setInputFiles(pdf),
    says: 'This file is not a photo.',
  },
  {
    name: 'upload-one-file',
    path: pages.upload,
    async reach(page, { file: buffer }) {
      await filePicker(page).setInputFiles({ name: 'one.jpg', mimeType: 'image/jpeg', buffer })
      await page.getByRole('img', { name: 'Preview of one.jpg' }).waitFor()
    },
  },
  {
    name: 'upload-queue',
    path: pages.upload,
    replies: { '/photos/upload': refused(400) },
    reach: (page, { file: buffer }) =>
      filePicker(page).setInputFiles([{ name: 'one.jpg', mimeType: 'image/jpeg', buffer }, pdf]),
    says: 'The disk is on fire.',
    isInTests: true,
  },
])

const reviewStates = ({ latest: { thumbnail_url, screen_url } }: Content): State[] => {
  const [one, two, three] = [1, 2, 3].map((number) => reviewPhoto(number, { thumbnail_url, screen_url }))
  const decided = [
    { ...one!, review: 'approved' as const, hidden: true },
    { ...two!, review: 'rejected' as const, gone_at: end },
  ]
  const reviewOf = (photos: ReturnType<typeof reviewPhoto>[]): Pick<SeenState, 'path' | 'user' | 'replies'> => ({
    path: '/events/event1/review',
    user: { current_event_id: 'event1' },
    replies: {
      '/user/events': {
        json: {
          events: [sampleEvent(1, { name: 'Lotte & Bram', guest_photos: 'review', waiting_count: photos.length })],
        },
      },
      '/user/events/event1/review': { json: reviewList(photos) },
    },
  })
  const waiting = reviewOf([one!, two!, three!])
  return seenBy('free', [
    { name: 'review', ...waiting, says: '1 of 3', differsOnDesktop: true, isInTests: true },
    { name: 'review-empty', ...reviewOf([]), says: 'All looked at. New ones appear here by themselves.' },
    { name: 'review-all', ...waiting, reach: press('Approve all 3'), says: 'You have seen 1 of them.', ...dialog },
    { name: 'review-block', ...waiting, reach: press('Block this guest'), says: 'Block Lien?', ...dialog },
    { name: 'review-decided', ...reviewOf(decided), path: `${waiting.path}?list=decided`, says: 'Back to waiting' },
    {
      name: 'review-failed',
      ...waiting,
      replies: { ...waiting.replies, '/user/events/event1/review': refused(403) },
      says: 'We couldn’t load the photos.',
    },
  ])
}

/** The page of a helper, who has no account, and the panel of the owner. */
const helperStates = ({ latest: { thumbnail_url, screen_url } }: Content): State[] => {
  const photos = [1, 2, 3].map((number) => helperPhoto(number, { thumbnail_url, screen_url }))
  const shown = photos.map((photo, at) => ({ ...photo, review: 'approved' as const, hidden: at === 1 }))
  const page = (reply: Reply): Pick<State, 'path' | 'replies'> => ({
    path: eventPages.helper,
    replies: { '/helper/review': reply },
  })
  const begun = { begun_at: end, last_seen_at: end }
  const helpers = [
    sampleHelper({ id: 'helper1', state: 'asks', ...begun, asked_at: end, approved: 12, rejected: 3, hidden: 1 }),
    sampleHelper({ id: 'helper2', name: 'Bo' }),
    sampleHelper({ id: 'helper3', name: 'Noor', state: 'ended', ...begun, approved: 4 }),
  ]
  const panel = {
    path: eventOf('event3'),
    user: { current_event_id: 'event3' },
    replies: { '/user/events': events, '/user/events/event3/helpers': { json: { helpers } } },
    says: 'Another device asks',
  }
  return [
    ...seenBy('visitor', [
      {
        name: 'helper-begin',
        ...page(refused(404)),
        path: `${eventPages.helper}#${'s'.repeat(43)}`,
        says: 'Begin',
        isInTests: true,
      },
      { name: 'helper-refused', ...page(refused(403)), says: 'This link is used on another device' },
      { name: 'helper-ended', ...page(refused(404)), says: 'This link doesn’t work any more' },
      { name: 'helper-review', ...page({ json: helperList(photos) }), says: '1 of 3' },
      {
        name: 'helper-empty',
        ...page({ json: helperList([]) }),
        says: 'All looked at. New ones appear here by themselves.',
      },
      {
        name: 'helper-shown',
        ...page({ json: helperList(shown, shown[0]!.id) }),
        path: `${eventPages.helper}?list=shown`,
        says: 'On the screen now',
      },
      { name: 'helper-not-loaded', ...page(refused(500)), says: 'We couldn’t load the photos.' },
    ]),
    ...seenBy('free', [
      { name: 'helpers', ...panel },
      { name: 'helpers-undo', ...panel, reach: press('Undo all: Anna'), within: '[role=alertdialog]' },
      { name: 'helpers-add', ...panel, reach: press('Add a helper'), ...dialog },
    ]),
  ]
}

/** Shows the Latest page as it would be with this photo, an hour after the others. */
function latestWith({ latest }: Content, fields: Partial<Photo>): Record<string, Reply> {
  const created_at = new Date(Date.parse(latest.created_at) + 3_600_000).toISOString()
  const unfinished = { processing: false, processing_complete: false, b2_url: null, screen_url: null }
  return { '/photos/latest': { json: { ...latest, ...unfinished, ...fields, created_at } } }
}

/** A file of the app, by the module that it was built from. */
async function builtFrom(module: string): Promise<string> {
  const manifest = new URL('../web/dist/.vite/manifest.json', import.meta.url)
  const chunks = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, { file: string }> // Vite's own format
  return chunks[module]!.file // otherwise the page does not exist
}

const proStates = async (content: Content): Promise<State[]> => [
  ...seenBy('pro', [
    { name: 'home-with-menu', path: pages.home, reach: press('Account menu') },
    {
      name: 'settings-with-devices',
      path: pages.settings,
      async reach(page) {
        await page.getByRole('img', { name: /newest photo with your logo/ }).waitFor()
        await press('Show devices')(page)
      },
      isInTests: true,
    },
    ...['Change password', 'Change email', 'Delete my account', 'Delete logo'].map((name): SeenState => ({
      name: `settings, ${name}`,
      path: pages.settings,
      async reach(page) {
        await press(name)(page)
        await page.locator('dialog[open]').waitFor()
      },
      ...dialog,
    })),
    {
      name: 'photo-requests-with-a-report',
      path: pages.photoRequests,
      replies: {
        '/user/reports': { json: { reports: [sampleReport(1)] } },
        '/user/photo-requests': {
          json: { requests: [sampleRequest(1, { requester_email: longEmail })], total: 1, sent: 1, failed: 0 },
        },
      },
      says: longEmail,
    },
    {
      name: 'latest-with-controls',
      path: pages.latest,
      reach: (page) => page.mouse.move(200, 200),
      differsOnDesktop: true,
      isInTests: true,
    },
    {
      name: 'latest-code',
      path: pages.latest,
      async reach(page) {
        const opened = page.getByRole('dialog', { name: 'QR code' })
        await pressControl(page, button(page, 'QR code'), opened)
        await opened.waitFor()
      },
      ...dialog,
    },
    ...['viewer', 'viewer-deleting'].map((name): SeenState => ({
      name,
      path: pages.gallery,
      async reach(page) {
        await page.locator('.page-head__logo').waitFor()
        await page.getByRole('link', { name: /^DSC00017\.jpg, / }).click()
        await page.getByRole('dialog', { name: 'DSC00017.jpg' }).getByText('Photo 2 of 4').waitFor()
        if (name === 'viewer-deleting') await press('Delete photo')(page)
      },
      ...(name === 'viewer' ? { isInTests: true } : { within: '[role=alertdialog]' }),
    })),
    {
      name: 'gallery-selecting',
      path: pages.gallery,
      async reach(page) {
        await press('Select')(page)
        await press(/^Select DSC00017\.jpg, /)(page)
      },
      says: '1 selected',
      differsOnDesktop: true,
    },
    {
      name: 'gallery-not-loaded',
      path: pages.gallery,
      replies: { '/photos': refused(400) },
      says: 'Failed to load photos. Please try again later.',
    },
    {
      name: 'support-not-sent',
      path: pages.support,
      async reach(page) {
        await page.getByRole('textbox', { name: 'Subject', exact: true }).fill('The screen in hall 4')
        await page.getByRole('textbox', { name: 'Message', exact: true }).fill('It is dark.')
        await page.route('**/support', (route) => route.abort())
        await press('Send message')(page)
      },
      says: 'Your text is still here.',
    },
  ]),
  ...seenBy('offline', [
    {
      name: 'latest-processing',
      path: pages.latest,
      replies: latestWith(content, { processing: true }),
      says: 'Processing your photo',
    },
    {
      name: 'latest-failed',
      path: pages.latest,
      replies: latestWith(content, { processing_failed: true, error_message: 'The file is damaged.' }),
      says: 'The file is damaged.',
    },
    {
      name: 'latest-not-loaded',
      path: pages.latest,
      replies: { '/photos/latest': refused(400) },
      says: 'Error loading your latest photo',
    },
    {
      // Last, because what was intercepted is answered from the browser's cache otherwise. The app loads the page once more
      // by itself before it gives up.
      name: 'page-without-its-code',
      path: pages.upload,
      replies: { [`/${await builtFrom('features/photos/UploadPage.tsx')}`]: 'no answer' },
      says: 'Something went wrong',
    },
  ]),
]

const rest = { skip: 0, limit: 20 }
const operator = {
  overview: sample.sampleOverview,
  health: sample.healthInTrouble,
  'failed-photos': {
    photos: [
      sample.sampleFailedPhoto(1, { filename: `${'A long name '.repeat(9)}.tiff` }),
      sample.sampleFailedPhoto(2, { can_retry: false }),
    ],
    total: 31,
    ...rest,
  },
  reports: {
    photos: [sample.sampleReportedPhoto(1), sample.sampleReportedPhoto(2, { hidden: true })],
    total: 2,
    ...rest,
  },
  users: {
    users: [
      sample.sampleOperatorUser(1, { email: longEmail, is_admin: true }),
      sample.sampleOperatorUser(2, { plan: 'free', is_past_due: true }),
      sample.sampleOperatorUser(3, { is_active: false, is_complimentary: true }),
    ],
    total: 45,
    ...rest,
  },
  audit: {
    entries: [
      sample.sampleAuditEntry(2, { by: { kind: 'operator', name: longEmail } }),
      sample.sampleAuditEntry(1, { outcome: 'refused', detail: 'There is nothing to refund.' }),
    ],
    has_more: true,
  },
  support: {
    messages: [
      { ...sample.sampleSupportMessage(1), excerpt: 'A very long text. '.repeat(9) },
      { ...sample.sampleSupportMessage(2), subject: 'VeryLongWord'.repeat(12), excerpt: 'x' },
    ],
    counts: { open: 2, priority: 1, answered: 40, suspected: 3 },
    total: 31,
    ...rest,
  },
  invoices: {
    invoices: [
      sample.sampleBusinessInvoice({
        id: 'invoice3',
        number: 'A1B2-0003',
        eur_rate: null,
        rate_by: null,
        waits_for: ['rate', 'buyer_street', 'buyer_city'],
      }),
      sample.sampleBusinessInvoice({
        id: 'invoice4',
        number: 'CN-2026-000012',
        account: null,
        waits_for: ['seller', 'buyer_postal_code'],
        kind: 'credit_note',
        corrects: 'A1B2-0001',
        total_cents: 500,
        vat_cents: 87,
      }),
      sample.sampleBusinessInvoice({
        buyer: { name: `${'A long name '.repeat(6)}GmbH`, vat_number: 'DE136695976' },
        reverse_charge: true,
        vat_cents: 0,
        rate_by: 'operator',
      }),
    ],
    waiting: 2,
    total: 31,
    ...rest,
  },
  emails: sample.sampleAddress(longEmail),
  photos: { photos: [sample.sampleFoundPhoto] },
  'support/message1': sample.sampleSupportMessage(1),
  'users/user1': sample.sampleUserDetail(1, { email: longEmail, is_complimentary: true, plan_until: end }),
}
const noItems = {
  messages: [],
  invoices: [],
  waiting: 0,
  photos: [],
  users: [],
  entries: [],
  total: 0,
  has_more: false,
  ...rest,
}
const lists = ['failed-photos', 'reports', 'users', 'audit', 'support', 'invoices']
const nothing = { ...noItems, counts: { open: 0, priority: 0, answered: 0, suspected: 0 } }
const actions = '/api/operator/'
const operatorReplies = (changed: object = {}): Record<string, Reply> => ({
  [actions]: { status: 403, json: { code: 'password_required', detail: 'Please enter your password first.' } },
  ...Object.fromEntries(
    Object.entries({ ...operator, ...changed }).map(([name, json]) => [`${actions}${name}`, { json }]),
  ),
})

/** The page for operators, which is in English, as an admin would see it. */
const operatorStates: State[] = seenBy('free', [
  { name: 'admin', path: pages.admin, says: 'There is nothing to refund.', differsOnDesktop: true },
  {
    name: 'admin-empty',
    path: pages.admin,
    replies: operatorReplies(Object.fromEntries(lists.map((name) => [name, nothing]))),
    says: 'Nothing has been done here yet.',
  },
  {
    name: 'admin-not-loaded',
    path: pages.admin,
    replies: { [actions]: { status: 400, json: {} } },
    reach: (page) => button(page, 'Try Again').nth(4).waitFor(),
  },
  { name: 'admin-account', path: `${pages.admin}?user=user1`, says: 'What you can do', ...dialog },
  { name: 'admin-message', path: pages.admin, reach: press(/^Open “Question 1/), says: 'Reply by email', ...dialog },
  {
    name: 'admin-found',
    path: pages.admin,
    async reach(page) {
      await page.getByLabel('ID, code or link').fill('abc')
      await page.keyboard.press('Enter')
      await page.getByLabel('Email address', { exact: true }).fill(longEmail)
      await page.keyboard.press('Enter')
    },
    says: 'Erase this guest',
  },
  {
    name: 'admin-delete-account',
    path: `${pages.admin}?user=user1`,
    async reach(page) {
      await page.locator('.operator-actions').getByRole('button', { name: 'Delete', exact: true }).click()
      await press('Continue')(page)
      await press('Delete account')(page)
    },
    says: 'This is not the email address of the account.',
    within: '[role=alertdialog]',
  },
  {
    name: 'admin-action-with-password',
    path: `${pages.admin}?user=user1`,
    async reach(page) {
      await press('Grant a plan')(page)
      await page.getByLabel('Reason (saved in the audit log)').fill('Sponsor')
      await press('Grant plan')(page)
      await page.getByLabel('Your password').waitFor()
      await press('Grant plan')(page)
    },
    says: 'Please enter your password.',
    within: '[role=alertdialog]',
  },
]).map((state) => ({ user: { is_admin: true }, replies: operatorReplies(), ...state }))

/** All states of all pages; those of one viewer in an order in which they can be opened one after the other. */
export async function allStates(content: Content): Promise<State[]> {
  return [
    ...everyPage('visitor', content),
    ...everyPage('free', content),
    ...everyPage('pro', content),
    ...visitorStates(content),
    ...planStates,
    ...uploadStates,
    ...reviewStates(content),
    ...helperStates(content),
    ...operatorStates,
    ...(await proStates(content)),
    ...eventStates(content),
  ]
}
