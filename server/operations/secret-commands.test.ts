import { expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Config } from '../config.ts'
import { connect, type Db } from '../platform/db/connect.ts'
import { resolveSecretKeys, UnknownSecretKey } from '../platform/db/secret-keys.ts'
import { createUrls } from '../features/photos/urls.ts'
import { hashOf, newId } from '../lib/ids.ts'
import { cleanUpWebhooks } from '../features/integrations/webhook-deliveries.ts'
import { createWebhook } from '../features/integrations/test/webhook-actions.ts'
import { jpeg } from '../images/test/sample-images.ts'
import { scratchFolder } from '../test/child-processes.ts'
import { createLog } from '../platform/process/log.ts'
import { cloneDatabase } from '../test/cloned-database.ts'
import { publicUrl, startServer, type TestServer } from '../test/harness.ts'
import { grantPlan, makeUser, upload } from '../test/test-data.ts'
import { UsageError } from './command.ts'
import { secretCommands } from './secret-commands.ts'

const keyNamed = (name: string): string => `the ${name} secret key of the tests that is long enough`
const [first, second, third] = [keyNamed('first'), keyNamed('second'), keyNamed('third')] as const
const guest = 'guest@mail.test'

/** Servers with one database, one after the other. */
async function installation() {
  const { database, drop } = await cloneDatabase()
  onTestFinished(drop)
  const dir = scratchFolder(onTestFinished)
  return async (secretKey = '', ...accepted: string[]): Promise<TestServer> => {
    const env = {
      SECRET_KEY: secretKey,
      SECRET_KEYS_ACCEPTED: accepted.join(','),
      LOG_LEVEL: 'silent',
      WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    }
    const server = await startServer(env, { database, dir })
    onTestFinished(() => server.close())
    return server
  }
}
const statusOf = async (server: TestServer, url: string): Promise<number> =>
  (await server.request({ method: 'GET', url: url.replace(publicUrl, '') })).statusCode

const run = (
  server: Pick<TestServer, 'app' | 'db'>,
  args: string[],
  settings: Partial<Config> = {},
  answer = false,
) => {
  const command = secretCommands['rotate-secret']
  if (!command) throw new Error('there is no such command')
  const { config, log } = server.app.deps
  return command(args)({ config: { ...config, ...settings }, log, db: server.db, confirm: async () => answer })
}

test('after the key was replaced, codes, sessions, links, addresses and unsubscribed people are as before', async () => {
  const start = await installation()
  const before = await start(first)
  const user = await makeUser(before)
  await grantPlan(before, user, 'pro_yearly')
  const { id } = (await upload(before, user, await jpeg())).json<{ id: string }>()
  await before.work()
  const photo = (await before.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).json<Photo>()
  const webhook = await createWebhook(before, user, 'http://127.0.0.1:9/', ['photo.ready'])
  const stop = before.app.deps.tokens.unsubscribe(guest)
  const linkId = newId()
  const linkHash = hashOf(before.app.deps.tokens.account('reset', linkId))
  const testCode = before.app.deps.tokens.testCodes.token(user.id, 1_900_000_000)
  await before.request({ method: 'POST', url: `/stop/${stop}` })

  const after = await start(second, first)
  const { tokens } = after.app.deps
  for (const url of [photo.b2_url, photo.thumbnail_url, photo.qr_code_url, photo.email_qr_code_url])
    expect(await statusOf(after, url ?? '')).toBeLessThan(400)
  const list = await after.request({ method: 'GET', url: '/photos', token: user.token })
  expect(list.statusCode).toBe(200)
  expect(list.body).not.toContain(photo.b2_url)
  expect(hashOf(tokens.account('reset', linkId, linkHash))).toEqual(linkHash)
  expect(tokens.account('reset', linkId)).not.toBe(tokens.account('reset', linkId, linkHash))
  expect(tokens.testCodes.read(testCode)?.userId).toBe(user.id)
  expect((await after.request({ method: 'GET', url: `/stop/${stop}` })).body).toContain('No more photos')
  const secretOf = async ({ db, app }: TestServer) => {
    const { encrypted_secret: encrypted } = await db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
    return app.deps.webhooks.secrets.decrypt(encrypted, webhook.id)
  }
  expect(await secretOf(after)).toBe(webhook.secret)
  await cleanUpWebhooks(after.app.deps)

  // The former key is forgotten, and the key is replaced once more.
  await start(second)
  const last = await start(third, second)
  expect(await statusOf(last, photo.b2_url ?? '')).toBe(404)
  expect(await statusOf(last, photo.qr_code_url)).toBe(200)
  const blocked = await last.db.selectFrom('blocked_mailboxes').selectAll().execute()
  const hashes = last.app.deps.tokens.mailboxHashes(guest)
  expect(hashes.some((hash) => blocked[0]?.mailbox_hash.equals(hash))).toBe(true)
  expect((await last.request({ method: 'GET', url: `/stop/${stop}` })).body).toContain('No more photos')
  expect(await secretOf(last)).toBe(webhook.secret)
})

