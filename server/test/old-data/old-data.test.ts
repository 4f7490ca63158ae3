import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../harness.ts'
import { multipartForm, signInRequest } from '../test-data.ts'
import { emailsTo, newestSecret } from '../outbox.ts'
import { closedWhileHidden, copyDataFolder, loadDatabase } from './load.ts'

const publicUrl = 'http://photos.test'

/** Jobs that are left. These tests read no other table: they have to hold when tables and columns are renamed. */
async function jobsLeft({ app }: TestServer): Promise<{ key: string; isDue: boolean; error: string | null }[]> {
  const { rows } = await app.deps.pool.query(
    'select key, run_at <= now() as "isDue", last_error as error from graphile_worker.jobs',
  )
  return rows
}

type Name = 'ada' | 'ben' | 'cleo' | 'dan' | 'eve'
type Accounts = Record<Name, { email: string; password: string; token: string }>

/** What the old program answered. */
interface Expected {
  accounts: Accounts
  links: Record<string, { url: string; status: number; type?: string; location?: string; sha256?: string }>
  answers: Record<Name, Record<string, { status: number; body?: object }>>
}
interface Photo {
  id: string
  filename: string
  b2_url: string | null
  qr_code_url: string
  processing_complete: boolean
  processing_failed: boolean
}
interface Request {
  id: string
  requester_email: string
  state: string
}

