import { expect } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Visitor } from '../visitor.ts'
import { codePolling } from '../codes.ts'
import type { LatestScreen } from './latest-screen.ts'
import { lastOf } from './last-of.ts'

/** A photo that was uploaded the day before. */
export const yesterday = 'yesterday.jpg'

/** The owner's photos, newest first. */
export async function photosOf(owner: Visitor): Promise<Photo[]> {
  return (await (await owner.call('GET', '/photos?limit=1000')).json()) as Photo[] // as the contract says
}

export async function photoNamed(owner: Visitor, name: string | null): Promise<Photo> {
  const photo = (await photosOf(owner)).find(({ filename }) => filename === name)
  if (!photo) throw new Error(`there is no photo ${name}`)
  return photo
}

/** The names of the photos that the slideshow shows, in its order. */
export async function slideshowPhotoNames(owner: Visitor): Promise<string[]> {
  return (await photosOf(owner))
    .filter(({ processing_complete, hidden, filename }) => processing_complete && !hidden && filename !== yesterday)
    .map(({ filename }) => filename)
    .toReversed()
}

const lastPart = (url: string): string => lastOf(url.split('/')).replace('.png', '')

/** What the codes of a photo end with: for the download, and for the request by email. */
export const codesOfPhoto = ({ qr_code_url, email_qr_code_url }: Photo): { direct: string; byEmail: string } => ({
  direct: lastPart(qr_code_url),
  byEmail: lastPart(email_qr_code_url),
})

/** Checks in a screenshot that the QR code belongs to the numbered photo beside it. Resolves with the code's text. */
export async function expectOwnCode(owner: Visitor, screen: LatestScreen): Promise<string> {
  const seen = { photos: [''], codes: [''] }
  // While one photo replaces another, neither can be read.
  await expect
    .poll(async () => {
      Object.assign(seen, await screen.read())
      return [seen.photos.length, seen.codes.length]
    }, codePolling)
    .toEqual([1, 1])
  const codes = Object.values(codesOfPhoto(await photoNamed(owner, `${seen.photos[0]}.jpg`)))
  expect([seen.photos[0], codes]).toEqual([
    seen.photos[0],
    expect.arrayContaining([lastOf(seen.codes).split('/').at(-1)]),
  ])
  return lastOf(seen.codes)
}

/** The value that this share of the values does not exceed. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
