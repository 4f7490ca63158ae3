import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { connect, type Database } from '../server/platform/db/connect.ts'
import { createLog } from '../server/platform/process/log.ts'
import { cloneDatabase } from '../server/test/cloned-database.ts'
import { type MailServer, parseEmail, startMailServer } from '../server/test/smtp-server.ts'
import { logWithSeed } from '../server/test/statistics.ts'
import { WebSocket } from 'ws'
import { openPhone, readPhotoEmail, submitPhotoRequest } from './guest-phone.ts'
import { apiNodes, type NodeName, nodeNames, type Nodes, startNodes } from './nodes.ts'
import { sampleJpeg } from './pictures.ts'
import { databaseEnv } from './program.ts'
import { bucketEnv } from './shared-server.ts'
import { createTestServer, type TestServer } from './test-server.ts'
import { codeOf, type Visitor } from './visitor.ts'

const backWithinMs = 31_000
const cleanups: (() => unknown)[] = []
let nodes: Nodes
let server: TestServer
let mail: MailServer
let database: Database
let file: Buffer

/** Notes which jobs the clocks of the workers added for which slot. */
const noteSlots = `
  create table seen_slots (task text, slot text);
  create function note_slot() returns trigger language plpgsql as $$
  begin
    if new.payload::jsonb ? '_cron' then
      insert into seen_slots
      select identifier, new.payload::jsonb #>> '{_cron,ts}' from graphile_worker._private_tasks where id = new.task_id;
    end if;
    return null;
  end $$;
  create trigger note_slot after insert or update of payload on graphile_worker._private_jobs
    for each row execute function note_slot()`

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keepsnap-nodes-'))
  const clone = await cloneDatabase()
  mail = await startMailServer((work) => void cleanups.unshift(work))
  const store = await bucketEnv(inject('objectStore'))
  const env = {
    ...databaseEnv(clone.database),
    ...store,
    TRUSTED_PROXIES: '127.0.0.1',
    WORKERS: '1',
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'photos@booth.example',
  }
  database = connect(clone.database, createLog('silent'), 2)
  await database.pool.query(noteSlots)
  const logFolder = join(import.meta.dirname, '../test-results')
  await mkdir(logFolder, { recursive: true })
  nodes = await startNodes({ dataDir, env, log: join(logFolder, 'nodes.log') })
  const { address } = nodes
  server = createTestServer({ address, apiAddress: address, dataDir, database: clone.database, env })
  file = await sampleJpeg('table-1200', 1200)
  cleanups.unshift(
    () => server.close(),
    () => nodes.stop(),
    () => database.close(),
    clone.drop,
    () => rm(dataDir, { recursive: true, force: true }),
  )
}, 120_000)
afterAll(async () => {
  for (const clean of cleanups) await clean()
}, 60_000)

const directAddress = (name: NodeName): string => nodes.all.get(name)!.address

/** Kills a node without a graceful shutdown. */
async function kill(name: NodeName): Promise<void> {
  const program = nodes.all.get(name)!
  program.kill('SIGKILL')
  await program.ended
}

/** Retries an upload with the same idempotency key until it is acknowledged, as API clients and the app do. */
async function uploadWithRetries(owner: Visitor, name: string): Promise<Photo> {
  for (const end = Date.now() + 60_000; Date.now() < end; await delay(1_000)) {
    const photo = await owner.upload(file, { name, key: name }).catch(() => undefined)
    if (photo) return photo
  }
  throw new Error(`${name} could not be uploaded`)
}

async function photosOf(owner: Visitor): Promise<Photo[]> {
  return (await (await owner.call('GET', '/photos?limit=500')).json()) as Photo[] // what the contract says
}

async function completePhoto(owner: Visitor, name: string): Promise<Photo> {
  const { id } = await uploadWithRetries(owner, name)
  const find = async (): Promise<Photo | undefined> => (await photosOf(owner)).find((photo) => photo.id === id)
  await expect.poll(async () => (await find())?.processing_complete, { timeout: 60_000 }).toBe(true)
  return (await find())!
}

/** Reads the URLs in turn, 50 times a second, until it is stopped; redirects to the object store are followed. */
function readContinuously(addresses: readonly { url: string; headers?: Record<string, string> }[]) {
  const failures: string[] = []
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  let reads = 0
  const read = async ({ url, headers = {} }: (typeof addresses)[number]): Promise<void> => {
    const at = new Date().toISOString()
    try {
      const answer = await fetch(url, { headers })
      await answer.arrayBuffer()
      if (!answer.ok) failures.push(`${at} ${url}: ${answer.status}`)
    } catch (error) {
      failures.push(`${at} ${url}: ${String(error)}, ${String(error instanceof Error && error.cause)}`)
    }
  }
  const loop = async (): Promise<void> => {
    for (let nextAt = performance.now(); !stop.signal.aborted; nextAt += 20) {
      const reading = read(addresses[reads++ % addresses.length]!).finally(() => running.delete(reading)) // one of them
      running.add(reading)
      await delay(Math.max(0, nextAt + 20 - performance.now()))
    }
  }
  const looping = loop()
  return async () => {
    stop.abort()
    await looping
    await Promise.all(running)
    return { reads, failures }
  }
}

