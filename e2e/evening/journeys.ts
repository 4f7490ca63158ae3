import { expect } from 'vitest'
import { parseEmail } from '@keepsnap/server/test/smtp-server.ts'
import { logWithSeed } from '@keepsnap/server/test/statistics.ts'
import { submitPhotoRequest, waitForEmailTo } from '../guest-phone.ts'
import { waitUntilBothShow, goneAfterMs, press, sendNew } from './both-screens.ts'
import { pauses, slideMs } from './evening-plan.ts'
import { fastForwardClock } from './latest-screen.ts'
import type { EveningRun } from './open-evening.ts'
import { codesOfPhoto, expectOwnCode, photoNamed, slideshowPhotoNames } from './photos-of-owner.ts'
import { sendFromCamera } from './send-photos.ts'
import { lastOf } from './last-of.ts'

/** How many photos the journeys send. */
export const photosOfJourneys = { hidden: 2, newest: 1, held: 4, gated: 3, reported: 2 }
/** Generous: browsers, program and image processes share the processor. */
export const goneMs = 3_000

const statusOf = async (address: string): Promise<number> => (await fetch(address)).status

async function openOnPhone({ phone }: EveningRun, code: string): Promise<void> {
  await phone.scan(code)
  await phone.page.getByRole('img', { name: 'Your photo' }).waitFor()
}

export async function hideInViewer(evening: EveningRun): Promise<void> {
  const { owner, second } = evening
  const { desk, phone } = evening
  await sendNew(evening, photosOfJourneys.hidden)
  const [before, newest] = (await slideshowPhotoNames(owner)).slice(-2) as [string, string] // at least these two
  const code = await expectOwnCode(owner, second)
  await openOnPhone(evening, code)
  await desk.goto('/gallery')
  await desk.getByRole('link', { name: new RegExp(`^${newest}, `) }).click()
  const pressedAt = await press(desk, 'Hide from guests')
  await waitUntilBothShow(evening, before)
  const ms = goneAfterMs(evening, newest, pressedAt)
  logWithSeed(`evening: hidden in the viewer, gone from both screens after ${ms} ms`)
  expect(ms).toBeLessThan(goneMs)
  expect(await statusOf(code)).toBe(404)
  await phone.page.reload()
  await phone.page.getByRole('heading', { name: 'We can’t show this photo' }).waitFor()
  await evening.keep(phone.page, 'hidden-on-phone')
}

export async function holdOnLatest(evening: EveningRun): Promise<void> {
  const { owner, main, second } = evening
  await sendNew(evening, photosOfJourneys.newest)
  const held = lastOf((await slideshowPhotoNames(owner)).slice(0, -1))
  await press(main.page, 'Previous')
  await main.until(held)
  await press(main.page, 'Hold')
  await second.until(held)
  const from = [main.shown.length, second.shown.length]
  const photos = evening.take(photosOfJourneys.held)
  await sendFromCamera(owner, photos)
  for (const { page } of [main, second]) await page.getByAltText(`QR code for ${lastOf(photos).name}`).waitFor()
  await fastForwardClock(main.page, pauses.long + slideMs)
  expect([main.shown.slice(from[0]), second.shown.slice(from[1])]).toEqual([[], []])
  await Promise.all([expectOwnCode(owner, main), expectOwnCode(owner, second)])
  await evening.keep(main.page, 'held')
  await press(second.page, 'Release')
  await waitUntilBothShow(evening, lastOf(photos).name)
}

