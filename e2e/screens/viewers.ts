import { expect, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { parseEmail, startMailServer, type MailServer } from '@keepsnap/server/test/smtp-server.ts'
import { nextClientAddress } from '../contexts.ts'
import { sampleJpeg } from '../pictures.ts'
import { startTestServer, type DedicatedServer } from '../test-server.ts'
import type { Visitor } from '../visitor.ts'

/**
 * Who looks: nobody is signed in; the same before the cookie notice is answered; the free plan without photos; Pro Yearly
 * with everything; an admin.
 */
export type ViewerName = 'visitor' | 'undecided' | 'free' | 'pro' | 'admin'

/** Paths of pages that exist for one photo, one email or one checkout only. */
export interface Links {
  /** The page of a photo that is requested by email. */
  request: string
  grant: string
  unsubscribe: string
  checkout: string
  /** With the session of a checkout of the viewer `pro` that was paid. */
  success: string
}

/** A program with email and demo payments, in which every page has something to show. */
export interface PopulatedServer {
  server: DedicatedServer
  viewers: Record<Exclude<ViewerName, 'visitor' | 'undecided'>, Visitor>
  links: Links
  close(): Promise<void>
}

/** Names as users give them, some in the longest form that people use. No word of them is English. */
const photos = [
  ['dance-1200', 'IMG_2041.jpg'],
  ['family-1200', 'Familie.jpg'],
  ['rings-1000', 'Donaudampfschifffahrtsgesellschaft_2026-06-13_20-41-07_original_4.jpg'],
  ['table-1200', 'DSC00017.jpg'],
  ['balloons-900', 'ballons.jpg'],
  ['bouquet-640', 'bouquet.jpg'],
  ['topper-1200', 'IMG_2048.jpg'],
] as const
const readingGuest = 'anna@example.com'
const guests = [
  readingGuest,
  'maximiliane.oberhuber-schwarzenberg@fotografie-und-feste.example.com',
  'j.peeters@example.com',
]

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const pathOf = (url: string): string => new URL(url).pathname

export async function startPopulatedServer(): Promise<PopulatedServer> {
  const cleanups: (() => void | Promise<void>)[] = []
  const mail = await startMailServer((work) => void cleanups.push(work))
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'photos@booth.example',
    // Nobody agrees to it here, so that it is never asked for.
    ANALYTICS_PROVIDER: 'plausible',
    ANALYTICS_HOST: 'https://stats.example.com',
    ANALYTICS_SITE: 'photos.example.com',
  }
  const server = await startTestServer({ env })
  const close = async (): Promise<void> => {
    await server.close()
    for (const clean of cleanups) await clean()
  }
  const viewers = {
    free: await server.newUser(),
    pro: await server.newUser(),
    admin: await server.newUser({ isAdmin: true }),
  }
  const { checkout, success } = await subscribe(server, viewers)
  await uploadAll(viewers.pro)
  const [photo, , reported] = await readyPhotos(viewers.pro)
  if (!photo || !reported) throw new Error('there are not enough photos')
  await addGuests(server, photo, reported)
  // Until then a card with the report lies on every page.
  await viewers.pro.call('POST', `/photos/${reported.id}/decision`, json({ decision: 'keep' }))
  await addKeys(viewers.pro)
  const { grant, unsubscribe } = await linksOfEmail(mail)
  const links = { request: `/request-photo/${photo.id}`, grant, unsubscribe, checkout, success }
  return { server, viewers, links, close }
}

/** A checkout that waits to be paid, and the page after one that was. */
async function subscribe(
  { address }: DedicatedServer,
  { free, pro }: PopulatedServer['viewers'],
): Promise<Pick<Links, 'checkout' | 'success'>> {
  const open = async (visitor: Visitor): Promise<string> => {
    const answer = await visitor.call(
      'POST',
      '/subscriptions/checkout',
      json({
        price_id: 'demo_pro_yearly',
        success_url: `${address}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${address}/pricing`,
      }),
    )
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { checkout_url: string }).checkout_url // what the contract says
  }
  const paid = await fetch(await open(pro), {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'succeed' }),
    redirect: 'manual',
  })
  const { pathname, search } = new URL(paid.headers.get('location') ?? '', address)
  return { checkout: pathOf(await open(free)), success: pathname + search }
}

async function uploadAll(owner: Visitor): Promise<void> {
  for (const [picture, name] of photos) await owner.upload(Uint8Array.from(await sampleJpeg(picture, 1200)), { name })
  for (const [path, picture] of [
    ['/upload-logo', 'bouquet-640'],
    ['/upload-background', 'table-1200'],
  ] as const) {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(await sampleJpeg(picture, 1200))], { type: 'image/jpeg' }), 'a.jpg')
    expect((await owner.call('POST', path, { body: form })).status).toBe(200)
  }
}

const readyPhotos = (owner: Visitor): Promise<Photo[]> =>
  vi.waitUntil(
    async () => {
      const all = (await (await owner.call('GET', '/photos')).json()) as Photo[] // what the contract says
      return all.length === photos.length && all.every(({ processing_complete: isReady }) => isReady) && all
    },
    { timeout: 60_000, interval: 200 },
  )

/** Guests scan, ask for photos and report one. */
async function addGuests({ address }: DedicatedServer, photo: Photo, reported: Photo): Promise<void> {
  const send = (path: string, body?: unknown): Promise<Response> =>
    fetch(`${address}${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'x-forwarded-for': nextClientAddress(), 'content-type': 'application/json' },
    })
  const answers = [
    ...(await Promise.all(guests.map((email) => send(`/photos/${photo.id}/request-email`, { email })))),
    ...(await Promise.all([1, 2, 3].map(() => send(`/d/${photo.qr_code_url.split('/').at(-1)}`)))),
    await send(`/photos/${reported.id}/report`, { reason: 'me', note: 'Graag weg. À bientôt.' }),
  ]
  expect(answers.map(({ ok }) => ok)).not.toContain(false)
}

async function addKeys(owner: Visitor): Promise<void> {
  const answers = [
    await owner.call('POST', '/api/keys', json({ name: 'Fotobox Donaudampfschifffahrtsgesellschaft' })),
    await owner.call('POST', '/api/webhooks', json({ url: 'https://93.184.215.14/fotos', events: ['photo.ready'] })),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
}

/** The links in an email with a photo. */
async function linksOfEmail(mail: MailServer): Promise<Pick<Links, 'grant' | 'unsubscribe'>> {
  const received = await vi.waitUntil(() => mail.received.find(({ to }) => to.includes(readingGuest)), {
    timeout: 60_000,
    interval: 200,
  })
  const { text = '' } = await parseEmail(received.bytes)
  const linkTo = (part: string): string =>
    pathOf(new RegExp(`https?://\\S+/${part}/[\\w-]+`).exec(text)?.[0] ?? 'missing:')
  return { grant: linkTo('g'), unsubscribe: linkTo('stop') }
}
