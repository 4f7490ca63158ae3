import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { contributorConsent, type listReview, type OwnPhoto, type OwnPhotos } from '@keepsnap/contract/event-photos.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { connect } from '../server/platform/db/connect.ts'
import { markName } from '../server/ports/storage/storage.ts'
import { createLog } from '../server/platform/process/log.ts'
import { jpeg } from '../server/images/test/sample-images.ts'
import { logWithSeed, seededRandom } from '../server/test/statistics.ts'
import type { Program } from './program.ts'
import { type DedicatedServer, startTestServer } from './test-server.ts'
import type { Visitor } from './visitor.ts'

/** A kill of the program and one of PostgreSQL; the record run has a thousand, also of all processes at once. */
const cycles = Number(process.env['KEEPSNAP_CYCLES'] ?? 2)
/** The minimum number of acknowledged uploads before the kill of a cycle. */
const leastUploads = 2
const random = seededRandom('kills')
const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-kills-'))
const logFile = join(scratch, 'log')
let server: DedicatedServer
beforeAll(async () => {
  server = await startTestServer({ embedded: true, log: logFile, env: { LOG_LEVEL: 'error' } })
})
afterAll(async () => {
  await server.close()
  await rm(scratch, { recursive: true, force: true })
})

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter(Boolean)
  } catch {
    return []
  }
}
const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
const commandOf = (pid: number): string => {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return '' // It has ended.
  }
}

/** Kinds of kills, each as the processes to kill: the program, PostgreSQL, or the whole process tree. */
const kinds = [
  (pid: number) => [pid],
  (pid: number) => childrenOf(pid).filter((child) => commandOf(child).includes('/postgres')),
  (pid: number) => [pid, ...descendantsOf(pid)],
]

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function killProcesses(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended, for example with its parent.
    }
  }
}

/** The big screen of another user, under which the program is killed. */
async function openScreen(server: DedicatedServer, file: Uint8Array) {
  const visitor = await server.newUser()
  await visitor.upload(file, { name: 'before.jpg' })
  const page = await server.newPage({ visitor, isIsolated: true })
  await page.goto('/latest')
  const photo = (name: string) => page.getByRole('img', { name: new RegExp(`^${name}, `) })
  await photo('before.jpg').waitFor()
  await page.clock.install()
  return {
    async expectDisconnected() {
      await page.getByText('Reconnecting', { exact: true }).waitFor()
      expect(await photo('before.jpg').isVisible()).toBe(true)
    },
    async expectReconnected() {
      // The page waits longer after each failed attempt, at most a minute.
      const attempt = async () => {
        await page.clock.fastForward(61_000)
        return page.locator('.latest__connection').count()
      }
      await expect.poll(attempt, { interval: 1_000 }).toBe(0)
      await visitor.upload(file, { name: 'after.jpg' })
      await photo('after.jpg').waitFor()
      await page.close()
    },
  }
}

/** What guests and the owner of an event were told: the cookie of each guest by the token of its photo, and what was approved. */
interface Acknowledged {
  added: Map<string, string>
  approved: Set<string>
}

/** Guests join an event one after the other and add a photo each until stopped, while its owner approves those that wait. */
function addUntilStopped(owner: Visitor, event: Event, { file, added, approved }: Acknowledged & { file: Uint8Array }) {
  const form = () => {
    const body = new FormData()
    body.set('file', new Blob([Uint8Array.from(file)], { type: 'image/jpeg' }), 'photo.jpg')
    return body
  }
  const path = `${server.program.address}${new URL(event.url).pathname}`
  const headers = { 'content-type': 'application/json' }
  const consent = JSON.stringify({ consent_version: contributorConsent.version })
  const reviewPath = `/user/events/${event.id}/review`
  const step = async (): Promise<void> => {
    const joined = await fetch(`${path}/join`, { method: 'POST', headers, body: consent })
    const cookie = joined.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const answer = await fetch(`${path}/mine`, { method: 'POST', headers: { cookie }, body: form() })
    if (answer.status === 201) added.set(((await answer.json()) as OwnPhoto).token, cookie) // what the contract says
    const { photos } = (await (await owner.call('GET', reviewPath)).json()) as Reply<typeof listReview> // the same
    const ids = photos.map(({ id }) => id)
    const decided = await owner.send('POST', reviewPath, { ids, from: 'waiting', to: 'approved' })
    if (decided.status === 200) for (const id of ids) approved.add(id)
  }
  let isStopped = false
  const addAll = async (): Promise<void> => {
    if (isStopped) return
    await step().catch(() => delay(20))
    return addAll()
  }
  const stopped = addAll()
  return async () => {
    isStopped = true
    await stopped
  }
}

