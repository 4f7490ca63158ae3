import { signIn, type User } from '@keepsnap/contract/accounts.ts'
import { apiDocument } from '@keepsnap/contract/integrations.ts'
import { listInvoices, listPlans, subscriptionStatus, verifySession } from '@keepsnap/contract/subscriptions.ts'
import { insights } from '@keepsnap/contract/insights.ts'
import { getPhoto, latestPhoto, listPhotos, uploadPhoto } from '@keepsnap/contract/photos.ts'
import {
  createTestCode,
  getTestEmail,
  listPhotoRequests,
  listReports,
  sendTestEmail,
  type TestEmail,
} from '@keepsnap/contract/guests.ts'
import { sendSupportMessage } from '@keepsnap/contract/site.ts'
import { listReview } from '@keepsnap/contract/event-photos.ts'
import { listEvents } from '@keepsnap/contract/events.ts'
import { createApiDocument } from '../../server/features/integrations/openapi.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { sampleEvent } from './samples.ts'
import { noResponse, refuse, useFakeServer } from './fake-server.ts'
import { pseudo, serveSettings, visit, type Visit, withImages } from './render.tsx'
import {
  failedPhoto,
  plansForSale,
  processingPhoto,
  reviewList,
  reviewPhoto,
  sampleInsights,
  samplePhoto,
  sampleReport,
  sampleRequest,
  sampleRequestList,
  subscribed,
} from './samples.ts'
import { untranslatedTexts } from './translated-text.ts'

const server = useFakeServer()

const press = async ({ person }: Visit, name: RegExp) => person.click(await screen.findByRole('button', { name }))
const photos = [samplePhoto(3), failedPhoto(2), processingPhoto(1)]
const servePhotos = (latest = photos[0]!) => {
  server.answer(latestPhoto, () => latest)
  server.answer(listPhotos, () => photos)
}
const none = { scans: 0, views: 0, downloads: 0, requests: 0 }

const appear = (selector: string, count = 1) =>
  waitFor(() => expect(document.querySelectorAll(selector).length).toBeGreaterThanOrEqual(count))

