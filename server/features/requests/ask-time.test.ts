import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letterLimits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { requestAccepted } from '@keepsnap/contract/requests.ts'
import { newId } from '../../domain/ids.ts'
import { jpeg } from '../../images/test/pictures.ts'
import { areaUnder, counted, isRecord, report } from '../../test/chance.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload } from '../../test/makers.ts'

const file = await jpeg({ width: 640, height: 480 })
const newGuest = (): string => `guest-${newId(8).toLowerCase()}@example.com`
async function photoOn(server: TestServer): Promise<string> {
  const { id } = (await upload(server, await makeUser(server), file)).json<Photo>()
  await server.work()
  return id
}

describe('asking for a photo takes its time, and the same time', () => {
  let server: TestServer
  let id: string
  beforeAll(async () => {
    server = await startServer({}, { leastAskMs: letterLimits.leastAskMs })
    id = await photoOn(server)
  })
  afterAll(() => server.close())

  const ask = async (body: { email: string; website?: string }): Promise<number> => {
    const began = performance.now()
    const answer = await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body })
    expect([answer.statusCode, answer.json()]).toEqual([200, { detail: requestAccepted }])
    return performance.now() - began
  }
  /** Addresses about which a stranger could want to know something. */
  const wishes: Record<string, () => Promise<() => { email: string; website?: string }>> = {
    'that takes no photos': async () => {
      const email = newGuest()
      const url = `/stop/${server.app.deps.addresses.stop(email)}`
      expect((await server.request({ method: 'POST', url })).statusCode).toBe(200)
      return () => ({ email })
    },
    'that was asked for a moment ago': async () => {
      const email = newGuest()
      await ask({ email })
      return () => ({ email })
    },
    'that has had all of its letters': async () => {
      const email = newGuest()
      await server.app.deps.pool.query(
        `insert into letters (id, kind, email, email_key, state, due_at, give_up_at)
         select $1 || n, 'photo', $1, $1, 'queued', now() + interval '47 hours', now() from generate_series(1, 10) as n`,
        [email],
      )
      return () => ({ email })
    },
    'that a program typed': async () => () => ({ email: newGuest(), website: 'https://spam.example' }),
  }

  test.each(Object.keys(wishes))(
    'for an address %s as for any other',
    async (kind) => {
      const pairs = counted(8, 250)
      const next = await wishes[kind]!()
      const times = { known: [] as number[], other: [] as number[] }
      for (let n = 0; n < pairs; n++) {
        times.known.push(await ask(next()))
        times.other.push(await ask({ email: newGuest() }))
      }
      // A timer may be a millisecond early.
      expect(Math.min(...times.known, ...times.other)).toBeGreaterThanOrEqual(letterLimits.leastAskMs - 2)
      const area = areaUnder(times.known, times.other)
      report(`${pairs} pairs of asking for an address ${kind} and another: AUC ${area.toFixed(3)}`)
      // Few pairs on a busy machine say little about time; only that each of one kind comes before all others is no chance.
      expect(Math.abs(area - 0.5)).toBeLessThanOrEqual(isRecord ? 0.1 : 0.49)
    },
    240_000,
  )
})

test('meanwhile nothing is held: no connection to the database, and neither a guest who leaves nor the end of the program', async () => {
  const server = await startServer({}, { leastAskMs: 1_500 })
  const [id, address] = [await photoOn(server), await server.listen()]
  const { pool } = server.app.deps
  const ask = (email: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${address}/photos/${id}/request-email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
      ...(signal && { signal }),
    })
  const written = async (count: number): Promise<void> => {
    while ((await pool.query('select 1 from photo_requests')).rowCount !== count) await delay(10)
  }
  const leaving = new AbortController()
  const left = ask(newGuest(), leaving.signal).catch((error: Error) => error.name)
  let isAnswered = false
  const staying = ask(newGuest()).finally(() => (isAnswered = true))
  await written(2)
  leaving.abort()
  expect(await left).toBe('AbortError')
  await expect.poll(() => pool.totalCount - pool.idleCount, { timeout: 1_000, interval: 10 }).toBe(0)
  expect(isAnswered).toBe(false)
  const began = performance.now()
  await server.close()
  expect((await staying).status).toBe(200)
  // The connections of both are not waited for.
  expect(performance.now() - began).toBeLessThan(5_000)
})
