import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '@keepsnap/contract/limits.ts'
import { bareHeaders, createBareServer } from '../../test/bare-server.ts'
import { acceptRawBodies, createDiscardThrottle, watchUploadSpeed } from './request-bodies.ts'
import type { HttpRequest } from './http-types.ts'

describe('body parsers', () => {
  const app = createBareServer()
  for (const bodyKind of ['json', 'form', 'file'] as const)
    app.post(`/${bodyKind}`, { config: { bodyKind } }, async ({ body }) => ({ body: body ?? null }))
  acceptRawBodies(app, (scope) => {
    scope.post('/raw', async ({ body }) => ({ bytes: Buffer.isBuffer(body) ? body.toString('hex') : null }))
  })
  afterAll(() => app.close())

  const send = (url: string, type: string, payload: string | Buffer) =>
    app.inject({ method: 'POST', url, headers: { ...bareHeaders, 'content-type': type }, payload })
  const part = (name: string, value: string, more = ''): string =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  const multipart = 'multipart/form-data; boundary=b'

  describe('JSON', () => {
    test('is parsed; an empty body counts as none', async () => {
      expect((await send('/json', 'application/json', '{"a":[1]}')).json()).toEqual({ body: { a: [1] } })
      expect((await send('/json', 'application/json', '')).json()).toEqual({ body: null })
    })
    test('that is broken, or changes prototypes, is refused', async () => {
      for (const text of ['{', '{"__proto__":{}}', '{"constructor":{"prototype":{}}}'])
        expect((await send('/json', 'application/json', text)).statusCode).toBe(400)
    })
    test('is not accepted as a form', async () => {
      expect((await send('/form', 'application/json', '{}')).json()).toEqual({
        code: 'unsupported_type',
        detail: 'Send this as a form.',
      })
    })
  })

  describe('a form', () => {
    test.each([
      ['URL-encoded', 'application/x-www-form-urlencoded', 'note=one%0D%0Atwo&password=one%0D%0Atwo'],
      ['multipart', multipart, `${part('note', 'one\r\ntwo')}${part('password', 'one\r\ntwo')}--b--\r\n`],
    ])(
      'that is %s has the line ends that its fields had in the browser, so that their length is the same, but not its password',
      async (_, type, text) => {
        expect((await send('/form', type, text)).json()).toEqual({ body: { note: 'one\ntwo', password: 'one\r\ntwo' } })
      },
    )
    test.each([
      ['URL-encoded', 'application/x-www-form-urlencoded', 'a=1&b=x%20y&a=2&__proto__=z'],
      [
        'multipart',
        multipart,
        `${part('a', '1')}${part('b', 'x y')}${part('a', '2')}${part('__proto__', 'z')}--b--\r\n`,
      ],
    ])('%s: the first value of each field counts', async (_, type, text) => {
      const { body } = (await send('/form', type, text)).json<{ body: Record<string, string> }>()
      expect(Object.entries(body)).toEqual([
        ['a', '1'],
        ['b', 'x y'],
        ['__proto__', 'z'],
      ])
    })
    test('is not accepted as JSON', async () => {
      for (const [type, text] of [
        ['application/x-www-form-urlencoded', 'a=1'],
        [multipart, `${part('a', '1')}--b--\r\n`],
      ] as const)
        expect((await send('/json', type, text)).json()).toMatchObject({ code: 'unsupported_type' })
    })
    test('over the limit is refused, by its length', async () => {
      const answer = await send('/form', multipart, `${part('a', 'x'.repeat(200_000))}--b--\r\n`)
      expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_large'])
    })
  })

  test('an upload must be multipart, and is not parsed before its handler', async () => {
    expect((await send('/file', 'image/jpeg', 'bytes')).statusCode).toBe(415)
    expect((await send('/file', 'application/json', '{}')).json()).toMatchObject({ code: 'unsupported_type' })
    expect((await send('/file', multipart, `${part('file', 'bytes', '; filename="a.jpg"')}--b--\r\n`)).json()).toEqual({
      body: null,
    })
  })

  test('other types are refused', async () => {
    for (const type of ['text/plain', 'application/xml'])
      expect((await send('/json', type, 'x')).json()).toMatchObject({ code: 'unsupported_type' })
  })

  describe('a raw body', () => {
    test('arrives as it was sent, whatever its type', async () => {
      const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a])
      for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', multipart])
        expect((await send('/raw', type, bytes)).json()).toEqual({ bytes: '7bff000d0a' })
      const untyped = { method: 'POST', url: '/raw', headers: bareHeaders } as const
      expect((await app.inject({ ...untyped, payload: bytes })).json()).toEqual({ bytes: '7bff000d0a' })
      expect((await app.inject(untyped)).json()).toEqual({ bytes: null })
    })
    test('up to the limit is accepted; a larger one is not valid', async () => {
      const most = await send('/raw', 'application/json', Buffer.alloc(limits.webhookBodyBytes))
      expect(most.statusCode).toBe(200)
      const more = await send('/raw', 'application/json', Buffer.alloc(limits.webhookBodyBytes + 1))
      expect([more.statusCode, more.json()]).toEqual([
        400,
        { code: 'bad_request', detail: 'The request body is too large.' },
      ])
    })
    test('is accepted only where it is declared', async () => {
      expect((await send('/json', 'application/octet-stream', 'x')).statusCode).toBe(415)
    })
  })
})

