import { existsSync, readFileSync } from 'node:fs'
import { describe, test, type TestContext } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { sparseGif } from '../../images/test/make-bombs.ts'
import { startServer, type TestServer } from '../harness.ts'
import { makeUser, upload, type TestUser } from '../test-data.ts'
import { startServerProcess, type ServerProcess } from '../server-process.ts'
import { expectConsistent, runOverdueWork, temporaryFiles } from '../consistency-check.ts'
import { killProcess } from '../child-processes.ts'
import { promisedMs } from '../statistics.ts'

/** An animation takes far longer to render than a large still picture, which can be done before the first look at it. */
const heavy = sparseGif(500, 500, 40)

interface Scene {
  server: TestServer
  user: TestUser
  id: string
  first: ServerProcess
  /** The image processes of the first one. */
  images: number[]
  second(): Promise<ServerProcess>
  attempts(): Promise<number>
  isDone(): Promise<boolean>
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)

/** A photo that one worker process has begun with, and a way to start another one. */
async function begun({ onTestFinished, expect }: TestContext): Promise<Scene> {
  // The tests run beside each other, and each checks that no temporary file is left.
  const server = await startServer({ LOG_LEVEL: 'silent' }, { ownImageProcesses: true })
  onTestFinished(() => server.close())
  const { pool } = server.app.deps
  const work = () =>
    startServerProcess(onTestFinished, { database: server.database, dir: server.dir, command: ['work'] })
  const first = await work()
  const user = await makeUser(server)
  const { id } = (await upload(server, user, heavy)).json<Photo>()
  const attempts = async (): Promise<number> =>
    (await pool.query<{ attempt: number }>('select attempt from photos where id = $1', [id])).rows[0]!.attempt
  await expect.poll(async () => (await temporaryFiles(server)).length, { interval: 5 }).toBe(1)
  const images = childrenOf(first.pid)
  expect(images).not.toEqual([])
  return {
    server,
    user,
    id,
    first,
    images,
    second: work,
    attempts,
    isDone: async () =>
      (await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).json<Photo>()
        .processing_complete,
  }
}

describe.concurrent('a worker', () => {
  test('that is killed in the middle of a photo is replaced within fifteen seconds', async (context) => {
    const { expect } = context
    const { server, first, images, second, attempts, isDone } = await begun(context)
    killProcess(first.pid)
    await first.ended
    const began = performance.now()
    expect(await isDone()).toBe(false)
    const other = await second()
    await expect.poll(attempts, { timeout: promisedMs(15_000), interval: 50 }).toBe(2)
    expect(performance.now() - began).toBeLessThan(promisedMs(15_000))
    await expect.poll(isDone, { interval: 50 }).toBe(true)
    killProcess(other.pid, 'SIGTERM')
    await other.ended
    await expect.poll(() => images.filter(isAlive)).toEqual([])
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('that was stopped and comes back too late changes nothing and removes its files', async (context) => {
    const { expect } = context
    const { server, id, first, images, second, attempts, isDone } = await begun(context)
    const { pool } = server.app.deps
    killProcess(first.pid, 'SIGSTOP')
    context.onTestFinished(() => killProcess(first.pid, 'SIGCONT'))
    expect(await isDone()).toBe(false)
    const other = await second()
    // What the heartbeat takes for dead after eight seconds, it finds dead at once.
    await pool.query(
      `update workers set heartbeat_at = heartbeat_at - interval '1 minute' where node like '%:' || $1`,
      [first.pid],
    )
    await pool.query(`update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute'`)
    await expect.poll(isDone, { interval: 50 }).toBe(true)
    expect(await attempts()).toBe(2)
    const row = async () => (await pool.query('select * from photos where id = $1', [id])).rows
    const before = await row()
    const keys = async (): Promise<string[]> =>
      (await pool.query<{ key: string }>('select key from stored_objects')).rows.map(({ key }) => key)
    killProcess(first.pid, 'SIGCONT')
    await expect.poll(async () => (await keys()).length, { interval: 50 }).toBe(2)
    expect(await row()).toEqual(before)
    for (const node of [first, other]) killProcess(node.pid, 'SIGTERM')
    await Promise.all([first.ended, other.ended])
    await expect.poll(() => images.filter(isAlive)).toEqual([])
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})