/** A live connection of a user that is opened again whenever it is lost, after a second, two, four and so on. */
function steadySocket(address: string, { token }: Visitor) {
  /** The kinds and photos of all messages; and for how long it was gone, each time. */
  const received: { action: string; photo?: { id: string } }[] = []
  const gapsMs: number[] = []
  let socket: WebSocket
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let lostAt: number | undefined
  const open = (attempts: number): void => {
    socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${token}`)
    let failedAttempts = attempts
    socket.on('open', () => {
      if (lostAt !== undefined) gapsMs.push(performance.now() - lostAt)
      lostAt = undefined
      failedAttempts = 0
    })
    socket.on('message', (data: Buffer) => void received.push(JSON.parse(data.toString()) as { action: string })) // the contract's messages
    socket.on('error', () => {})
    socket.on('close', () => {
      lostAt ??= performance.now()
      if (!isStopped) timer = setTimeout(() => open(failedAttempts + 1), Math.min(30_000, 1_000 * 2 ** failedAttempts))
    })
  }
  open(0)
  onTestFinished(() => {
    isStopped = true
    clearTimeout(timer)
    socket.terminate()
  })
  return { received, gapsMs, isOpen: () => socket.readyState === socket.OPEN }
}

test('a photo that is uploaded at one node is announced on the sockets of the other', async () => {
  const owner = await server.newUser({ plan: 'pro_yearly' })
  const sockets = apiNodes.map((name) => steadySocket(directAddress(name), owner))
  await expect.poll(() => sockets.every((socket) => socket.isOpen())).toBe(true)
  const { id } = await uploadWithRetries(owner, 'told.jpg')
  for (const { received } of sockets)
    await expect
      .poll(() => received.filter(({ action, photo }) => action === 'new_photo' && photo?.id === id))
      .toHaveLength(1)
})

test('a file that only the nodes of one version have is found through the balancer', async () => {
  const name = `assets/of-the-new-version-${Date.now()}.js`
  const path = join(import.meta.dirname, '../web/dist', name)
  await writeFile(path, 'export {}')
  onTestFinished(() => rm(path))
  nodes.all.get('api2')!.kill('SIGTERM')
  await nodes.all.get('api2')!.ended
  await nodes.restart('api2')
  expect((await fetch(`${directAddress('api1')}/${name}`)).status).toBe(404)
  expect((await fetch(`${directAddress('api2')}/${name}`)).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${nodes.address}/${name}`)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await fetch(`${nodes.address}/assets/of-no-version.js`)).status).toBe(404)
}, 90_000)

