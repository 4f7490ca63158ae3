import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAdminKey } from '../server/features/operators/admin-keys.ts'
import { jpeg } from '../server/images/test/sample-images.ts'
import { makeUserWithKey } from '../server/test/test-data.ts'
import { serverForThisTest } from '../server/test/harness.ts'
import {
  createAdminClient,
  createClient,
  KeepsnapError,
  KeepsnapNetworkError,
  parseRetryAfter,
  photoLink,
  retryDelay,
  wait,
} from './client.ts'
import { type ReceivedRequest, refusal, type ScriptedAnswer, startScriptedServer } from './test/scripted-server.ts'

describe('client', () => {
  const photo = { id: 'p1', filename: 'a.jpg', qr_code_url: 'https://photos.example/qr/d/Code1' }
  const accepted: ScriptedAnswer = { status: 201, json: photo }
  const found: ScriptedAnswer = { status: 200, json: photo }
  const apiKey = `ksnap_${'x'.repeat(49)}`

  async function clientOf(...script: ScriptedAnswer[]) {
    const { url, requests } = await startScriptedServer(...script)
    return { client: createClient({ url, apiKey }), url, requests }
  }

  const formOf = ({ body, headers }: ReceivedRequest) =>
    new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()

  test('a customer key uploads and reads, and an admin key reads, against a real server', async () => {
    const server = await serverForThisTest()
    const url = await server.listen()
    const { user, key } = await makeUserWithKey(server)
    const client = createClient({ url, apiKey: key })
    const picture = await jpeg({ width: 64, height: 48 })
    const file = new File([Uint8Array.from(picture)], 'first.jpg')
    const first = await client.uploadPhoto(file, { idempotencyKey: 'one' })
    expect((await client.uploadPhoto(file, { idempotencyKey: 'one' })).id).toBe(first.id)
    const source = { size: picture.length, stream: () => new Blob([Uint8Array.from(picture)]).stream() }
    const second = await client.uploadPhoto(source, { filename: 'zweites é.jpg', idempotencyKey: 'two' })
    expect([first.filename, second.filename]).toEqual(['first.jpg', 'zweites é.jpg'])
    expect(await client.getLatestPhoto()).toEqual(second)
    expect(await client.listPhotos({ skip: 1, limit: 10 })).toEqual({ photos: [first], total: 2, skip: 1, limit: 10 })
    expect((await client.listPhotos({ before: second.id })).photos).toEqual([first])
    expect(await client.getUser()).toMatchObject({ id: user.id, photo_count: 2, first_visit: false })
    expect(await client.getHealth()).toMatchObject({ status: 'ok' })
    expect(new URL(photoLink(first)).pathname).toMatch(/^\/d\/\w{22}$/)
    expect((await server.request({ method: 'GET', url: new URL(photoLink(first)).pathname })).statusCode).not.toBe(404)

    const created = await createAdminKey(server.db, 'Report')
    if (!created) throw new Error('no admin key')
    const admin = createAdminClient({ url, apiKey: created.key })
    expect(await admin.getStats()).toMatchObject({ total_users: 1, total_photos: 2 })
    expect((await admin.listUsers({ limit: 1 })).users).toEqual([expect.objectContaining({ id: user.id })])
    expect(await admin.getUserDetail(user.id)).toMatchObject({ email: user.email, usage: { photos_this_month: 2 } })
    await expect(createAdminClient({ url, apiKey: key }).getStats()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('each call sends its key, and its parameters in the URL', async () => {
    const { client, url, requests } = await clientOf(found)
    await client.listPhotos({ skip: 50, limit: 10 })
    await client.listPhotos()
    await client.getLatestPhoto()
    await client.getUser()
    await client.getHealth()
    const admin = createAdminClient({ url: `${url}/`, apiKey: 'ksadm_x' })
    await admin.listUsers({ limit: 2 })
    await admin.getStats()
    await admin.getUserDetail('a/b')
    expect(requests.map((one) => [one.method, one.url, one.headers['api-key']])).toEqual([
      ['GET', '/api/photos?skip=50&limit=10', apiKey],
      ['GET', '/api/photos', apiKey],
      ['GET', '/api/photos/latest', apiKey],
      ['GET', '/user/me', apiKey],
      ['GET', '/health', undefined],
      ['GET', '/api/admin/users?limit=2', 'ksadm_x'],
      ['GET', '/api/admin/stats', 'ksadm_x'],
      ['GET', '/api/admin/users/a%2Fb', 'ksadm_x'],
    ])
  })

  test('a Blob is sent as a form with its name', async () => {
    const { client, requests } = await clientOf(accepted)
    expect(await client.uploadPhoto(new File(['bytes'], 'my "best" photo.jpg'), { wait: 5, event: 'none' })).toEqual(
      photo,
    )
    const [request] = requests
    if (!request) throw new Error('no request')
    expect([request.method, request.url]).toEqual(['POST', '/api/upload?wait=5&event=none'])
    const file = (await formOf(request)).get('file')
    if (!(file instanceof File)) throw new Error('no file')
    expect([file.name, await file.text()]).toEqual(['my "best" photo.jpg', 'bytes'])
  })

  test('a stream is sent with its length, and read while it is sent', async () => {
    const { client, requests } = await clientOf(accepted)
    const part = new Uint8Array(1024 * 1024).fill(7)
    const parts = 16
    let read = 0
    const progress: number[] = []
    const stream = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          if (read === parts) return controller.close()
          read += 1
          controller.enqueue(part)
        },
      })
    await client.uploadPhoto(
      { size: parts * part.length, stream },
      { filename: 'a.jpg', onProgress: (sent) => progress.push(sent) },
    )
    const [request] = requests
    if (!request) throw new Error('no request')
    expect(Number(request.headers['content-length'])).toBe(request.body.length)
    expect(progress.at(-1)).toBe(request.body.length)
    expect(progress.length).toBeGreaterThan(parts)
    const file = (await formOf(request)).get('file')
    expect(file instanceof File && file.size).toBe(parts * part.length)
  })

  test('a stream with another length than announced is not accepted', async () => {
    const { url } = await startScriptedServer(accepted)
    const client = createClient({ url, apiKey, attempts: 1 })
    for (const size of [4, 6]) {
      const upload = client.uploadPhoto({ size, stream: () => new Blob(['bytes']).stream() })
      await expect(upload).rejects.toThrow(KeepsnapNetworkError)
    }
  })

  test('a refusal is an error with code, sentence and fields', async () => {
    const { client } = await clientOf(
      refusal(401, 'unauthorized', 'Invalid or missing API key'),
      refusal(422, 'invalid', [{ loc: ['query', 'limit'], msg: 'must be <= 50' }]),
      { status: 413, text: '<html>too large</html>' },
    )
    const errorOf = async (call: Promise<unknown>): Promise<KeepsnapError> => {
      const error = await call.catch((reason: unknown) => reason)
      if (!(error instanceof KeepsnapError)) throw new Error('not a refusal', { cause: error })
      return error
    }
    expect(await errorOf(client.getLatestPhoto())).toMatchObject({
      status: 401,
      code: 'unauthorized',
      message: 'Invalid or missing API key',
      fields: [],
    })
    expect(await errorOf(client.listPhotos({ limit: 51 }))).toMatchObject({
      code: 'invalid',
      message: 'query.limit: must be <= 50',
      fields: [{ loc: ['query', 'limit'], msg: 'must be <= 50' }],
    })
    expect(await errorOf(client.getLatestPhoto())).toMatchObject({ status: 413, code: null })
  })

  test('an upload is repeated with the same idempotency key: after a broken connection, and after Retry-After', async () => {
    const { url, requests } = await startScriptedServer(
      'break',
      refusal(429, 'rate_limited', 'Rate limit exceeded', '1'),
      accepted,
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const retries: [name: string, seconds: number, ended: number][] = []
    const client = createClient({
      url,
      apiKey,
      onRetry: ({ error, seconds }) => {
        // Once the wait has begun: its timer ends in the last millisecond.
        setImmediate(() => {
          vi.advanceTimersByTime(seconds * 1_000 - 1)
          const before = vi.getTimerCount()
          vi.advanceTimersByTime(1)
          retries.push([error.name, Math.floor(seconds), before - vi.getTimerCount()])
        })
      },
    })
    expect(await client.uploadPhoto(new Blob(['bytes']))).toEqual(photo)
    expect(retries).toEqual([
      ['KeepsnapNetworkError', 1, 1],
      ['KeepsnapError', 1, 1],
    ])
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[\da-f]{32}$/)
    expect(new Set(keys).size).toBe(1)
    await client.uploadPhoto(new Blob(['bytes']))
    expect(requests.at(-1)?.headers['idempotency-key']).not.toBe(keys[0])
  })

  test('a Retry-After that is longer than the call may wait fails at once', async () => {
    const { client, requests } = await clientOf(refusal(429, 'processing_limit', 'Tomorrow.', '36000'))
    await expect(client.uploadPhoto(new Blob(['x']))).rejects.toMatchObject({ retryAfter: 36_000 })
    expect(requests).toHaveLength(1)
  })

  test.each<[string, ScriptedAnswer, string]>([
    ['the page of a network that wants a sign-in', { status: 200, text: '<html>' }, 'unreadable'],
    ['a redirect', { status: 302, text: '', headers: { location: 'http://portal.test/' } }, 'unreadable'],
    ['a connection that breaks', 'break', 'unreachable'],
    ['no answer', 'silence', 'timeout'],
  ])('%s is an error without an answer', async (_, answer, reason) => {
    const { url, requests } = await startScriptedServer(answer)
    const client = createClient({ url, apiKey, attempts: 1, timeout: answer === 'silence' ? 1 : 20 })
    const call = client.uploadPhoto(new Blob(['x']))
    await expect(call).rejects.toMatchObject({ name: 'KeepsnapNetworkError', reason })
    expect(requests).toHaveLength(1)
  })

  test('the signal ends a call and a wait with its own reason', async () => {
    const { url } = await startScriptedServer('silence')
    const controller = new AbortController()
    const call = createClient({ url, apiKey }).getLatestPhoto({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')

    const waiting = new AbortController()
    const busy = await startScriptedServer(refusal(503, 'unavailable', 'Busy.', '30'))
    const onRetry = vi.fn<() => void>(() => waiting.abort(new Error('enough')))
    const waitingCall = createClient({ url: busy.url, apiKey, onRetry }).getLatestPhoto({ signal: waiting.signal })
    await expect(waitingCall).rejects.toThrow('enough')
    expect(onRetry).toHaveBeenCalledOnce()
  })
})

describe('retry', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')

  test.each<[string | null, number | null]>([
    ['20', 20],
    [' 0 ', 0],
    ['Mon, 23 Nov 2026 12:00:30 GMT', 30],
    ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
    [null, null],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['9999999999', null],
  ])('Retry-After %j is %j seconds', (value, seconds) => {
    expect(parseRetryAfter(value, now)).toBe(seconds)
  })

  const refused = (status: number, code: string | null, retryAfter: number | null = null): KeepsnapError =>
    new KeepsnapError(status, code && { code, detail: 'Why.' }, retryAfter)

  test.each<[string, unknown, number | null]>([
    ['no connection', new KeepsnapNetworkError('unreachable', 'x'), 4],
    ['a rate limit that says how long', refused(429, 'rate_limited', 17), 17],
    ['an upload that is in progress', refused(409, 'conflict', 2), 2],
    ['a bug', refused(500, 'internal'), 4],
    ['a proxy without a server', refused(502, null), 4],
    ['a wrong key', refused(401, 'unauthorized'), null],
    ['a full plan', refused(403, 'quota_photos'), null],
    ['a file that is too large', refused(413, 'too_large'), null],
    ['an upload whose photo was deleted', refused(409, 'conflict'), null],
    ['a bug of the caller', new TypeError('x'), null],
  ])('after %s, the third attempt is followed by a wait of %j', (_, error, seconds) => {
    expect(retryDelay(error, 3, () => 0)).toBe(seconds)
  })

  test('the delay doubles up to half a minute, with up to a quarter more', () => {
    const error = new KeepsnapNetworkError('unreachable', 'x')
    expect([1, 2, 3, 4, 5, 6, 60].map((attempt) => retryDelay(error, attempt, () => 0))).toEqual([
      1, 2, 4, 8, 16, 30, 30,
    ])
    expect(retryDelay(error, 6, () => 1)).toBe(37.5)
  })

  test('a wait that is longer than a timer can be does not end at once', async () => {
    await expect(wait(999_999_999, AbortSignal.timeout(20))).rejects.toThrow('timeout')
  })
})