interface Page {
  /** In addition to the path, in the name of the test. */
  state?: string
  at: string
  /** The page has more sentences than this, some of which are loaded on demand. */
  sentences: number
  cookies?: null
  /** Who is signed in. */
  user?: Partial<User>
  serve?: () => unknown
  /** What is done on the page. */
  act?: (page: Visit) => Promise<unknown>
}
const pages: Page[] = [
  { at: '/', sentences: 30 },
  {
    at: '/',
    state: 'with the account menu open',
    sentences: 30,
    user: { subscription_tier: 'pro' },
    act: (page) => press(page, /Åççöüñt méñü/),
  },
  { at: '/login', sentences: 6 },
  {
    at: '/login',
    state: 'after a failure',
    sentences: 7,
    serve: () => server.answer(signIn, () => refuse(500, 'English from the server')),
    async act({ person }) {
      await person.type(await screen.findByLabelText(/Émáíl/), 'a@b.example')
      await person.type(screen.getByLabelText(/^⟦Pásswörd/), 'secret{Enter}')
      await screen.findByRole('alert')
    },
  },
  { at: '/register', sentences: 12 },
  {
    at: '/register',
    state: 'when it is incomplete',
    sentences: 14,
    act: async ({ person }) => person.type(await screen.findByLabelText(/Émáíl/), 'nobody{Enter}'),
  },
  { at: '/nowhere', sentences: 5 },
  {
    at: '/nowhere',
    state: 'with the cookie notice and its settings',
    sentences: 10,
    cookies: null,
    async act(page) {
      await press(page, /Cüstömíz/)
      await screen.findByRole('dialog')
    },
  },
  { at: '/forgot-password', sentences: 6 },
  { at: '/reset-password', sentences: 4 },
  { at: '/reset-password?token=abc', sentences: 10 },
  { at: '/demo-screen', sentences: 10 },
  { at: '/verify-email', sentences: 3 },
  { at: '/verify-email?token=abc', sentences: 3 },
  { at: '/about', sentences: 20, user: {}, act: () => screen.findByText('Fotolicht BV') },
  { at: '/accessibility', sentences: 150, act: () => screen.findByRole('article') },
  { at: '/privacy', sentences: 5, act: () => screen.findByRole('article') },
  {
    at: '/profile',
    sentences: 8,
    user: {},
    // The name of the plan would be that of the server.
    serve: () => server.answer(subscriptionStatus, () => refuse(400, 'x')),
    act: () => screen.findByText(/^⟦Fréé/),
  },
  { at: '/pricing', sentences: 30, serve: () => server.answer(listPlans, () => plansForSale) },
  {
    at: '/api-docs',
    sentences: 40,
    serve: () => server.answer(apiDocument, () => createApiDocument('https://public.example') as never), // written as JSON
    act: () => appear('details.api-call', 11),
  },
  {
    at: '/support',
    state: 'with errors',
    sentences: 20,
    serve: () => server.answer(sendSupportMessage, () => noResponse),
    async act({ person }) {
      await screen.findByRole('heading', { level: 1 })
      await person.click(document.querySelector('button[type=submit]')!)
      await appear('.error', 4)
    },
  },
  {
    at: '/subscription/success?session_id=cs_test_1',
    sentences: 8,
    user: {},
    serve: () =>
      server.answer(verifySession, () => ({ plan: plansForSale[2]!, current_period_end: '2027-11-22T12:00:00.000Z' })),
    act: () => screen.findByRole('heading', { level: 1, name: /^⟦Wélçömé tö Prö!/ }),
  },
  {
    at: '/photo-requests',
    sentences: 20,
    user: {},
    serve() {
      const due_at = '2026-11-15T09:00:00.000Z'
      const failed = sampleRequest(2, { state: 'failed', failure: 'Mailbox is full' })
      const requests = [sampleRequest(3, { state: 'waiting', due_at }), failed, sampleRequest(1)]
      server.answer(listPhotoRequests, () => sampleRequestList(requests))
      server.answer(listReports, () => ({ reports: [sampleReport(1), sampleReport(2, { open: false, hidden: true })] }))
    },
    act: () => appear('[data-report]', 2),
  },
  ...[
    { state: 'with numbers', serve: () => server.answer(insights, () => sampleInsights()) },
    { state: 'without numbers', serve: () => server.answer(insights, () => sampleInsights({ totals: none })) },
    { state: 'failing', serve: () => server.answer(insights, () => noResponse) },
  ].map((page) => ({
    ...page,
    at: '/insights',
    sentences: 5,
    user: { subscription_tier: 'pro' } as const,
    act: () => appear('.insights .insights-best, .state p'),
  })),
  {
    at: '/events/event1/review',
    sentences: 15,
    user: { current_event_id: 'event1' },
    serve() {
      server.answer(listEvents, () => ({ events: [sampleEvent(1, { name: '12', guest_photos: 'review' })] }))
      server.answer(listReview, () => reviewList([1, 2].map((number) => reviewPhoto(number, { table: null }))))
    },
    act: () => screen.findByText(/^⟦1 öf 2/),
  },
  {
    at: '/events/event1/review?list=decided',
    sentences: 10,
    user: { current_event_id: 'event1' },
    serve() {
      const contributor = { id: 'guest', name: null, blocked: true, photo_count: 1 }
      server.answer(listEvents, () => ({
        events: [sampleEvent(1, { name: '12', guest_paused: true, guest_photos: 'review' })],
      }))
      server.answer(listReview, () => reviewList([reviewPhoto(1, { review: 'approved', hidden: true, contributor })]))
    },
    act: () => screen.findByText(/^⟦Hídd/),
  },
  {
    at: '/settings',
    state: 'of the free plan',
    sentences: 45,
    user: { email_verified: false },
    serve: () => serveSettings(server),
    act: () => screen.findByText(/Sígñ öüt évérÿwhéré/),
  },
  {
    at: '/settings',
    state: 'of a plan that was cancelled, while it is checked',
    sentences: 60,
    user: { ...withImages, subscription_tier: 'pro', became_subscriber_at: '2026-03-03T10:00:00.000Z' },
    serve() {
      serveSettings(server)
      const asked_at = '2026-12-01T12:00:00.000Z'
      const email: TestEmail = { state: 'queued', asked_at, sent_at: null, reason: null, mail: 'smtp' }
      for (const call of [sendTestEmail, getTestEmail]) server.answer(call, () => email)
      server.answer(createTestCode, () => ({ image_url: '/qr/t/token.svg', expires_at: '2999-12-01T12:00:00.000Z' }))
      server.answer(listPlans, () => plansForSale)
      server.answer(listInvoices, () => [])
      server.answer(subscriptionStatus, () => ({
        ...subscribed('pro_monthly', { cancel_at_period_end: true }),
        current_usage: { photos_uploaded: 3, storage_used_bytes: 3 * 1024 ** 3 },
        refundable_until: '2026-12-20T12:00:00.000Z',
        payments: 'stripe' as const,
      }))
    },
    async act(page) {
      await screen.findByText(/^⟦Whát háppéñs ñé/)
      await screen.findByText(/^⟦Nö páÿméñts ÿét/)
      await press(page, /héçk ñöw/)
      await screen.findByRole('img', { name: /ést çödé/ })
    },
  },
  ...[samplePhoto(3), processingPhoto(3), failedPhoto(3, { error_message: 'From the server.' })].map((latest) => ({
    at: '/latest',
    state: 'and its panels',
    sentences: 25,
    user: { is_admin: true },
    serve: () => servePhotos(latest),
    async act(page: Visit) {
      await press(page, /Shöw Débüg/)
      // Show Debug is there before the photo has been fetched.
      await press(page, /^⟦Möré/)
      const code = await screen.findByRole('button', { name: /QR/ })
      if (!code.hasAttribute('disabled')) await page.person.click(code)
    },
  })),
  {
    at: '/latest',
    state: 'without a photo',
    sentences: 8,
    user: {},
    serve() {
      server.answer(latestPhoto, () => refuse(404, 'English from the server'))
      server.answer(listPhotos, () => [])
    },
    act: () => screen.findByText(/Nö phötös üplöádéd ÿét/),
  },
  {
    at: '/latest',
    state: 'with a photo that cannot be loaded',
    sentences: 8,
    user: {},
    serve: () => server.answer(latestPhoto, () => refuse(500, 'English from the server')),
    act: () => screen.findByText(/Érrör löádíñg/),
  },
  {
    at: '/gallery',
    state: 'with a selection to be deleted',
    sentences: 15,
    user: {},
    serve: servePhotos,
    async act(page) {
      await press(page, /^⟦Séléçt ón/)
      const [first] = await screen.findAllByRole('button', { pressed: false })
      await page.person.click(first!)
      await press(page, /Délété/)
    },
  },
  ...photos.map(({ id }) => ({
    at: `/gallery?photo=${id}`,
    sentences: 15,
    user: {},
    serve: servePhotos,
    act: () => screen.findByRole('dialog'),
  })),
  {
    at: '/gallery?photo=nothing',
    sentences: 12,
    user: {},
    serve() {
      servePhotos()
      server.answer(getPhoto, () => refuse(404, 'English from the server'))
    },
    act: () => screen.findByText(/ñö löñgér éxísts/),
  },
]

