import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { contributorConsent, type OwnPhotos } from '@keepsnap/contract/event-photos.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { connect } from '../server/platform/db/connect.ts'
import { newId } from '../server/lib/ids.ts'
import { createLog } from '../server/platform/process/log.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import type { Visitor } from './visitor.ts'

let owner: Visitor
let event: Event
let code: string
const server = useSharedServer()
beforeAll(async () => {
  owner = await server.newUser()
  event = (await (
    await owner.send('POST', '/user/events', { name: 'Lotte & Bram', guest_photos: 'review' })
  ).json()) as Event // what the contract says
  await owner.send('PUT', '/user/current-event', { event_id: event.id })
  code = newId()
  const { db, close } = connect(server.database, createLog('silent'), 1)
  await db.insertInto('event_codes').values({ code, event_id: event.id, kind: 'table', label: 'Table 7' }).execute()
  await close()
})

/** A guest's phone with the given name, which adds photos and says how they are. */
async function guestPhone(name: string) {
  const headers = { origin: server.address, 'x-forwarded-for': '10.9.8.7' }
  const joined = await fetch(`${server.address}/e/${code}/join`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name, consent_version: contributorConsent.version }),
  })
  expect(joined.status).toBe(200)
  const cookie = joined.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const mine = `${server.address}/e/${code}/mine`
  return {
    async add(picture: string): Promise<void> {
      const body = new FormData()
      body.append(
        'file',
        new Blob([Uint8Array.from(await sampleJpeg(picture))], { type: 'image/jpeg' }),
        `${picture}.jpg`,
      )
      expect((await fetch(mine, { method: 'POST', headers: { ...headers, cookie }, body })).status).toBe(201)
    },
    async states(): Promise<string[]> {
      const { photos } = (await (await fetch(mine, { headers: { ...headers, cookie } })).json()) as OwnPhotos // as above
      return photos.map(({ state }) => state)
    },
  }
}

const photosOnLatest = (latest: Page) => latest.locator('.latest__image > img')

test('a guest’s photo waits on the review, is on Latest once it is approved, and gone once that is taken back', async () => {
  const latest = await server.newPage({ visitor: owner })
  await latest.goto('/latest')
  await latest.getByText('No photos').first().waitFor()
  const review = await server.newPage({ visitor: owner })
  await review.goto(`/events/${event.id}/review`)
  await review.getByText('All looked at. New ones appear here by themselves.').waitFor()

  const lien = await guestPhone('Lien')
  await lien.add('dance-1200')
  await lien.add('topper-1200')
  await review.getByText('1 of 2').waitFor()
  expect(await review.locator('.review__who').innerText()).toMatch(/^From Lien\s+Table 7, /)
  // Both the picture that is shown and the one behind it are loaded.
  await expect
    .poll(() =>
      review
        .locator('.review__photo > img')
        .evaluateAll((all: HTMLImageElement[]) => all.map((one) => one.naturalWidth > 0)),
    )
    .toEqual([true, true])
  expect(await photosOnLatest(latest).count()).toBe(0)

  await review.keyboard.press('a')
  await review.getByText('1 of 1').waitFor()
  await photosOnLatest(latest).waitFor()
  await review.keyboard.press('r')
  await review.getByText('All looked at. New ones appear here by themselves.').waitFor()
  await expect.poll(() => lien.states()).toEqual(['not_taken', 'shown'])

  await review.keyboard.press('u')
  await review.keyboard.press('u')
  await review.getByText('1 of 2').waitFor()
  await photosOnLatest(latest).waitFor({ state: 'detached' })
  await expect.poll(() => lien.states()).toEqual(['waiting', 'waiting'])
})

test('a helper approves on a phone without an account, and the owner undoes it', async () => {
  const latest = await server.newPage({ visitor: owner })
  await latest.goto('/latest')
  await latest.getByText('No photos').first().waitFor()
  const lien = await guestPhone('Lien')
  await lien.add('balloons-900')
  const host = await server.newPage({ visitor: owner })
  await host.goto(`/events/${event.id}`)
  await host.getByRole('button', { name: 'Add a helper' }).click()
  await host.getByLabel('Their name').fill('Anna')
  await host.getByRole('button', { name: 'Make the link' }).click()
  const link = await host.locator('.helper-link .code').innerText()
  await host.getByRole('button', { name: 'Done' }).click()

  const phone = await server.newPage({ viewport: { width: 390, height: 844 } })
  await phone.goto(link)
  await phone.getByRole('button', { name: 'Begin' }).click()
  const place = await phone.getByText(/^1 of /).innerText()
  expect(new URL(phone.url()).hash).toBe('')
  await phone.getByRole('button', { name: 'Approve', exact: true }).click()
  await photosOnLatest(latest).waitFor()

  const helpers = host.locator('#helpers')
  await helpers.getByText('Approved: 1. Rejected: 0. Hidden: 0.').waitFor()
  await helpers.getByRole('button', { name: 'Undo all: Anna' }).click()
  await host.getByRole('alertdialog').getByRole('button', { name: 'Undo all' }).click()
  await host.getByText('Undone. Waiting again: 1. Shown again: 0.').waitFor()
  await photosOnLatest(latest).waitFor({ state: 'detached' })
  // It comes back before the one that is looked at.
  await phone.getByText(new RegExp(`^\\d+${place.slice(1)}$`)).waitFor()
})
