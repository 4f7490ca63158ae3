import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { drawPartyPhoto } from '../images/drawing/draw.ts'
import { forEachConcurrently } from '../lib/for-each-concurrently.ts'
import type { DemoAccounts } from './accounts.ts'
import { callApi } from './api-calls.ts'
import type { PlannedPhoto } from './evenings.ts'
import type { FillContext } from './fill-context.ts'

/** A photo that was uploaded. */
export interface DemoPhoto extends Pick<PlannedPhoto, 'owner' | 'takenAt' | 'filename'> {
  id: string
}

/** How many photos are drawn concurrently: libvips uses one thread for each. */
const drawnAtOnce = 3
/** The timeout for processing the photos that are still queued after the last upload. */
const processingWaitMs = 120_000

async function uploadPhoto(context: FillContext, accounts: DemoAccounts, photo: PlannedPhoto): Promise<DemoPhoto> {
  const { owner, filename, takenAt } = photo
  const file = { bytes: await drawPartyPhoto(photo), name: filename, type: 'image/jpeg' }
  const { http, publicUrl } = context
  const caller = { http, publicUrl, token: accounts[owner].token }
  const { id } = await callApi<{ id: string }>(caller, { method: 'POST', url: '/photos/upload', file })
  return { owner, filename, takenAt, id }
}

/** Draws all photos and uploads them through the API. Stops at the first failure. */
export async function uploadPhotos(
  context: FillContext,
  accounts: DemoAccounts,
  planned: readonly PlannedPhoto[],
): Promise<DemoPhoto[]> {
  const uploaded: DemoPhoto[] = []
  await forEachConcurrently(planned, drawnAtOnce, async (photo) => {
    context.signal.throwIfAborted()
    uploaded.push(await uploadPhoto(context, accounts, photo))
    if (uploaded.length % 10 === 0) context.reportProgress(`${uploaded.length} of ${planned.length} photos`)
  })
  return uploaded
}

/** Uploads a truncated photo, as from a damaged memory card: its processing fails. */
export async function uploadDamagedPhoto(
  context: FillContext,
  accounts: DemoAccounts,
  like: PlannedPhoto,
): Promise<DemoPhoto> {
  const whole = await drawPartyPhoto({ ...like, seed: like.seed + 500, size: { width: 900, height: 600 } })
  const { http, publicUrl } = context
  const filename = 'LUMEN-card-error.jpg'
  const file = { bytes: whole.subarray(0, Math.round(whole.length * 0.4)), name: filename, type: 'image/jpeg' }
  const caller = { http, publicUrl, token: accounts.studio.token }
  const { id } = await callApi<{ id: string }>(caller, { method: 'POST', url: '/photos/upload', file })
  return { owner: 'studio', filename, takenAt: like.takenAt, id }
}

/** Waits until no photo is waiting or being processed, here or in a running server. */
export async function waitUntilProcessed(db: Db, signal: AbortSignal): Promise<void> {
  for (const end = Date.now() + processingWaitMs; Date.now() < end; await wait(150, undefined, { signal })) {
    const { rows } = await sql`select 1 from photos where state in ('receiving', 'queued') limit 1`.execute(db)
    if (rows.length === 0) return
  }
  throw new Error(`photos were still being processed after ${processingWaitMs / 1000} s`)
}