describe('every sentence comes from the catalogue', () => {
  test.each(pages.map((page) => [`${page.at} ${page.state ?? ''}`.trim(), page] as const))('on %s', async (_, page) => {
    const { at, sentences, user, cookies, serve, act } = page
    serve?.()
    const token = user && server.addUser(user).token
    const options = { ...(token && { token }), ...(cookies === null && { cookies }), withFrame: at === '/' }
    const visitor = await visit(server, { at, language: pseudo, ...options })
    await act?.(visitor)
    await waitFor(() => expect(document.body.textContent?.match(/⟦/g)?.length).toBeGreaterThan(sentences))
    expect(untranslatedTexts(document.body)).toEqual([])
    await waitFor(() => expect(document.title).toMatch(/^⟦.+⟧$/))
  })

  test('on the upload page with one file and with several files', async () => {
    server.answer(uploadPhoto, () => refuse(500, undefined))
    const { person } = await visit(server, {
      at: '/upload',
      token: server.addUser().token,
      language: pseudo,
    })
    const files = ['one', 'two'].map((name) => new File(['picture'], `${name}.jpg`, { type: 'image/jpeg' }))
    const picker = () => document.querySelector<HTMLInputElement>('input[type=file][multiple]')
    await waitFor(() => expect(picker()).not.toBeNull())
    expect(untranslatedTexts(document.body)).toEqual([])
    await person.upload(picker()!, files[0]!)
    await person.click(await screen.findByRole('button', { name: /Uplöád Phötö/ }))
    await screen.findByText(/Fáíléd tö üplöád/)
    expect(untranslatedTexts(document.body)).toEqual([])
    await person.click(screen.getByRole('button', { name: /Rémövé/ }))
    await waitFor(() => expect(picker()).not.toBeNull())
    await person.upload(picker()!, files)
    await waitFor(() => expect(screen.getAllByText(/Fáíléd tö üplöád/)).toHaveLength(2))
    expect(untranslatedTexts(document.body)).toEqual([])
  })
})

test('a sentence that is not in the catalogue is found', () => {
  const page = document.createElement('div')
  page.innerHTML = '<p>⟦fine⟧</p><p>Forgotten</p><img alt="Also forgotten"><b translate="no">Keepsnap</b><i>12</i>'
  expect(untranslatedTexts(page)).toEqual(['Forgotten', 'Also forgotten'])
})
