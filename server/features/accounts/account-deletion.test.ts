import { mkdir, rename, rmdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { recordAction } from '../operators/audit-log.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { createJobHandlers } from '../../job-handlers.ts'
import { expectConsistent, runOverdueWork, storedFilePath } from '../../test/consistency-check.ts'
import { newClientAddress, useServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { emailsTo } from '../../test/outbox.ts'
import { repetitions, seededRandom } from '../../test/statistics.ts'
import {
  createGrant,
  makeUser,
  registerUser,
  signInRequest,
  type TestUser,
  upload,
  uploadInHalves,
  validPassword,
} from '../../test/test-data.ts'

let address: string
const photoFile = await jpeg()
const server = useServer()
beforeAll(async () => {
  address = await server.listen()
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const post = (url: string, body?: unknown, { token }: { token?: string } = {}) =>
  server.request({ method: 'POST', url, body, token })
const deleteAccount = (user: TestUser, password = validPassword) =>
  server.request({ method: 'DELETE', url: '/user', token: user.token, body: { password } })
const getUrl = async (url: string, token?: string) => (await server.request({ method: 'GET', url, token })).statusCode
const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search
async function photoOf(user: TestUser): Promise<Photo> {
  const { id } = (await upload(server, user, photoFile, { filename: 'Wedding of Ada.jpg' })).json<Photo>()
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).json<Photo>()
}
const storedKeys = async (): Promise<string[]> =>
  (await Array.fromAsync(server.app.deps.storage.list())).map(({ key }) => key)

/** Every row of every table, the queue's included, that holds one of these texts. */
async function tracesOf(needles: readonly string[]): Promise<string[]> {
  const { rows: tables } = await query(`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema in ('public', 'graphile_worker')`)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await query(`select t::text as row from ${name} t`)
    found.push(...rows.flatMap(({ row }) => (needles.some((needle) => row.includes(needle)) ? `${name} ${row}` : [])))
  }
  return found
}

describe('deleting an account', () => {
  test('removes it from every table, queue and store, and keeps the photos of others', async () => {
    const [user, other] = [await registerUser(server), await makeUser(server)]
    const [photo, kept] = [await photoOf(user), await photoOf(other)]
    const before = new Set(await storedKeys())
    const { secret, request } = await createGrant(server, { photo: photo.id, owner: user.id })
    const guest = 'guest-of-the-deleted@example.com'
    await post(`/photos/${photo.id}/request-email`, { email: guest })
    await post(`/photos/${photo.id}/report`, { reason: 'me', note: 'my face' })
    const consent = { allow_marketing_emails: true }
    await server.request({ method: 'PUT', url: '/user/settings', token: user.token, body: consent })
    await post('/user/export', undefined, user)
    await post('/request-password-reset', { email: user.email })
    await server.work()
    await getUrl(pathOf(photo.qr_code_url).replace('/qr', '').replace('.png', ''))
    await server.app.deps.guestActivity.flush()
    await upload(server, user, photoFile.subarray(0, 5_000))
    await server.work()
    expect(await emailsTo(server, guest)).toHaveLength(1)
    const subject = { kind: 'photo', id: photo.id, name: photo.filename, userId: user.id } as const
    const about = { by: { kind: 'operator', id: other.id, name: other.email }, subject, reason: user.email } as const
    await recordAction(server.db, { ...about, action: 'hide reported photo', outcome: 'done' })
    const by = { kind: 'operator', id: user.id, name: user.email } as const
    await recordAction(server.db, { by, action: 'enter password', outcome: { refused: 'wrong' } })
    const live = await connectLive(address, user.token)
    const photoPaths = [photo.b2_url!, photo.thumbnail_url!, photo.qr_code_url].map(pathOf)
    const pages = [`/request-photo/${photo.id}`, `/photos/${photo.id}/public`, `/g/${secret}`, ...photoPaths]
    for (const page of pages) expect([page, await getUrl(page)]).toEqual([page, 200])

    expect((await deleteAccount(user)).statusCode).toBe(204)
    for (const page of pages) expect([page, await getUrl(page)]).toEqual([page, 404])
    expect(await getUrl('/user/me', user.token)).toBe(401)
    expect((await live.closed).code).toBe(4401)

    await server.work()
    expect((await storedKeys()).filter((key) => !before.has(key))).toEqual([])
    const confirmations = await emailsTo(server, user.email)
    expect(confirmations.map(({ subject }) => subject)).toEqual([expect.stringMatching(/account/i)])
    expect(await emailsTo(server, guest)).toEqual([])
    await runOverdueWork(server)
    await query("update emails set due_at = due_at - interval '20 hours' where kind = 'account-deleted'")
    await query("update rate_hits set hits = array(select hit - interval '12 minutes' from unnest(hits) as hit)")
    await runOverdueWork(server)
    expect(await emailsTo(server, user.email)).toEqual([])
    // The record that keeps a restored backup from bringing the account back: an id and a time.
    expect(await tracesOf([user.id, user.email, photo.id, guest, request])).toEqual([
      expect.stringMatching(new RegExp(`^public\\.erasures \\(account,${user.id},"[-0-9: .+]+"\\)$`)),
    ])
    const { rows } = await query('select actor_name, action, reason from audit_log order by at')
    expect(rows).toEqual([
      { actor_name: other.email, action: 'hide reported photo', reason: null },
      { actor_name: 'deleted account', action: 'enter password', reason: null },
    ])
    expect([await getUrl(pathOf(kept.b2_url!)), await getUrl(pathOf(kept.thumbnail_url!))]).toEqual([200, 200])
    await expectConsistent(server)
  })

  test('deletes the counters of wrong passwords', async () => {
    const user = await makeUser(server)
    const from = newClientAddress()
    for (const password of [validPassword, 'Wrong.Password.1'])
      await server.request({ ...signInRequest(user.email, password), from })
    await deleteAccount(user, 'Wrong.Password.1')
    expect((await tracesOf([user.email])).filter((row) => row.includes('delays'))).toHaveLength(2)
    expect((await deleteAccount(user)).statusCode).toBe(204)
    expect((await tracesOf([user.email])).filter((row) => row.includes('delays'))).toEqual([])
  })

  test('while an email to it is being sent also deletes that email’s file', async () => {
    const user = await registerUser(server)
    const { deps } = server.app
    const mail: typeof deps.mail = {
      ...deps.mail,
      async send(message) {
        const sent = await deps.mail.send(message)
        if (message.to.address === user.email) expect((await deleteAccount(user)).statusCode).toBe(204)
        return sent
      },
    }
    const { rows } = await deps.pool.query<{ id: string }>('select id from emails where user_id = $1', [user.id])
    await createJobHandlers({ ...deps, mail })['send-email']({ emailId: rows[0]!.id }, '1')
    expect(await emailsTo(server, user.email)).toEqual([])
  })

  test('frees its address for a new account, which inherits nothing', async () => {
    const user = await makeUser(server)
    await photoOf(user)
    await deleteAccount(user)
    const again = await registerUser(server, user.email)
    expect(again.id).not.toBe(user.id)
    const photos = await server.request({ method: 'GET', url: '/photos', token: again.token })
    expect(photos.json()).toEqual([])
  })

  test('many times at once deletes it once and sends one email', async () => {
    const user = await makeUser(server)
    const answers = await Promise.all(Array.from({ length: 10 }, () => deleteAccount(user)))
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
    for (const { statusCode } of answers) expect([204, 401, 429]).toContain(statusCode)
    const sent = await query("select from emails where kind = 'account-deleted' and recipient = $1", [user.email])
    expect(sent.rowCount).toBe(1)
  })

  test('during an upload refuses the upload with 401', async () => {
    const user = await makeUser(server)
    const isComing = async () =>
      (await server.app.deps.pool.query("select 1 from photos where user_id = $1 and state = 'receiving'", [user.id]))
        .rowCount === 1
    const between = async () => {
      await expect.poll(isComing, { interval: 5 }).toBe(true)
      expect((await deleteAccount(user)).statusCode).toBe(204)
    }
    expect(await uploadInHalves(address, user, { url: '/photos/upload', file: photoFile, between })).toEqual([
      401,
      { code: 'unauthorized', detail: 'Please sign in.' },
    ])
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('while the store fails deletes it at once, and its bytes when the store works again', async () => {
    const user = await makeUser(server)
    const photo = await photoOf(user)
    const { rows } = await query('select full_key as key from photos where id = $1', [photo.id])
    const { key } = rows[0]
    const path = storedFilePath(server, key)
    // A folder in place of the file cannot be removed as a file.
    await rename(path, `${path}.moved`)
    await mkdir(path)
    expect((await deleteAccount(user)).statusCode).toBe(204)
    expect(await getUrl(pathOf(photo.b2_url!))).toBe(404)
    await server.work()
    await rmdir(path)
    await rename(`${path}.moved`, path)
    expect(await storedKeys()).toContain(key)
    await runOverdueWork(server)
    expect(await storedKeys()).not.toContain(key)
    await expectConsistent(server)
  })

  test('during uploads and processing leaves nothing of the photos', async () => {
    const moments = seededRandom('deleted accounts')
    for (let round = 0; round < repetitions(3, 200); round++) {
      const user = await makeUser(server)
      const uploads = Promise.all(Array.from({ length: 3 }, () => upload(server, user, photoFile)))
      const working = server.work()
      await delay(moments.integerBelow(150))
      expect((await deleteAccount(user)).statusCode).toBe(204)
      for (const { statusCode, body } of await uploads)
        expect([body, [201, 200, 401, 404, 503].includes(statusCode)]).toEqual([body, true])
      await working
    }
    await runOverdueWork(server)
    await expectConsistent(server)
  }, 900_000)
})