/** Uploads one photo after the other until stopped, and deletes every third one; the ids of those that must be kept. */
function uploadUntilStopped(user: Visitor, file: Uint8Array) {
  const ids = new Set<string>()
  let isStopped = false
  let uploadCount = 0
  const upload = async (): Promise<void> => {
    if (isStopped) return
    const photo = await user.upload(file).catch(() => undefined)
    uploadCount += 1
    if (photo && uploadCount % 3 === 0) await user.call('DELETE', `/photos/${photo.id}`).catch(() => {})
    else if (photo) ids.add(photo.id)
    else await delay(20)
    return upload()
  }
  const stopped = upload()
  return {
    ids,
    async stop() {
      isStopped = true
      await stopped
    },
  }
}

test('a command works beside the program; one that is wrong says so in a line and ends with 2, a second program with 1', async () => {
  const { email } = await server.newUser()
  expect(await server.runCommand('grant-admin', email, '--unconfirmed')).toBe(`${email} is an admin.`)
  await expect(server.runCommand('grant-admin', 'nobody@example.com')).rejects.toMatchObject({
    code: 2,
    stderr: 'keepsnap: there is no account with the address nobody@example.com\n',
  })
  await expect(server.runCommand('serve')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`process ${server.program.pid}`),
  })
})

test(
  `${cycles} kills in the middle of uploads, of guests too, and processing: every acknowledged photo and decision is there and completes, nothing is left over, and an open screen recovers by itself`,
  async () => {
    let { program } = server
    const file = await jpeg({ width: 300, height: 200 })
    const screen = await openScreen(server, file)
    const users = await Promise.all([1, 2, 3].map(() => server.newUser({ plan: 'pro_yearly' })))
    const acknowledged = new Map(users.map((user) => [user, new Set<string>()]))
    const host = await server.newUser({ plan: 'pro_yearly' })
    const settings = { name: 'Lotte & Bram', guest_photos: 'review' }
    const event = (await (await host.send('POST', '/user/events', settings)).json()) as Event // what the contract says
    const ofGuests: Acknowledged = { added: new Map(), approved: new Set() }

    for (let cycle = 0; cycle < cycles; cycle++) {
      const uploads = users.map((user) => ({ user, ...uploadUntilStopped(user, file) }))
      const added = ofGuests.added.size
      const stopGuests = addUntilStopped(host, event, { file, ...ofGuests })
      const acknowledgedCount = (): number => uploads.reduce((sum, { ids }) => sum + ids.size, 0)
      await expect.poll(acknowledgedCount, { interval: 20 }).toBeGreaterThanOrEqual(leastUploads)
      await expect.poll(() => ofGuests.added.size, { interval: 20 }).toBeGreaterThan(added)
      await delay(random.next() * 200)
      const killed = kinds[cycle % kinds.length]?.(program.pid) ?? []
      expect(killed).not.toEqual([])
      killProcesses(killed)
      await expect.poll(() => killed.filter(isAlive)).toEqual([])
      if (killed.includes(program.pid)) {
        await Promise.all([stopGuests(), ...uploads.map(({ stop }) => stop())])
        if (cycle === 0) await screen.expectDisconnected()
        program = await server.restart()
      }
      await expect.poll(() => isReady(program)).toBe(true)
      if (cycle === 0) await screen.expectReconnected()
      await stopGuests()
      for (const { user, ids, stop } of uploads) {
        await stop()
        for (const id of ids) acknowledged.get(user)?.add(id)
      }
    }

    for (const [user, ids] of acknowledged) {
      await expectAllComplete(user, ids)
      await expectWhole(user)
    }
    await expectAllComplete(host, ofGuests.approved)
    await expectAllAdded(event, ofGuests.added)
    const count = [...acknowledged.values()].reduce((sum, ids) => sum + ids.size, 0)
    logWithSeed(`kills: ${cycles}, ${count} uploads acknowledged, none lost`)
    expect(count).toBeGreaterThanOrEqual(leastUploads * cycles)
    await expectNothingIncoming(join(server.dataDir, 'files'))
    await expectNothingUnreferenced(server)
    await expectExactGuestCounts(server)
    await program.stop()
    expect(await program.ended).toBe(0)
    expect(processesWith(server.dataDir)).toEqual([])
    expect(server.pageErrors).toEqual([])
    expect(await readFile(logFile, 'utf8').catch(() => '')).not.toMatch(/Bearer|access_token|Correct\.Horse/)
  },
  300_000 + cycles * 60_000,
)

