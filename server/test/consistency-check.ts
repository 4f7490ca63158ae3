import { createHash } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { TestServer } from './harness.ts'
import { sharedScratchDir } from './shared-image-pool.ts'

interface StoredPhotoRow {
  id: string
  user_id: string
  state: string
  deleted: boolean
  /** Removed after the end of a plan: its files are kept for some days. */
  can_be_put_back: boolean
  month: string
  original_key: string | null
  original_bytes: number | null
  original_sha256: Buffer | null
  full_key: string | null
  full_bytes: number | null
  thumb_key: string | null
  thumb_bytes: number | null
  unmarked_key: string | null
  unmarked_bytes: number | null
  watermark_key: string | null
}

/** A stored file of an account that is not a photo: of its brand, or an archive. */
interface AccountFile {
  user_id: string
  key: string
  bytes: number
}

/** Parts of the server that the checker looks into. */
export type CheckedServer = Pick<TestServer, 'app' | 'dir'>

async function readStoredState({ app }: CheckedServer) {
  const { pool, storage } = app.deps
  const ask = async <T>(text: string): Promise<T[]> => (await pool.query(text)).rows
  const stored = new Map<string, number>()
  for await (const { key, bytes } of storage.list()) stored.set(key, bytes)
  return {
    stored,
    photos: await ask<StoredPhotoRow>(
      `select *, deleted_at is not null as deleted, counted_month::text as month,
        exists (select from photo_removals where photo_id = photos.id) as can_be_put_back from photos`,
    ),
    objects: await ask<{ key: string; photo_id: string | null }>('select key, photo_id from stored_objects'),
    runs: await ask<{ user_id: string; state: string }>(
      "select user_id, state from watermark_runs where state in ('running', 'stopping')",
    ),
    accountFiles: await ask<AccountFile>(
      `select user_id, key, bytes from brand_images
       union all select user_id, key, bytes from archives where state = 'ready' and key is not null`,
    ),
    counted: await ask<{ user_id: string; month: string; uploads: number }>(
      'select user_id, month::text as month, uploads from usage_months where uploads > 0',
    ),
    jobs: await ask<{ key: string; attempts: number; error: string | null; locked_by: string | null }>(
      'select key, attempts, last_error as error, locked_by from graphile_worker.jobs',
    ),
  }
}
type StoredState = Awaited<ReturnType<typeof readStoredState>>

/** What is wrong with rows of photos: files that are missing, of another size or not registered. */
function brokenRows({ photos, stored, objects }: StoredState): string[] {
  const known = new Map(objects.map(({ key, photo_id: photo }) => [key, photo]))
  return photos
    .filter(({ deleted, can_be_put_back: canBePutBack }) => !deleted || canBePutBack)
    .flatMap((photo) => {
      const recorded: [string, string | null, number | null][] = [
        ['original', photo.original_key, photo.original_bytes],
        ['full', photo.full_key, photo.full_bytes],
        ['thumbnail', photo.thumb_key, photo.thumb_bytes],
        ['unmarked picture', photo.unmarked_key, photo.unmarked_bytes],
      ]
      const requiredFiles = { queued: ['original'], failed: [], ready: ['full', 'thumbnail'] }[photo.state] ?? [
        'nothing: it is receiving',
      ]
      return [
        ...requiredFiles
          .filter((what) => !recorded.some(([name, key]) => name === what && key !== null))
          .map((what) => `has no ${what}`),
        ...recorded
          .filter(([, key, bytes]) => key !== null && stored.get(key) !== bytes)
          .map(([name, key, bytes]) => `${name} should have ${bytes} bytes and has ${stored.get(key!)}`),
        ...recorded
          .filter(([, key]) => key !== null && known.get(key) !== photo.id)
          .map(([name]) => `${name} is not registered`),
        ...((photo.unmarked_key === null) === (photo.watermark_key === null) ? [] : ['has half a watermark']),
      ].map((text) => `photo ${photo.id} (${photo.state}): ${text}`)
    })
}

/** Rows of brand images and archives whose files are missing or of another size. */
const brokenAccountFiles = ({ accountFiles, stored }: StoredState): string[] =>
  accountFiles
    .filter(({ key, bytes }) => stored.get(key) !== bytes)
    .map(({ user_id: user, key, bytes }) => `${key} of ${user} should have ${bytes} bytes and has ${stored.get(key)}`)