const fixtures = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe.each(fixtures)('a data folder of %s', (fixture) => {
  const folder = join(import.meta.dirname, fixture)
  const { accounts, links, answers }: Expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
  const closedUrls = closedWhileHidden.flatMap((what) => links[what]?.url ?? [])
  /** The URL of then, in place of the one with the signature that a hidden photo has now. */
  const withoutNewSignature = (value: unknown): unknown =>
    closedUrls.find((url) => typeof value === 'string' && value.startsWith(url.replace(/\?.*/, '?s='))) ?? value
  const logged: string[] = []
  let server: TestServer
  let dropDatabase: (() => Promise<void>) | undefined

  beforeAll(async () => {
    const { database, drop } = await loadDatabase(folder)
    dropDatabase = drop
    const dir = await copyDataFolder(folder)
    // Without a setting, the secret key is the one of the data folder.
    server = await startServer({ SECRET_KEY: '' }, { database, dir, out: { write: (line) => logged.push(line) } })
  })
  afterAll(async () => {
    await server?.close()
    await dropDatabase?.()
  })

  const ask = async (
    method: 'GET' | 'POST',
    url: string,
    { account, body, headers }: { account?: Name; body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    server.request({
      method,
      url: url.replace(publicUrl, ''),
      token: account && accounts[account].token,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    })
  const get = (url: string, account?: Name) => ask('GET', url, account && { account })
  const post = async (url: string, body: object = {}, account?: Name): Promise<number> =>
    (await ask('POST', url, { body, ...(account && { account }) })).statusCode
  const linkOf = (what: string): string => {
    const link = links[what]
    if (!link) throw new Error(`the fixture has no link "${what}"`)
    return link.url
  }
  const photoNamed = async (name: string, account: Name): Promise<Photo> => {
    const photos = (await get('/photos', account)).json<Photo[]>()
    const photo = photos.find(({ filename }) => filename === `${name}.jpg`)
    if (!photo) throw new Error(`there is no photo ${name}`)
    return photo
  }
  const requestsOf = async (account: Name) =>
    (await get('/user/photo-requests', account)).json<{ requests: Request[] }>().requests
  const emailsOf = async (guest: string): Promise<number> => (await emailsTo(server, `${guest}@guest.test`)).length
  const request = async (photo: string, guest: string): Promise<number> => {
    const { id } = await photoNamed(photo, 'ada')
    return post(`/photos/${id}/request-email`, { email: `${guest}@guest.test` })
  }
  const upload = async (key: string) => {
    const { body, headers } = multipartForm(await jpeg({ width: 64, height: 48 }))
    return ask('POST', '/photos/upload', { account: 'ada', body, headers: { ...headers, 'idempotency-key': key } })
  }
  /** For how long nothing came of the interrupted upload, however long the tests before took. */
  const setSilence = (seconds: number) =>
    server.app.deps.pool.query(
      `update photos set expires_at = now() + interval '15 minutes' - make_interval(secs => $1)
       where idempotency_key = 'an-interrupted-upload' and state = 'receiving'`,
      [seconds],
    )
  const signIn = async (email: string, password: string): Promise<number> =>
    (await server.request(signInRequest(email, password))).statusCode
  const tokenIn = (url: string): { token: string | null } => ({ token: new URL(url).searchParams.get('token') })
  /** The answer at a URL, in the form in which the fixture has it. */
  const answerAt = async (url: string) => {
    const { statusCode: status, headers, rawPayload } = await get(url)
    return { status, type: headers['content-type'], location: headers.location, sha256: sha256Of(rawPayload) }
  }

  describe('before its jobs have run', () => {
    test.each(Object.keys(accounts) as Name[])('shows %s all that the old program showed', async (name) => {
      for (const [url, expected] of Object.entries(answers[name])) {
        const { statusCode: status, payload } = await get(url, name)
        const body: unknown = JSON.parse(payload, (_, value: unknown) => withoutNewSignature(value))
        expect({ url, status, body }).toMatchObject({ url, ...expected })
      }
    })

    test('answers at every URL as the old program did, with the same bytes', async () => {
      // These links open pages of the web app; their tokens are tested below.
      const asked = Object.entries(links).filter(([what]) => !what.startsWith('the link that '))
      expect(asked.length).toBeGreaterThan(80)
      for (const [what, { url, ...expected }] of asked)
        expect({ what, ...(await answerAt(url)) }).toMatchObject({
          what,
          ...(closedWhileHidden.includes(what) ? { status: 404 } : expected),
        })
    })

    test('takes the passwords that it took, and no others', async () => {
      const { ada, ben, cleo, dan, eve } = accounts
      for (const { email, password } of [ada, ben, cleo]) expect(await signIn(email, password)).toBe(200)
      expect(await signIn(ada.email, ben.password)).toBe(401)
      // Deactivated, and deleted.
      for (const { email, password } of [dan, eve]) expect(await signIn(email, password)).toBe(401)
    })

    test('knows the idempotency keys of uploads', async () => {
      const { id } = await photoNamed('complete', 'ada')
      expect((await upload('a-complete-upload')).json<Photo>().id).toBe(id)
      await setSilence(0)
      expect((await upload('an-interrupted-upload')).statusCode).toBe(409)
    })

    test('takes requests, for a blocked mailbox too', async () => {
      expect([await request('marked', 'stopped'), await request('marked', 'new')]).toEqual([200, 200])
    })
  })

  describe('after its jobs have run', () => {
    beforeAll(() => server.work())

    test('has no job left but the one of an email that waits for a limit', async () => {
      expect(await jobsLeft(server)).toEqual([{ key: expect.any(String), isDue: false, error: null }])
      expect(logged).toEqual([])
    })

    test('has processed the queued photo', async () => {
      const { b2_url: url, processing_complete: complete } = await photoNamed('queued', 'ada')
      expect(complete).toBe(true)
      expect((await get(url ?? '')).headers['content-type']).toBe('image/jpeg')
      expect((await get(linkOf('direct code of queued.jpg, in the end'))).statusCode).toBe(200)
    })

    test('has sent the queued emails, and those that could not reach the mail server, and none that must wait', async () => {
      const sent: Record<string, number> = {}
      const expected = { queued: 1, unreachable: 1, new: 1, held: 0, often: 0, refused: 0, 'guest-of-deleted': 0 }
      for (const guest of Object.keys(expected)) sent[guest] = await emailsOf(guest)
      expect(sent).toEqual(expected)
      const [email] = await emailsTo(server, 'queued@guest.test')
      const [grant = ''] = /http:\/\/photos\.test\/g\/[\w-]+/.exec(email?.text ?? '') ?? []
      expect((await get(`${grant}/download`)).headers['content-type']).toBe('image/jpeg')
      const waiting = (await requestsOf('ben')).filter(({ state }) => state === 'waiting')
      expect(waiting.map(({ requester_email: email }) => email)).toEqual(['held@guest.test', 'often@guest.test'])
    })

    test('has mailed links that work, also to the archive that was asked for; and a deleted account its receipt', async () => {
      const { ben, cleo, eve } = accounts
      const archive = (await get('/user/export', 'cleo')).json<object>()
      expect(archive).toMatchObject({ state: 'ready', size_bytes: expect.any(Number) })
      for (const { email } of [ben, cleo]) {
        const secret = await newestSecret(server, email, '/export/')
        expect(await answerAt(`/export/${secret}`)).toMatchObject({ status: 200, type: 'application/zip' })
      }
      const verification = await newestSecret(server, cleo.email, '/verify-email?token=')
      expect(await post('/verify-email', { token: verification })).toBe(200)
      expect(await emailsTo(server, eve.email)).toHaveLength(1)
    })

    test('has finished the watermark run, and keeps the watermark as it was', async () => {
      const watermark = { watermark_size: 'small', watermark_corner: 'bottom-right' }
      expect((await get('/user/me', 'cleo')).json()).toMatchObject(watermark)
      const run = { state: 'done', done: 1, failed: 0, undoable: 1, applicable: 0 }
      expect((await get('/user/watermark', 'cleo')).json()).toMatchObject(run)
      const { b2_url: url } = await photoNamed('to-be-marked', 'cleo')
      expect((await answerAt(url ?? '')).sha256).not.toBe(links['b2_url of to-be-marked.jpg, at first']?.sha256)
    })

    test('has deleted the bytes of deleted photos, accounts and brand pictures, and files that nothing names', () => {
      const files = readdirSync(join(server.dir, 'files'), { recursive: true }).map((path) => basename(String(path)))
      expect(files).toContain(basename(new URL(linkOf('b2_url of kept.jpg, at first')).pathname))
      const deleted = [
        'b2_url of deleted.jpg, at first',
        'thumbnail_url of deleted.jpg, at first',
        'b2_url of of-a-deleted-account.jpg, at first',
        `background_image_url of ${accounts.cleo.email}, at first`,
      ]
      const names = deleted.map((what) => basename(new URL(linkOf(what)).pathname))
      expect(files.filter((name) => names.includes(name))).toEqual([])
      expect(files).not.toContain('strayFileOfNobodyAtAll')
    })

    test('still serves all other bytes', async () => {
      const files = Object.entries(links).filter(
        ([what, { sha256 }]) => sha256 && !what.includes('to-be-marked.jpg') && !closedWhileHidden.includes(what),
      )
      expect(files.length).toBeGreaterThan(15)
      for (const [what, { url, sha256 }] of files)
        expect({ what, ...(await answerAt(url)) }).toMatchObject({ what, sha256 })
    })

    test('has released the idempotency key of an interrupted upload', async () => {
      await setSilence(60)
      expect((await upload('an-interrupted-upload')).statusCode).toBe(201)
    })
  })

  describe('keeps working afterwards', () => {
    test('a blocked mailbox gets photos again when it is unblocked', async () => {
      expect(await emailsOf('stopped')).toBe(1)
      expect(await post(`${linkOf('the stop page of stopped')}/undo`)).toBe(200)
      await request('complete', 'stopped')
      await server.work()
      expect(await emailsOf('stopped')).toBe(2)
    })

    test('links that confirm or change an email address work once, and release the emails that waited for it', async () => {
      for (const what of ['the link that confirms an email address', 'the link that changes an email address']) {
        const token = tokenIn(linkOf(what))
        expect([await post('/verify-email', token), await post('/verify-email', token)]).toEqual([200, 400])
      }
      await server.work()
      expect(await emailsOf('held')).toBe(1)
      expect(await signIn('ada-new@example.com', accounts.ada.password)).toBe(200)
    })

    test('watermarks come off again, and the unmarked pictures are there', async () => {
      for (const account of ['ada', 'cleo'] as const)
        expect(await post('/user/watermark', { what: 'undo' }, account)).toBe(200)
      await server.work()
      const { b2_url: cleos } = await photoNamed('to-be-marked', 'cleo')
      expect((await answerAt(cleos ?? '')).sha256).toBe(links['b2_url of to-be-marked.jpg, at first']?.sha256)
      const { b2_url: adas } = await photoNamed('marked', 'ada')
      const unmarked = await answerAt(adas ?? '')
      expect(unmarked).toMatchObject({ status: 200, type: 'image/jpeg' })
      expect(unmarked.sha256).not.toBe(links['b2_url of marked.jpg, at first']?.sha256)
    })

    test('a failed photo and a failed email are tried again', async () => {
      const { id } = await photoNamed('damaged', 'ada')
      const failed = (await requestsOf('ada')).find(({ state }) => state === 'failed')
      expect(failed?.requester_email).toBe('refused@guest.test')
      expect(await post(`/photos/${id}/retry`, {}, 'ada')).toBe(200)
      expect(await post(`/user/photo-requests/${failed?.id}/resend`, {}, 'ada')).toBe(200)
      await server.work()
      expect(await photoNamed('damaged', 'ada')).toMatchObject({ processing_failed: true })
      expect(await emailsOf('refused')).toBe(1)
    })

    test('a hidden photo is shown again when its owner decides so', async () => {
      const { id } = await photoNamed('hidden', 'ada')
      expect(await post(`/photos/${id}/decision`, { decision: 'keep' }, 'ada')).toBe(200)
      expect(await answerAt(linkOf('direct code of hidden.jpg, at first'))).toMatchObject({ status: 200 })
      expect(await answerAt(linkOf('the download of guest-of-hidden'))).toMatchObject({ status: 200 })
      for (const what of closedWhileHidden)
        expect({ what, ...(await answerAt(linkOf(what))) }).toMatchObject({ what, sha256: links[what]?.sha256 })
    })

    test('links that reset a password work once: one mailed before, one whose job was queued', async () => {
      const password = 'Another.Horse.9'
      const queued = await newestSecret(server, accounts.cleo.email, '/reset-password?token=')
      for (const [{ email, password: old }, token] of [
        [accounts.ben, tokenIn(linkOf('the link that resets a password'))],
        [accounts.cleo, { token: queued }],
      ] as const) {
        const reset = { ...token, new_password: password }
        expect([await post('/reset-password', reset), await post('/reset-password', reset)]).toEqual([200, 400])
        expect([await signIn(email, password), await signIn(email, old)]).toEqual([200, 401])
      }
    })

    test('and no job failed, and nothing was logged as an error', async () => {
      await server.work()
      expect((await jobsLeft(server)).filter(({ error, isDue }) => error !== null || isDue)).toEqual([])
      expect(logged).toEqual([])
    })
  })
})