const isReady = async ({ address }: Program): Promise<boolean> =>
  (await fetch(`${address}/ready`).catch(() => undefined))?.ok ?? false

const processesWith = (text: string): string[] =>
  execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text))

async function expectAllComplete(user: Visitor, ids: Set<string>): Promise<void> {
  const unfinished = async (): Promise<string[]> => {
    const photos: Photo[] = []
    for (let before = ''; ;) {
      const answer = await user.call('GET', `/photos?limit=500${before && `&before=${before}`}`)
      photos.push(...((await answer.json()) as Photo[])) // what the contract says
      const next = answer.headers.get('x-next-before')
      if (!next) break
      before = next
    }
    const ready = new Set(photos.filter(({ processing_complete: isReady }) => isReady).map(({ id }) => id))
    // Also those whose acknowledgement or deletion was lost in a kill: they are there, so they complete.
    return [...new Set([...ids, ...photos.map(({ id }) => id)])].filter((id) => !ready.has(id))
  }
  await expect.poll(unfinished, { interval: 500 }).toEqual([])
}

/** Each guest has the photo, which is ready. */
async function expectAllAdded(event: Event, added: ReadonlyMap<string, string>): Promise<void> {
  const missing = async (): Promise<string[]> => {
    const tokens: string[] = []
    for (const [token, cookie] of added) {
      const path = `${server.program.address}${new URL(event.url).pathname}/mine`
      const { photos } = (await (await fetch(path, { headers: { cookie } })).json()) as OwnPhotos // what the contract says
      const [photo] = photos
      if (photo?.token !== token || (photo.state !== 'waiting' && photo.state !== 'shown')) tokens.push(token)
    }
    return tokens
  }
  await expect.poll(missing, { interval: 500 }).toEqual([])
}

/** The count of guests' photos is that of the photos that are there. */
async function expectExactGuestCounts({ database }: Pick<DedicatedServer, 'database'>): Promise<void> {
  const { pool, close } = connect(database, createLog('silent'), 1)
  onTestFinished(close)
  const difference = async (): Promise<unknown> =>
    (
      await pool.query(`select (select sum(uploads)::int from guest_months) -
        (select count(*)::int from photos where source = 'guest' and deleted_at is null) as difference`)
    ).rows[0].difference
  await expect.poll(difference, { interval: 500 }).toBe(0)
}

/** The files of the newest photos can be downloaded completely. */
async function expectWhole(user: Visitor): Promise<void> {
  const sample = (await (await user.call('GET', '/photos?limit=20')).json()) as Photo[] // what the contract says
  for (const { b2_url: full, size_bytes: size } of sample) {
    if (!full) throw new Error('a complete photo has no address')
    const answer = await fetch(full)
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, size])
  }
}

async function expectNothingIncoming(dir: string): Promise<void> {
  const incoming = await readdir(join(dir, 'incoming'), { recursive: true, withFileTypes: true })
  expect(incoming.filter((entry) => entry.isFile())).toEqual([])
}

/** Lets a quarter of an hour pass for the database, and waits until the running program has removed what no row refers to. */
async function expectNothingUnreferenced({
  database,
  dataDir,
}: Pick<DedicatedServer, 'database' | 'dataDir'>): Promise<void> {
  const { pool, close } = connect(database, createLog('silent'), 1)
  onTestFinished(close)
  await pool.query(`
    update stored_objects set created_at = created_at - interval '15 minutes';
    update photos set expires_at = expires_at - interval '15 minutes', deleted_at = deleted_at - interval '15 minutes'`)
  const referenced = `select unnest(array[original_key, full_key, thumb_key, unmarked_key]) as key from photos where deleted_at is null`
  const leftovers = async (): Promise<string[]> => {
    await pool.query(`select graphile_worker.add_job('clean-up', '{}'::json, job_key => 'clean-up')`)
    const { rows } = await pool.query<{ key: string | null }>(referenced)
    const names = new Set([...rows.map(({ key }) => key?.split('/')[1]), 'store-id', markName])
    const files = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
    const { rows: entries } = await pool.query<{ key: string }>(`select key from stored_objects where key not in (
      select key from (${referenced}) as keys where key is not null)`)
    return [
      ...files.filter((file) => file.isFile() && !names.has(file.name)).map(({ name }) => name),
      ...entries.map(({ key }) => key),
    ]
  }
  await expect.poll(leftovers, { interval: 500 }).toEqual([])
}
