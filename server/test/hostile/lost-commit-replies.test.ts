import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { repetitions, promisedMs } from '../statistics.ts'
import type { DatabaseProxy } from '../database-proxy.ts'
import { startServerBehindProxy, type TestServer } from '../harness.ts'
import { multipartForm, makeUser, upload, type TestUser } from '../test-data.ts'
import { startServerProcess } from '../server-process.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'
import { killProcess } from '../child-processes.ts'
import { rawConnection } from '../raw-connection.ts'

let server: TestServer
let proxy: DatabaseProxy
const photo = await jpeg()
beforeAll(async () => {
  ;({ server, proxy } = await startServerBehindProxy({ LOG_LEVEL: 'silent' }))
})
afterAll(() => server.close())

const again = { headers: { 'idempotency-key': 'the same' } }
const photosOf = async (user: TestUser): Promise<Photo[]> =>
  (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()

describe('an upload that is committed but never acknowledged is stored once', () => {
  test('when the connection to the database breaks at that moment', async () => {
    const user = await makeUser(server)
    const lost = proxy.loseCommitReply()
    const first = await upload(server, user, photo, again)
    await lost
    expect([first.statusCode, first.headers['retry-after']]).toEqual([503, '2'])
    const second = await upload(server, user, photo, again)
    expect(second.statusCode).toBe(201)
    await runOverdueWork(server)
    expect(await photosOf(user)).toMatchObject([{ id: second.json<Photo>().id, processing_complete: true }])
    await expectConsistent(server)
  })

  test('when the program is killed at that moment', async () => {
    const user = await makeUser(server)
    const command = ['serve', '--no-work']
    const killed = await startServerProcess(onTestFinished, { database: proxy.database, dir: server.dir, command })
    const lost = proxy.loseCommitReply({
      async meanwhile() {
        killProcess(killed.pid)
        await killed.ended
      },
    })
    const form = multipartForm(photo)
    const send = (address: string): Promise<Response> =>
      fetch(`${address}/photos/upload`, {
        method: 'POST',
        headers: { ...form.headers, ...again.headers, authorization: `Bearer ${user.token}` },
        body: Uint8Array.from(form.body),
      })
    await expect(send(killed.address)).rejects.toThrow()
    await lost
    expect(await photosOf(user)).toHaveLength(1)
    const next = await startServerProcess(onTestFinished, { database: server.database, dir: server.dir, command })
    const second = await send(next.address)
    expect(second.status).toBe(201)
    await runOverdueWork(server)
    expect(await photosOf(user)).toMatchObject([{ processing_complete: true }])
    await expectConsistent(server)
  })

  test('when the client disconnects after its last byte', async () => {
    const user = await makeUser(server)
    const address = await server.listen()
    const form = multipartForm(photo)
    const rounds = repetitions(5, 200)
    await server.app.deps.pool.query("update users set granted_plan = 'pro_yearly' where id = $1", [user.id])
    for (let n = 0; n < rounds; n++) {
      await server.app.deps.pool.query('delete from rate_hits')
      const key = { 'idempotency-key': `hang up ${n}` }
      const lines = Object.entries({ ...form.headers, ...key }).map(([name, value]) => `${name}: ${value}`)
      const connection = await rawConnection(address)
      await connection.write(
        Buffer.concat([
          Buffer.from(
            `POST /photos/upload HTTP/1.1\r\nHost: photos.test\r\nAuthorization: Bearer ${user.token}\r\n${lines.join('\r\n')}\r\nContent-Length: ${form.body.length}\r\n\r\n`,
          ),
          form.body,
        ]),
      )
      connection.close()
      await expect
        .poll(async () => (await upload(server, user, photo, { headers: key })).statusCode, {
          // Fewer than the uploads of a minute.
          interval: promisedMs(100),
          timeout: promisedMs(5_000),
        })
        .toBe(201)
    }
    await runOverdueWork(server)
    const photos = await photosOf(user)
    expect(photos.filter(({ processing_complete: isDone }) => isDone)).toHaveLength(rounds)
    expect(photos).toHaveLength(rounds)
    await expectConsistent(server)
  })
})

test.each([
  ['its thumbnail', '"thumbhash" = '],
  ['the photo', '"full_type" = '],
])('a photo is processed once when the reply to the commit of %s is lost', async (_, of) => {
  const user = await makeUser(server)
  await upload(server, user, photo)
  const lost = proxy.loseCommitReply({ of })
  await server.work()
  await lost
  await runOverdueWork(server)
  expect(await photosOf(user)).toMatchObject([{ processing_complete: true }])
  await expectConsistent(server)
})