/** The addresses of a program that is started with these keys. */
async function urlsWith(db: Db, current: string, ...accepted: string[]) {
  const urls = createUrls(publicUrl, await resolveSecretKeys(db, { current, accepted }))
  const hidden = { thumbKey: 'thumb/1', hiddenAt: new Date(0), reader: 'owner' } as const
  return {
    signature: urls.hiddenThumbnail(hidden).split('s=')[1] ?? '',
    accepts: (signature: string): boolean => urls.isThumbnailSignature(hidden, signature),
  }
}

test('machines can switch to the new key one by one, and a former key is accepted for 30 days', async () => {
  const { database, drop } = await cloneDatabase()
  onTestFinished(drop)
  const { db, pool, close } = connect(database, createLog('silent'), 2)
  onTestFinished(close)
  const one = await urlsWith(db, first, second)
  const other = await urlsWith(db, second, first)
  const again = await urlsWith(db, first, second)
  for (const [signer, reader] of [
    [one, other],
    [other, one],
    [other, again],
  ] as const)
    expect(reader.accepts(signer.signature)).toBe(true)
  expect((await urlsWith(db, second, first)).accepts(one.signature)).toBe(true)
  const age = (days: number) =>
    pool.query('update secret_keys set replaced_at = replaced_at - make_interval(days => $1)', [days])
  await age(29)
  expect((await urlsWith(db, second, first)).accepts(one.signature)).toBe(true)
  await age(1)
  expect((await urlsWith(db, second, first)).accepts(one.signature)).toBe(false)
  await expect(urlsWith(db, first, second)).rejects.toThrow(UnknownSecretKey)
})

test('with the key of the settings, the command says what to set; another key is refused, and one that is lost can be given up', async () => {
  const start = await installation()
  const server = await start(first)
  const text = await run(server, [])
  expect(text).toMatch(/\n[0-9a-f]{64}\n/)
  expect(text).toContain('SECRET_KEYS_ACCEPTED')
  for (const args of [['x'], ['--status', 'x']]) await expect(async () => run(server, args)).rejects.toThrow(UsageError)
  await expect(start(second)).rejects.toThrow('SECRET_KEY is not the key that this database was used with')
  expect(await run(server, ['--key-lost'])).toContain('Nothing was changed')
  await expect(start(second)).rejects.toThrow('SECRET_KEYS_ACCEPTED')
  expect(await run(server, ['--key-lost'], {}, true)).toBe(
    'At its next start, the server adopts the key of its settings.',
  )
  await start(second)
  await expect(start(first)).rejects.toThrow('is not the key')
})

test('with the key of the data folder, the command replaces it for the next start', async () => {
  const start = await installation()
  const server = await start('')
  const settings = { secretKey: undefined }
  expect(await run(server, ['--status'], settings)).toMatch(/^[\w-]{22}: in use since \d{4}-\d\d-\d\d$/)
  expect(await run(server, [], settings)).toContain('restart it')
  await expect(run(server, [], settings)).rejects.toThrow('the key was already replaced')
  const next = await start('')
  expect(await run(next, ['--status'], settings)).toMatch(/used from .* accepted until .*\n.*: in use since/)
  expect(await run(next, [], settings)).toContain('Created a new secret key')
})
