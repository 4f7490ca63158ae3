import { expect } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { nextClientAddress } from './browser.ts'
import { readPhotoEmail, waitForEmail } from './guest-phone.ts'
import { sampleJpeg } from './pictures.ts'
import type { TestServer } from './test-server.ts'
import { codeOf, type Visitor } from './visitor.ts'

/** What pages show: photos, requests and reports of `pro`, and paths that exist for one photo, email or checkout only. */
export interface Content {
  /** On the free plan without photos; on Pro Yearly with everything. */
  free: Visitor
  pro: Visitor
  /** A JPEG. */
  file: Buffer
  /** The newest photo of `pro`. */
  latest: Photo
  links: {
    /** The page of a photo that is requested by email. */
    request: string
    grant: string
    unsubscribe: string
    unsubscribed: string
    /** Two checkouts that wait to be paid, one that was paid, and the page of the app after that. */
    checkout: string
    declined: string
    paid: string
    success: string
  }
}

/** Names as users give them, some in the longest form that people use. No word of them is English. */
const photos = [
  ['family-1200', 'Familie.jpg'],
  ['rings-1000', 'Donaudampfschifffahrtsgesellschaft_2026-06-13_20-41-07_original_4.jpg'],
  ['table-1200', 'DSC00017.jpg'],
  ['topper-1200', 'IMG_2048.jpg'],
] as const
const longGuest = 'maximiliane.oberhuber-schwarzenberg@fotografie-und-feste.example.com'

const pathOf = (url: string): string => new URL(url).pathname
const ok = ({ ok: isOk, status, url }: Response): void => expect([url, status, isOk]).toEqual([url, status, true])

/** The path of a new checkout for the plan Pro Yearly. */
async function openCheckout({ address }: TestServer, visitor: Visitor): Promise<string> {
  const answer = await visitor.send('POST', '/subscriptions/checkout', {
    price_id: 'demo_pro_yearly',
    success_url: `${address}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${address}/pricing`,
  })
  return pathOf(((await answer.json()) as { checkout_url: string }).checkout_url) // what the contract says
}

export async function populate(server: TestServer): Promise<Content> {
  const { address } = server
  const [free, other, pro] = [await server.newUser(), await server.newUser(), await server.newUser()]
  const paid = await openCheckout(server, pro)
  const body = new URLSearchParams({ outcome: 'succeed' })
  const payment = await fetch(`${address}${paid}`, { method: 'POST', body, redirect: 'manual' })
  const { pathname, search } = new URL(payment.headers.get('location') ?? '', address)

  const added: Photo[] = []
  for (const [picture, name] of photos) added.push(await pro.addPhoto(await sampleJpeg(picture, 800), name))
  const [photo, reported, , latest] = added as [Photo, Photo, Photo, Photo] // one of each name
  ok(await pro.addBrand('/upload-logo', await sampleJpeg('bouquet-640', 640)))
  ok(await pro.addBrand('/upload-background', await sampleJpeg('table-1200', 800)))
  ok(await pro.send('POST', '/api/keys', { name: 'Fotobox Donaudampfschifffahrtsgesellschaft' }))
  ok(await pro.send('POST', '/api/webhooks', { url: 'https://93.184.215.14/fotos', events: ['photo.ready'] }))

  const send = (path: string, json?: unknown): Promise<Response> =>
    fetch(`${address}${path}`, {
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
      headers: { 'x-forwarded-for': nextClientAddress(), 'content-type': 'application/json' },
    })
  const [guest, stopped] = [`anna-${pro.email}`, `jan-${pro.email}`]
  for (const email of [guest, stopped, longGuest]) ok(await send(`/photos/${photo.id}/request-email`, { email }))
  ok(await send(`/d/${codeOf(photo)}`))
  ok(await send(`/photos/${reported.id}/report`, { reason: 'me', note: 'Graag weg. À bientôt.' }))
  // Until then a card with the report lies on every page.
  ok(await pro.send('POST', `/photos/${reported.id}/decision`, { decision: 'keep' }))
  const { link, stop } = readPhotoEmail(await waitForEmail(server, guest))
  const unsubscribed = pathOf(readPhotoEmail(await waitForEmail(server, stopped)).stop)
  ok(await send(unsubscribed, {}))
  const links = {
    request: `/request-photo/${photo.id}`,
    grant: pathOf(link),
    unsubscribe: pathOf(stop),
    unsubscribed,
    checkout: await openCheckout(server, free),
    declined: await openCheckout(server, other),
    paid,
    success: pathname + search,
  }
  return { free, pro, file: await sampleJpeg('table-720', 720), latest, links }
}
