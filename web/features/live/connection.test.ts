import { closeCodes, type ServerMessage } from '@keepsnap/contract/live.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, NetworkFailure } from '../../lib/answers.ts'
import { createLive, type Live } from './connection.ts'

/** The other end of the wire, played by the test. */
class Wire extends EventTarget {
  readyState = 0
  readonly sent: unknown[] = []
  readonly address: string

  constructor(address: string) {
    super()
    this.address = address
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.end(1006)
  }
  open() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  say(message: unknown) {
    this.dispatchEvent(
      new MessageEvent('message', { data: typeof message === 'string' ? message : JSON.stringify(message) }),
    )
  }
  end(code: number) {
    if (this.readyState === 3) return
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}

let wires: Wire[]
let live: Live
let ticket: () => string
const checkUser = vi.fn<() => void>()
const heard: ServerMessage[] = []

beforeEach(() => {
  vi.useFakeTimers()
  wires = []
  heard.length = 0
  checkUser.mockClear()
  ticket = () => 'ticket-1'
  live = createLive({
    // One call is made: the one for a ticket.
    api: { origin: 'http://booth.local:3000', call: (async () => ({ ticket: ticket() })) as never },
    page: window,
    checkUser,
    openSocket: (address) => {
      const wire = new Wire(address)
      wires.push(wire)
      return wire as unknown as WebSocket // the parts that the connection uses
    },
  })
  live.onMessage((message) => heard.push(message))
})
afterEach(() => {
  live.stop()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const newest = () => wires.at(-1)!
async function connect() {
  live.start('user-1')
  await pass(0)
  newest().open()
}

describe('the live connection', () => {
  test('asks for a ticket, opens /ws with it and says who it is', async () => {
    live.start('user-1')
    expect(live.status()).toBe('connecting')
    await pass(0)
    expect(newest().address).toBe('ws://booth.local:3000/ws?token=ticket-1')
    newest().open()
    expect(newest().sent).toEqual([{ action: 'identify', user_id: 'user-1' }])
    expect(live.status()).toBe('connected')
  })

  test('is one, however often it is started', async () => {
    await connect()
    live.start('user-1')
    await pass(60_000)
    expect(wires).toHaveLength(1)
  })

  test('tells what the server says, whichever key names it, and nothing else', async () => {
    await connect()
    const photo = { id: 'p1' }
    newest().say({ action: 'photo_update', photo })
    newest().say({ type: 'photo_added', photo })
    for (const odd of ['{', '[]', 'null', { action: 'new_photo' }, { action: 'dance' }, { action: 'photo_deleted' }]) {
      newest().say(odd)
    }
    for (const odd of [
      { action: 'photo_request' },
      { action: 'photo_request', request: 'r1' },
      { action: 'photo_reported' },
    ]) {
      newest().say(odd)
    }
    newest().say({ action: 'pong' })
    const request = { id: 'r1' }
    const news = [
      { action: 'photo_request', request },
      { action: 'photo_reported', photo_id: 'p1' },
      { action: 'user_update' },
    ]
    for (const one of news) newest().say(one)
    expect(heard).toEqual([
      { action: 'photo_update', photo },
      { action: 'new_photo', type: 'photo_added', photo },
      ...news,
    ])
  })

  test('answers the ping of the server', async () => {
    await connect()
    newest().say({ action: 'ping' })
    expect(newest().sent.at(-1)).toEqual({ action: 'pong' })
  })

  test('pings after a minute of silence and replaces a socket that stays silent', async () => {
    await connect()
    await pass(60_000)
    expect(newest().sent.at(-1)).toEqual({ action: 'ping' })
    await pass(30_000)
    expect(live.status()).toBe('reconnecting')
    await pass(1_000)
    expect(wires).toHaveLength(2)
  })

  test('keeps a socket that answers', async () => {
    await connect()
    await pass(60_000)
    newest().say({ action: 'pong' })
    await pass(30_000)
    expect(live.status()).toBe('connected')
  })

  test('comes back a second after it was cut', async () => {
    await connect()
    await pass(20_000)
    newest().end(1006)
    expect(live.status()).toBe('reconnecting')
    await pass(999)
    expect(wires).toHaveLength(1)
    await pass(1)
    newest().open()
    expect(live.status()).toBe('connected')
  })

  test('gives up after five attempts, and comes back when a poll succeeds', async () => {
    await connect()
    await pass(20_000)
    ticket = () => {
      throw new NetworkFailure('unreachable')
    }
    newest().end(1006)
    await pass(34_000)
    expect(live.status()).toBe('failed')
    await pass(600_000)
    expect(live.status()).toBe('failed')
    ticket = () => 'ticket-2'
    live.pollSucceeded()
    await pass(0)
    newest().open()
    expect(live.status()).toBe('connected')
  })

  test.each([
    ['the page is looked at', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['the network returns', () => window.dispatchEvent(new Event('online'))],
  ])('comes back when %s', async (_, sign) => {
    await connect()
    newest().end(closeCodes.restart)
    sign()
    await pass(0)
    expect(wires).toHaveLength(2)
  })

  test('finds a socket that died without a word', async () => {
    await connect()
    newest().readyState = 3
    await pass(10_000)
    expect(live.status()).toBe('reconnecting')
  })

  test('does not wait for ever for a handshake', async () => {
    live.start('user-1')
    await pass(20_000)
    expect(live.status()).toBe('reconnecting')
  })

  test('asks who is signed in when the session was revoked', async () => {
    await connect()
    newest().end(closeCodes.revoked)
    expect(live.status()).toBe('disconnected')
    expect(checkUser).toHaveBeenCalledTimes(1)
    await pass(120_000)
    expect(wires).toHaveLength(1)
  })

  test('stays down when the server refuses a ticket', async () => {
    ticket = () => {
      throw new ApiError(403, null)
    }
    live.start('user-1')
    await pass(120_000)
    expect([live.status(), wires]).toEqual(['error', []])
  })

  test('belongs to one person at a time', async () => {
    await connect()
    live.start('user-2')
    await pass(0)
    newest().open()
    expect(wires[0]?.readyState).toBe(3)
    expect(newest().sent).toEqual([{ action: 'identify', user_id: 'user-2' }])
    wires[0]?.say({ action: 'photo_update', photo: { id: 'of user 1' } })
    expect(heard).toEqual([])
  })

  test('ends when it is stopped, also on the way', async () => {
    live.start('user-1')
    live.stop()
    await pass(120_000)
    expect([live.status(), wires]).toEqual(['disconnected', []])
  })

  test('sends a test for an admin, when it can', async () => {
    expect(live.sendTest()).toBe(false)
    await connect()
    expect(live.sendTest()).toBe(true)
    expect(newest().sent.at(-1)).toEqual({ action: 'test' })
  })
})
