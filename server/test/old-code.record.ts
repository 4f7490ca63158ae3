import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { connect } from '../platform/db/connect.ts'
import { migrate } from '../platform/db/migrate.ts'
import { jpeg } from '../images/test/sample-images.ts'
import { createLog } from '../platform/process/log.ts'
import { scratchFolder } from './child-processes.ts'
import { cloneDatabase } from './cloned-database.ts'
import { publicUrl } from './harness.ts'
import { connectLive } from './live-client.ts'
import { emailsTo } from './outbox.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { logWithSeed } from './statistics.ts'

const root = dirname(dirname(import.meta.dirname))

/** The newest commit that is in use. Set KEEPSNAP_OLD_COMMIT to test with another one. */
const lastRelease = process.env['KEEPSNAP_OLD_COMMIT'] ?? 'a615e80'

/** Whether the history of the project is here; an installation from an archive has none. */
const hasHistory = (commit: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0

/** Writes the project as it was at a commit into a folder, with its own packages and its own web app. */
function checkOutProject(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 512 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const build = "import('./scripts/web-build.mjs').then((module) => module.buildWeb(process.cwd()))"
  execFileSync(process.execPath, ['-e', build], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

const password = 'Correct.Horse.9'
const email = `owner-${randomBytes(4).toString('hex')}@example.com`

/** Calls of the owner at a node. */
function ownerAt({ address }: ServerProcess, token: string) {
  const call = (method: string, path: string, body?: FormData | string, headers = {}): Promise<Response> =>
    fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body }),
    })
  const photos = async (): Promise<Photo[]> => (await (await call('GET', '/photos')).json()) as Photo[] // what the contract says
  return {
    call,
    photos,
    async upload(name: string): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob([Uint8Array.from(await jpeg())], { type: 'image/jpeg' }), name)
      const answer = await call('POST', '/photos/upload', form)
      expect(answer.status).toBe(201)
      return ((await answer.json()) as Photo).id // what the contract says
    },
    async untilComplete(id: string): Promise<void> {
      const isComplete = async () => (await photos()).find((photo) => photo.id === id)?.processing_complete
      await expect.poll(isComplete, { timeout: 60_000 }).toBe(true)
    },
  }
}

const json = { 'content-type': 'application/json' }

async function register({ address }: ServerProcess): Promise<string> {
  const answer = await fetch(`${address}/register`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { access_token: string }).access_token // what the contract says
}

/** Everything that the addresses of a photo give, at a node. */
async function expectImages({ address }: ServerProcess, photo: Photo): Promise<void> {
  for (const url of [photo.b2_url, photo.thumbnail_url, photo.qr_code_url]) {
    const answer = await fetch(url!.replace(publicUrl, address))
    expect([url, answer.status]).toEqual([url, 200])
    await answer.arrayBuffer()
  }
}

test(`${lastRelease} serves reads, uploads, jobs and emails on a database that this version has migrated, beside this version`, async ({
  skip,
}) => {
  skip(!hasHistory(lastRelease), `needs ${lastRelease} in the history of this checkout`)
  const folder = scratchFolder(onTestFinished)
  checkOutProject(lastRelease, folder)
  // The old version migrates it first.
  const { database, drop } = await cloneDatabase({ isBare: true })
  onTestFinished(drop)
  const dir = scratchFolder(onTestFinished)
  const start = (command: string[], of?: string): Promise<ServerProcess> =>
    startServerProcess(onTestFinished, { database, dir, command, ...(of && { root: of }) })
  const oldApi = await start(['serve', '--no-work'], folder)
  let oldWorker = await start(['work'], folder)
  const token = await register(oldApi)
  const before = ownerAt(oldApi, token)
  const first = await before.upload('before.jpg')
  await before.untilComplete(first)

  const { db, pool, close } = connect(database, createLog('silent'), 2)
  onTestFinished(close)
  const added = await migrate(db, pool)
  const newApi = await start(['serve', '--no-work'])
  const after = ownerAt(newApi, token)

  // Reads, on both; what one signs, the other accepts.
  for (const { photos } of [before, after]) {
    const [photo] = await photos()
    expect(photo?.id).toBe(first)
    for (const node of [oldApi, newApi]) await expectImages(node, photo!)
  }
  for (const path of ['/user/me', '/user/photo-requests', '/subscriptions/plans'])
    expect([path, (await before.call('GET', path)).status]).toEqual([path, (await after.call('GET', path)).status])

  // Uploads at either are told on sockets of both, and the old worker does their jobs.
  const sockets = await Promise.all([oldApi, newApi].map(({ address }) => connectLive(address, token)))
  for (const { upload, untilComplete } of [before, after]) {
    const id = await upload('with the old worker.jpg')
    await Promise.all(
      sockets.map(({ next }) => next((message) => message.action === 'new_photo' && message.photo.id === id)),
    )
    await untilComplete(id)
  }
  for (const { socket } of sockets) socket.close()
  for (const [n, { call }] of [before, after].entries()) {
    const guest = `guest${n}@example.com`
    const answer = await call('POST', `/photos/${first}/request-email`, JSON.stringify({ email: guest }), json)
    expect(answer.ok).toBe(true)
    await expect.poll(async () => (await emailsTo({ dir }, guest)).length, { timeout: 30_000 }).toBe(1)
  }
  expect((await before.call('DELETE', `/photos/${first}`)).status).toBeLessThan(300)
  expect((await after.photos()).some(({ id }) => id === first)).toBe(false)

  // The worker of this version does the jobs of the old API.
  oldWorker.child.kill('SIGTERM')
  expect(await oldWorker.ended).toBe(0)
  const newWorker = await start(['work'])
  await before.untilComplete(await before.upload('with the new worker.jpg'))
  newWorker.child.kill('SIGTERM')
  expect(await newWorker.ended).toBe(0)

  // A node of the old version that died comes back, if it is of a version that can.
  const migrating = ['server/platform/db/migrate.ts', 'server/db/migrate.ts']
    .map((path) => join(folder, path))
    .find(existsSync)
  const comesBack = migrating !== undefined && readFileSync(migrating, 'utf8').includes('newerMigrations')
  if (comesBack) {
    oldWorker = await start(['work'], folder)
    await before.untilComplete(await before.upload('after all.jpg'))
  }
  logWithSeed(
    `old-code: ${lastRelease} beside ${added.join(', ') || 'no new migration'}; restarts: ${comesBack}; none lost`,
  )
}, 600_000)
