import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PhotoFile } from './numbered-photos.ts'
import type { EveningRun } from './open-evening.ts'
import { sendFromCamera } from './send-photos.ts'
import { lastOf } from './last-of.ts'

/** Presses a button of Latest or of the viewer. Resolves with the time. */
export async function press(page: Page, name: string): Promise<number> {
  // The controls of Latest show themselves.
  await page.keyboard.press('Shift')
  const pressedAt = Date.now()
  await page.getByRole('button', { name, exact: true }).click()
  return pressedAt
}

/** Resolves with the times at which the screens showed a photo, once both show it. */
export const waitUntilBothShow = ({ main, second }: EveningRun, name: string): Promise<number[]> =>
  Promise.all([main, second].map((screen) => screen.until(name)))

/** How long a photo stayed on the slower of both screens. */
export const goneAfterMs = ({ main, second }: EveningRun, name: string, since: number): number =>
  Math.max(
    ...[main, second].map(({ shown }) => {
      const next = shown.find((one) => one.at > since && one.name !== name)
      return next ? next.at - since : Infinity
    }),
  )

/** Sends photos, and waits until both screens show the newest of them. Within a burst, no screen goes back. */
export async function send(
  evening: EveningRun,
  photos: PhotoFile[],
  upload: (photos: PhotoFile[]) => Promise<number>,
): Promise<void> {
  const screens = [evening.main, evening.second].map(({ shown }) => ({ shown, from: shown.length }))
  const beganAt = await upload(photos)
  const names = photos.map(({ name }) => name)
  const shownAt = await waitUntilBothShow(evening, lastOf(names))
  evening.shownAfterMs.push(...shownAt.map((at) => at - beganAt))
  for (const { shown, from } of screens) {
    const places = shown.slice(from).map(({ name }) => names.indexOf(name ?? ''))
    const known = places.filter((place) => place >= 0)
    expect(known).toEqual(known.toSorted((a, b) => a - b))
  }
}

/** Sends the next photos of the evening from a camera. */
export const sendNew = (evening: EveningRun, count: number): Promise<void> =>
  send(evening, evening.take(count), (photos) => sendFromCamera(evening.owner, photos))
