import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { limits } from '@keepsnap/contract/limits.ts'
import { forEachConcurrently } from '@keepsnap/server/lib/for-each-concurrently.ts'
import type { Visitor } from '../visitor.ts'
import type { PhotoFile } from './numbered-photos.ts'

/**
 * Sends photos over the API, a few at once, in their order. Resolves with the time at which the upload of the last photo
 * began, when all are acknowledged.
 */
export async function sendFromCamera(owner: Visitor, photos: readonly PhotoFile[]): Promise<number> {
  const selection = randomUUID()
  let lastBeganAt = 0
  await forEachConcurrently(photos.entries(), limits.uploadsAtOncePerUser, async ([position, photo]) => {
    const { name, mimeType, buffer } = photo
    lastBeganAt = await untilTaken(async () => {
      const body = new FormData()
      body.append('file', new Blob([Uint8Array.from(buffer)], { type: mimeType }), name)
      return owner.call('POST', `/photos/upload?selection=${selection}&position=${position}`, { body })
    })
  })
  return lastBeganAt
}

/** Retries an upload after a 429. Resolves with the start time of the upload that was accepted. */
async function untilTaken(upload: () => Promise<Response>): Promise<number> {
  for (;;) {
    const beganAt = Date.now()
    const answer = await upload()
    if (answer.status === 201) return beganAt
    if (answer.status !== 429) throw new Error(`an upload was answered ${answer.status}: ${await answer.text()}`)
    await delay(Number(answer.headers.get('retry-after')) * 1000)
  }
}

/** Chooses photos on the upload page. Resolves like `sendFromCamera`. */
export async function sendFromPage(page: Page, photos: PhotoFile[]): Promise<number> {
  let lastBeganAt = 0
  page.on('request', (request) => {
    if (request.url().includes(`position=${photos.length - 1}`)) lastBeganAt = Date.now()
  })
  await page.goto('/upload')
  await page.getByLabel('Choose photos').and(page.locator('input')).setInputFiles(photos)
  await page.getByText(`${photos.length} done`).waitFor({ timeout: 120_000 })
  return lastBeganAt
}