/** Files and keys that no live row references (orphans); jobs and uploads that should be finished. */
function leftovers({ photos, accountFiles, stored, objects, jobs, runs }: StoredState): string[] {
  const living = photos.filter(({ deleted, can_be_put_back: canBePutBack }) => !deleted || canBePutBack)
  const named = new Set([
    ...living.flatMap((photo) => [photo.original_key, photo.full_key, photo.thumb_key, photo.unmarked_key]),
    ...accountFiles.map(({ key }) => key),
  ])
  return [
    ...[...stored.keys()].filter((key) => !named.has(key)).map((key) => `stored and unknown: ${key}`),
    ...objects.filter(({ key }) => !named.has(key)).map(({ key }) => `written down and unknown: ${key}`),
    ...photos.filter(({ state }) => state === 'receiving').map(({ id }) => `still receiving: ${id}`),
    ...photos.filter(({ state, deleted }) => state === 'queued' && !deleted).map(({ id }) => `still processing: ${id}`),
    ...runs.map(({ user_id: user, state }) => `watermark run of ${user} is still ${state}`),
    ...jobs.map(
      ({ key, attempts, error, locked_by: by }) =>
        `still to be done: ${key}, begun ${attempts} times${by ? `, held by ${by}` : ''}${error ? `, ${error}` : ''}`,
    ),
  ]
}

/** Recounts the uploads of each month: accepted or in progress, deleted or not, but none that failed. */
function wrongSums({ photos, counted }: StoredState): string[] {
  const sums = new Map<string, number>()
  for (const { user_id: user, month, state } of photos)
    if (state !== 'failed') sums.set(`${user} ${month}`, (sums.get(`${user} ${month}`) ?? 0) + 1)
  const recorded = new Map(counted.map(({ user_id: user, month, uploads }) => [`${user} ${month}`, uploads]))
  return [...new Set([...sums.keys(), ...recorded.keys()])]
    .filter((key) => sums.get(key) !== recorded.get(key))
    .map((key) => `${key}: counted ${recorded.get(key) ?? 0}, there are ${sums.get(key) ?? 0}`)
}

/** Files below a folder, by their paths. */
export async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Files of uploads in progress, and files that image processes work on. */
export async function temporaryFiles({ dir }: { dir: string }): Promise<string[]> {
  const shared = await sharedScratchDir()
  const folders = [join(dir, 'files', 'incoming'), join(dir, 'scratch'), ...(shared === undefined ? [] : [shared])]
  return (await Promise.all(folders.map(filesBelow))).flat()
}

/**
 * The invariants I1 to I5 of docs/security.md when nothing is in progress: rows, keys and stored bytes agree, counters
 * match a recount, originals have their checksums, no job waits and there are no orphans.
 */
export async function expectConsistent(server: CheckedServer): Promise<void> {
  const storedState = await readStoredState(server)
  const damaged: string[] = []
  for (const { id, original_key: key, original_sha256: sha } of storedState.photos) {
    if (key === null || sha === null || !storedState.stored.has(key)) continue
    const bytes = await buffer((await server.app.deps.storage.open(key))!)
    if (!createHash('sha256').update(bytes).digest().equals(sha))
      damaged.push(`the original of ${id} is not what came in`)
  }
  expect({
    rows: [...brokenRows(storedState), ...brokenAccountFiles(storedState)],
    damaged,
    left: leftovers(storedState),
    sums: wrongSums(storedState),
    temporary: await temporaryFiles(server),
  }).toEqual({ rows: [], damaged: [], left: [], sums: [], temporary: [] })
}

/** Makes everything that is scheduled or leased due, as if hours had passed, and runs it; twice. */
export async function runOverdueWork({ app, work }: Pick<TestServer, 'app' | 'work'>): Promise<void> {
  const { pool } = app.deps
  for (let round = 0; round < 2; round++) {
    await work()
    await pool.query(`
      update emails set leased_until = leased_until - interval '2 hours';
      update stored_objects set created_at = created_at - interval '2 hours';
      update photos set expires_at = expires_at - interval '2 hours', created_at = created_at - interval '2 hours',
        deleted_at = case when deleted_at > now() - interval '20 hours' then deleted_at - interval '2 hours' else deleted_at end;
      update graphile_worker._private_jobs set locked_at = null, locked_by = null
        where locked_by not in (select id from workers where heartbeat_at > now() - interval '8 seconds');
      update graphile_worker._private_jobs set run_at = now() - interval '1 second' where locked_at is null;
      select graphile_worker.add_job('clean-up', '{}'::json)`)
    await work()
  }
}

/** How many files and sockets this process has open, including pipes to processes that it has started. */
export const openFiles = (): number => readdirSync('/proc/self/fd').length

/** How many times this process has one file open. */
export const timesOpen = (path: string): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path
    } catch {
      return false // closed meanwhile
    }
  }).length