describe.each(nodeNames)('kill -9 of %s', (name) => {
  test('goes unnoticed by guests who scan, download and ask for an email', async () => {
    const owner = await server.newUser({ plan: 'pro_yearly' })
    const photo = await completePhoto(owner, 'guests.jpg')
    const [saving, asking] = [await openPhone(server), await openPhone(server)]
    await asking.scan(`/request-photo/${photo.id}`)
    await kill(name)
    const address = `guest-of-${name}@example.com`
    const save = async (): Promise<void> => {
      await saving.scan(`${nodes.address}/d/${codeOf(photo)}`)
      const download = await saving.save(() => saving.page.getByRole('link', { name: 'Download' }).tap())
      expect(download.suggestedFilename()).toMatch(/\.jpg$/)
    }
    await Promise.all([save(), submitPhotoRequest(asking.page, address)])
    const find = () => mail.received.find(({ to }) => to.includes(address))
    await expect.poll(find).toBeDefined()
    const { link, attachments } = readPhotoEmail(await parseEmail(find()!.bytes)) // waited for above
    expect(attachments).toHaveLength(1)
    await asking.page.goto(link)
    await asking.save(() => asking.page.getByRole('link', { name: 'Download' }).tap())
    expect(server.pageErrors).toEqual([])
    await nodes.restart(name)
  }, 120_000)

  test('costs an owner who uploads nothing: every photo is there once, with one set of images', async () => {
    const owner = await server.newUser({ plan: 'pro_yearly' })
    const page = await server.newPage({ visitor: owner })
    await page.goto('/latest')
    const socket = steadySocket(nodes.address, owner)
    await expect.poll(() => socket.isOpen()).toBe(true)
    const names = Array.from({ length: 8 }, (_, n) => `${name}-${n}.jpg`)
    const uploads = names.map((each) => uploadWithRetries(owner, each))
    // While some uploads are acknowledged and others are pending.
    const isTaken = async () => (await photosOf(owner)).length > 0
    await expect.poll(isTaken, { interval: 10 }).toBe(true)
    await kill(name)
    const acknowledged = (await Promise.all(uploads)).map(({ id }) => id)
    const complete = async () =>
      (await photosOf(owner)).filter((photo) => photo.processing_complete).map(({ id }) => id)
    await expect.poll(async () => (await complete()).toSorted(), { timeout: 90_000 }).toEqual(acknowledged.toSorted())
    // The screen is live again, wherever it was connected.
    const killedAt = performance.now()
    await expect.poll(() => socket.isOpen(), { timeout: backWithinMs }).toBe(true)
    const last = await completePhoto(owner, `${name}-last.jpg`)
    await page.getByRole('img', { name: new RegExp(`^${name}-last\\.jpg, `) }).waitFor({ timeout: backWithinMs })
    expect(performance.now() - killedAt).toBeLessThan(backWithinMs + 30_000)
    for (const gap of socket.gapsMs) expect(gap).toBeLessThan(backWithinMs)
    const { rows } = await database.pool.query<{ images: number; uploads: number }>(
      `select (select count(distinct full_key)::int from photos where id = any($1)) as images,
         (select uploads from usage_months join photos using (user_id) where photos.id = $2) as uploads`,
      [acknowledged, last.id],
    )
    expect(rows).toEqual([{ images: names.length, uploads: names.length + 1 }])
    await nodes.restart(name)
  }, 240_000)
})

test('nodes restart one after the other: no read fails, and sockets are back within 31 s', async () => {
  const owner = await server.newUser({ plan: 'pro_yearly' })
  const photo = await completePhoto(owner, 'rolling.jpg')
  const sockets = Array.from({ length: 20 }, () => steadySocket(nodes.address, owner))
  await expect.poll(() => sockets.every((socket) => socket.isOpen())).toBe(true)
  const stopReading = readContinuously([
    { url: `${nodes.address}/health` },
    { url: `${nodes.address}/pricing`, headers: { accept: 'text/html' } },
    { url: `${nodes.address}/photos`, headers: { authorization: `Bearer ${owner.token}` } },
    { url: photo.thumbnail_url! },
    { url: `${nodes.address}/request-photo/${photo.id}`, headers: { accept: 'text/html' } },
  ])
  for (const name of nodeNames) {
    const program = nodes.all.get(name)!
    await program.stop()
    expect(await program.ended).toBe(0)
    await nodes.restart(name)
  }
  const { reads, failures } = await stopReading()
  await expect.poll(() => sockets.every((socket) => socket.isOpen()), { timeout: backWithinMs }).toBe(true)
  const gaps = sockets.flatMap(({ gapsMs }) => gapsMs)
  logWithSeed(
    `nodes: ${reads} reads during a restart of every node, ${failures.length} failed; ${gaps.length} sockets were lost, for at most ${Math.round(Math.max(0, ...gaps))} ms`,
  )
  expect(failures).toEqual([])
  // A slow machine manages fewer than 1,000.
  expect(reads).toBeGreaterThan(100)
  expect(gaps.length).toBeGreaterThan(0)
  expect(Math.max(...gaps)).toBeLessThan(backWithinMs)
}, 300_000)

test('each job of the clock ran once per slot, and each email went once', async () => {
  const seenSlots = async () => {
    const { rows } = await database.pool.query<{ task: string; slots: number; jobs: number }>(
      `select task, count(distinct slot)::int as slots, count(*)::int as jobs from seen_slots group by task order by task`,
    )
    return rows
  }
  const cleanUpSlots = async () => (await seenSlots()).find(({ task }) => task === 'clean-up')?.slots
  await expect.poll(cleanUpSlots, { timeout: 400_000, interval: 1_000 }).toBeGreaterThan(1)
  const rows = await seenSlots()
  logWithSeed(`nodes: ${rows.map(({ task, slots, jobs }) => `${task} ${jobs} times in ${slots} slots`).join(', ')}`)
  for (const { slots, jobs } of rows) expect(jobs).toBe(slots)
  const ids = mail.received.map(({ bytes }) => /^message-id: (.*)$/im.exec(bytes.toString())?.[1])
  expect(new Set(ids).size).toBe(ids.length)
}, 500_000)