export async function askForEmailOnLatest(evening: EveningRun): Promise<void> {
  const { owner, main, second } = evening
  const { phone, mail } = evening
  const { direct, byEmail } = codesOfPhoto(await photoNamed(owner, main.current()))
  const codes = () => [main, second].map(({ shown }) => lastOf(shown).code)
  const pressedAt = await press(main.page, 'Ask for email: off')
  await expect.poll(codes).toEqual([byEmail, byEmail])
  const ms = Math.max(...[main, second].map(({ shown }) => lastOf(shown).at)) - pressedAt
  logWithSeed(`evening: asked for an email address, other codes on both screens after ${ms} ms`)
  expect(ms).toBeLessThan(goneMs)
  await phone.scan(await expectOwnCode(owner, main))
  await submitPhotoRequest(phone.page, 'guest@example.com')
  await openOnPhone(evening, (await waitForEmailTo(mail, 'guest@example.com')).link)
  await sendNew(evening, photosOfJourneys.gated)
  expect(await expectOwnCode(owner, second)).toContain('/request-photo/')
  await press(second.page, 'Ask for email: on')
  await expect.poll(codes).toEqual(Array(2).fill(codesOfPhoto(await photoNamed(owner, main.current())).direct))
  expect(direct).not.toBe(byEmail)
}

export async function hideOnLatestAndUndo(evening: EveningRun): Promise<void> {
  const { owner, main, second } = evening
  const [before, newest] = (await slideshowPhotoNames(owner)).slice(-2) as [string, string] // at least these two
  await press(main.page, 'Hide from guests')
  await waitUntilBothShow(evening, before)
  await press(main.page, 'Undo')
  await waitUntilBothShow(evening, newest)
  expect(await statusOf(await expectOwnCode(owner, second))).toBe(200)
}

/** The link in the email about a reported photo. */
async function linkToReports({ mail, owner }: EveningRun): Promise<string> {
  const emails = () => mail.received.filter(({ to }) => to.includes(owner.email))
  await expect.poll(() => emails().length).toBe(1)
  const { subject, text = '' } = await parseEmail(lastOf(emails()).bytes)
  expect(subject).toMatch(/^A guest reported/)
  return /https?:\/\/\S+\/photo-requests\b/.exec(text)?.[0] ?? ''
}

export async function reportByEmail(evening: EveningRun): Promise<void> {
  const { owner, main, second } = evening
  const { phone, desk } = evening
  await sendNew(evening, photosOfJourneys.reported)
  const [before, reported] = (await slideshowPhotoNames(owner)).slice(-2) as [string, string] // at least these two
  const code = await expectOwnCode(owner, main)
  await openOnPhone(evening, code)
  await phone.page.getByText('Report this photo').tap()
  await phone.page.getByLabel('I’m in it and don’t want it shown').check()
  await phone.page.getByRole('button', { name: 'Send report' }).tap()
  await phone.page.getByText('Your report has reached the person responsible').waitFor()
  await desk.goto(await linkToReports(evening))
  const card = desk.getByRole('listitem').filter({ hasText: reported })
  await card.getByText('Needs review').waitFor()
  await evening.keep(desk, 'reported')
  expect([await statusOf(code), main.current(), second.current()]).toEqual([200, reported, reported])

  // Beside the controls of the big screen, then on the page of the email.
  await second.page.getByRole('region', { name: 'Reported photos' }).hover()
  await second.page
    .getByRole('region', { name: 'Reported photos' })
    .getByRole('button', { name: 'Hide from guests' })
    .click()
  await waitUntilBothShow(evening, before)
  expect(await statusOf(code)).toBe(404)
  await press(second.page, 'Undo')
  await waitUntilBothShow(evening, reported)
  expect(await statusOf(code)).toBe(200)
  await card.getByText('Needs review').waitFor()
  const pressedAt = Date.now()
  await card.getByRole('button', { name: 'Hide from guests' }).click()
  await waitUntilBothShow(evening, before)
  logWithSeed(
    `evening: a reported photo is gone from both screens after ${goneAfterMs(evening, reported, pressedAt)} ms`,
  )
  await phone.page.reload()
  await phone.page.getByRole('heading', { name: 'We can’t show this photo' }).waitFor()
  await card.getByRole('button', { name: 'Show again' }).click()
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Show again' }).click()
  await waitUntilBothShow(evening, reported)
  await openOnPhone(evening, code)
}
