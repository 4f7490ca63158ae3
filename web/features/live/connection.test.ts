import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeCodes, type ServerMessage } from '@keepsnap/contract/live.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { createLiveConnection, type LiveConnection } from './connection.ts'

/** A WebSocket whose server side the test plays. */
class TestSocket extends EventTarget {
  readyState = 0
  readonly sent: unknown[] = []
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.closeWith(1006)
  }
  open() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  receive(message: unknown) {
    this.dispatchEvent(
      new MessageEvent('message', { data: typeof message === 'string' ? message : JSON.stringify(message) }),
    )
  }
  closeWith(code: number) {
    if (this.readyState === 3) return
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}

let sockets: TestSocket[]
let live: LiveConnection
let ticket: () => string
const checkUser = vi.fn<() => Promise<unknown>>()
const received: ServerMessage[] = []

beforeEach(() => {
  vi.useFakeTimers()
  sockets = []
  received.length = 0
  checkUser.mockReset().mockRejectedValue(new NetworkError('unreachable'))
  ticket = () => 'ticket-1'
  live = createLiveConnection({
    // One call is made: the one for a ticket.
    api: { origin: 'http://booth.local:3000', call: async () => ({ ticket: ticket() }) } as unknown as Api,
    page: window,
    checkUser,
    openSocket: (url) => {
      const socket = new TestSocket(url)
      sockets.push(socket)
      return socket as unknown as WebSocket // the parts that the connection uses
    },
  })
  live.onMessage((message) => received.push(message))
})
afterEach(() => live.stop())

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)
function newest(): TestSocket {
  const socket = sockets.at(-1)
  if (!socket) throw new Error('no socket was opened')
  return socket
}
async function connect() {
  live.start('user-1')
  await advance(0)
  newest().open()
}

test('asks for a ticket, opens /ws with it and identifies the user', async () => {
  live.start('user-1')
  expect(live.status()).toBe('connecting')
  await advance(0)
  expect(newest().url).toBe('ws://booth.local:3000/ws?token=ticket-1')
  newest().open()
  expect(newest().sent).toEqual([{ action: 'identify', user_id: 'user-1' }])
  expect(live.status()).toBe('connected')
  live.start('user-1')
  await advance(60_000)
  expect(sockets).toHaveLength(1)
})

test('passes on complete messages, which may be named by their type, and answers a ping of the server', async () => {
  await connect()
  const photo = { id: 'p1' }
  const messages = [
    { action: 'photo_update', photo },
    { action: 'photo_request', request: { id: 'r1' } },
    { action: 'photo_reported', photo_id: 'p1' },
    { action: 'photo_deleted', type: 'photo_deleted', id: 'p1' },
    { action: 'photos_changed', change: 'delete', ids: ['p1'], photo_count: 4 },
    { action: 'photo_hold', hold: { photo_id: 'p1', remaining_ms: 5 } },
    { action: 'photo_hold', hold: null },
    { action: 'user_update' },
    { action: 'plan_updated', type: 'plan_updated' },
    { action: 'api_keys_changed' },
  ]
  for (const message of [...messages, { action: 'pong' }]) newest().receive(message)
  newest().receive({ type: 'photo_added', photo })
  newest().receive({ type: 'photo_deleted', id: 'p2' })
  newest().receive({ action: 'ping' })
  const named = [
    { action: 'new_photo', type: 'photo_added', photo },
    { action: 'photo_deleted', type: 'photo_deleted', id: 'p2' },
  ]
  expect(received).toEqual([...messages, ...named])
  expect(newest().sent.at(-1)).toEqual({ action: 'pong' })
})

test('ignores messages that are unknown or incomplete', async () => {
  await connect()
  for (const message of [
    '{',
    '[]',
    'null',
    { action: 'dance' },
    { type: 'dance' },
    { action: 'new_photo' },
    { action: 'new_photo', photo: null },
    { action: 'photo_deleted' },
    { action: 'photos_changed', ids: [] },
    { action: 'photo_hold', hold: 'p1' },
    { action: 'photo_request', request: 'r1' },
    { action: 'photo_reported', photo_id: 1 },
  ])
    newest().receive(message)
  expect(received).toEqual([])
})

test('pings after a minute without messages and replaces a socket that does not answer', async () => {
  await connect()
  await advance(60_000)
  expect(newest().sent.at(-1)).toEqual({ action: 'ping' })
  await advance(30_000)
  expect(live.status()).toBe('reconnecting')
  await advance(1_000)
  expect(sockets).toHaveLength(2)
})

test('gives up after five attempts, and reconnects when a poll succeeds', async () => {
  await connect()
  await advance(20_000)
  ticket = () => {
    throw new NetworkError('unreachable')
  }
  newest().closeWith(1006)
  await advance(34_000)
  expect(live.status()).toBe('failed')
  await advance(600_000)
  expect(live.status()).toBe('failed')
  ticket = () => 'ticket-2'
  live.pollSucceeded()
  await advance(0)
  newest().open()
  expect(live.status()).toBe('connected')
})

test.each([
  ['the page becomes visible', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['the network returns', () => window.dispatchEvent(new Event('online'))],
])('reconnects at once when %s', async (_, dispatch) => {
  await connect()
  newest().closeWith(closeCodes.restart)
  dispatch()
  await advance(0)
  expect(sockets).toHaveLength(2)
})

test('notices a socket that closed without an event', async () => {
  await connect()
  newest().readyState = 3
  await advance(10_000)
  expect(live.status()).toBe('reconnecting')
})

test('ends a handshake that takes longer than twenty seconds', async () => {
  live.start('user-1')
  await advance(20_000)
  expect(live.status()).toBe('reconnecting')
})

test('checks who is signed in when the session was revoked', async () => {
  await connect()
  newest().closeWith(closeCodes.revoked)
  expect(live.status()).toBe('disconnected')
  expect(checkUser).toHaveBeenCalledTimes(1)
  await advance(10_000)
  expect(checkUser, 'the answer may have been lost').toHaveBeenCalledTimes(2)
  await advance(120_000)
  expect([checkUser.mock.calls.length, sockets.length]).toEqual([6, 1])
})

test('opens no socket when the server refuses a ticket', async () => {
  ticket = () => {
    throw new ApiError(403, null)
  }
  live.start('user-1')
  await advance(120_000)
  expect([live.status(), sockets]).toEqual(['error', []])
})

test('closes the socket of the previous user when another user signs in', async () => {
  await connect()
  live.start('user-2')
  await advance(0)
  newest().open()
  expect(sockets[0]?.readyState).toBe(3)
  expect(newest().sent).toEqual([{ action: 'identify', user_id: 'user-2' }])
  sockets[0]?.receive({ action: 'photo_update', photo: { id: 'of user 1' } })
  expect(received).toEqual([])
})

test('opens no socket when it is stopped while a ticket is requested', async () => {
  live.start('user-1')
  live.stop()
  await advance(120_000)
  expect([live.status(), sockets]).toEqual(['disconnected', []])
})

test('sends a test message only while it is connected', async () => {
  expect(live.sendTest()).toBe(false)
  await connect()
  expect(live.sendTest()).toBe(true)
  expect(newest().sent.at(-1)).toEqual({ action: 'test' })
})