describe('upload speed', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  /** A body that arrives over a connection which has been used before, and how often it was found too slow. */
  function startUpload() {
    const raw = { complete: false, readableLength: 0, socket: { bytesRead: 5_000_000 } }
    const seen = { tooSlow: 0 }
    // Only these members are used.
    const stop = watchUploadSpeed({ raw } as unknown as HttpRequest, () => void seen.tooSlow++)
    onTestFinished(stop)
    const receive = (bytesPerSecond: number, seconds: number): void => {
      for (let second = 0; second < seconds; second++) {
        raw.socket.bytesRead += bytesPerSecond
        vi.advanceTimersByTime(1_000)
      }
    }
    return { raw, seen, stop, receive }
  }

  test('a body below 10 kB/s is too slow, after ten seconds', () => {
    const { seen, receive } = startUpload()
    receive(9_000, 10)
    expect(seen.tooSlow).toBe(0)
    receive(9_000, 2)
    expect(seen.tooSlow).toBe(1)
  })

  test('a body of 10 kB/s or more is not', () => {
    const { seen, receive } = startUpload()
    receive(10_000, 60)
    expect(seen.tooSlow).toBe(0)
  })

  test('a slow start is made up for by what follows within ten seconds', () => {
    const { seen, receive } = startUpload()
    receive(0, 8)
    receive(200_000, 2)
    receive(0, 20)
    expect(seen.tooSlow).toBe(0)
  })

  test('time in which the server does not read does not count', () => {
    const { raw, seen, receive } = startUpload()
    raw.readableLength = 65_536
    receive(0, 60)
    expect(seen.tooSlow).toBe(0)
  })

  test('a complete body, or one that is no longer watched, is never too slow', () => {
    const [complete, stopped] = [startUpload(), startUpload()]
    complete.raw.complete = true
    stopped.stop()
    complete.receive(0, 60)
    expect([complete.seen.tooSlow, stopped.seen.tooSlow]).toEqual([0, 0])
  })

  test('unread bodies are discarded at 16 MB/s in total, after a burst of half a megabyte', () => {
    let nowMs = 1_000
    const discardPauseMs = createDiscardThrottle(() => nowMs)
    expect(discardPauseMs(480_000)).toBe(0)
    expect(discardPauseMs(160_000)).toBe(10)
    expect(discardPauseMs(16_000)).toBe(11)
    nowMs += 11
    expect(discardPauseMs(0)).toBe(0)
    nowMs += 60_000
    expect(discardPauseMs(480_000)).toBe(0)
  })
})
