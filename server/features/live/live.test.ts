import { connect } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { serverForThisTest, startServerBehindProxy, useServer } from '../../test/harness.ts'
import { actionsReceivedBy, connectLive } from '../../test/live-client.ts'
import { countLockWaits } from '../../test/cloned-database.ts'
import { makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { publish } from '../../platform/live/bus.ts'

let address: string
const photo = await jpeg({ width: 1200, height: 800 })
const server = useServer()
beforeAll(async () => {
  address = await server.listen()
})

const is = (action: ServerMessage['action']) => (message: ServerMessage) => message.action === action
const complete = (message: ServerMessage): boolean =>
  message.action === 'photo_update' && message.photo.processing_complete
const ticket = async (user: TestUser): Promise<string> =>
  (await server.request({ method: 'POST', url: '/ws/ticket', token: user.token })).json<{ ticket: string }>().ticket

describe('opening a live connection', () => {
  test('is possible with a session token or a ticket, and the latest photo is sent at once', async () => {
    const user = await makeUser(server)
    const id = (await upload(server, user, photo)).json<{ id: string }>().id
    for (const pass of [user.token, await ticket(user)]) {
      const live = await connectLive(address, pass)
      expect(await live.next(is('identified'))).toEqual({ action: 'identified' })
      expect(await live.next(is('latest_photo'))).toMatchObject({ photo: { id, processing: true } })
      live.socket.close()
    }
  })

  test('a ticket is valid once, for thirty seconds', async () => {
    const user = await makeUser(server)
    const once = await ticket(user)
    ;(await connectLive(address, once)).socket.close()
    await expect(connectLive(address, once)).rejects.toThrow('401')
    const late = await ticket(user)
    await server.app.deps.pool.query("update ws_tickets set expires_at = now() - interval '1 second'")
    await expect(connectLive(address, late)).rejects.toThrow('401')
  })

  test('a ticket is invalid once its session has ended', async () => {
    const user = await makeUser(server)
    const pass = await ticket(user)
    await server.request({ method: 'POST', url: '/logout', token: user.token })
    await expect(connectLive(address, pass)).rejects.toThrow('401')
  })

  test('is refused with another token, and for another Host or Origin, at the handshake', async () => {
    for (const token of ['', 'nonsense', 'x'.repeat(5000)])
      await expect(connectLive(address, token)).rejects.toThrow('401')
    const { token } = await makeUser(server)
    await expect(connectLive(address, token, { host: 'evil.example' })).rejects.toThrow('421')
    for (const origin of [
      'https://evil.example',
      'null',
      'http://photos.test.evil.example',
      'https://photos.test',
      'http://photos.test:81',
    ])
      await expect(connectLive(address, token, { origin })).rejects.toThrow('403')
    const live = await connectLive(address, token, { origin: 'http://photos.test' })
    expect(await live.next(is('identified'))).toEqual({ action: 'identified' })
    live.socket.close()
  })
})

describe('messages', () => {
  test('announce an upload, then its thumbnail, then the full image, and later its deletion', async () => {
    const user = await makeUser(server)
    const live = await connectLive(address, user.token)
    const { id } = (await upload(server, user, photo)).json<{ id: string }>()
    expect(await live.next(is('new_photo'))).toMatchObject({
      type: 'photo_added',
      photo: { id, processing: true, thumbnail_url: null, b2_url: null },
    })
    await server.work()
    await live.next(complete)
    const updates = live.received.filter(({ action }) => action === 'photo_update')
    expect(updates[0]).toMatchObject({ photo: { id, thumbnail_url: expect.any(String) } })
    expect(updates.at(-1)).toMatchObject({ photo: { id, processing_complete: true, b2_url: expect.any(String) } })
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    expect(await live.next(is('photo_deleted'))).toEqual({ action: 'photo_deleted', type: 'photo_deleted', id })
    live.socket.close()
  })

  test('reach only the authenticated user, whatever user_id the client sends', async () => {
    const [anna, bert] = [await makeUser(server), await makeUser(server)]
    const live = await connectLive(address, anna.token)
    live.socket.send(JSON.stringify({ action: 'identify', user_id: bert.id }))
    expect(await live.next(is('error'))).toMatchObject({ code: 'forbidden' })
    await upload(server, bert, photo)
    const own = (await upload(server, anna, photo)).json<{ id: string }>().id
    expect(await live.next(is('new_photo'))).toMatchObject({ photo: { id: own } })
    expect(live.received.filter(({ action }) => action === 'new_photo')).toHaveLength(1)
    live.socket.close()
  })

  test('identify, ping and pong are answered; others are answered with an error', async () => {
    const user = await makeUser(server)
    await upload(server, user, photo)
    const live = await connectLive(address, user.token)
    await live.next(is('latest_photo'))
    live.received.length = 0
    live.socket.send(JSON.stringify({ action: 'identify', user_id: user.id }))
    await live.next(is('identified'))
    await live.next(is('latest_photo'))
    live.socket.send('{"action":"pong"}')
    live.socket.send('{"action":"ping"}')
    await live.next(is('pong'))
    for (const invalid of ['not json', '[]', 'null', '{"action":"drop table"}', '{}']) live.socket.send(invalid)
    await expect.poll(() => live.received.filter(({ action }) => action === 'error')).toHaveLength(5)
    live.socket.close()
  })

  test('a test, which only an admin can send, reaches all sockets of that user', async () => {
    const user = await makeUser(server)
    const [first, second] = [await connectLive(address, user.token), await connectLive(address, user.token)]
    first.socket.send('{"action":"test"}')
    expect(await first.next(is('error'))).toMatchObject({ code: 'forbidden' })
    await changeAccount(server.db, user.email, { is_admin: true })
    first.socket.send('{"action":"test"}')
    await Promise.all([first.next(is('test')), second.next(is('test'))])
    first.socket.close()
    second.socket.close()
  })

  test('a change of plan or keys reaches the sockets of that user only; a change of rights does not announce a plan', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const [live, stranger] = [await connectLive(address, user.token), await connectLive(address, other.token)]
    await changeAccount(server.db, user.email, { granted_plan: 'pro_monthly', granted_until: null })
    await changeAccount(server.db, user.email, { is_admin: true })
    await changeAccount(server.db, user.email, { granted_plan: null, granted_until: null })
    // The pages that are open fetch everything again: one message for one change.
    expect(await actionsReceivedBy(live, server, user)).toEqual([
      'identified',
      'plan_updated',
      'user_update',
      'plan_updated',
    ])
    expect(live.received.find(is('plan_updated'))).toEqual({ action: 'plan_updated', type: 'plan_updated' })
    expect(live.received.find(is('user_update'))).toEqual({ action: 'user_update' })
    expect(live.received.find(is('api_keys_changed'))).toEqual({ action: 'api_keys_changed' })
    stranger.socket.send('{"action":"ping"}')
    await stranger.next(is('pong'))
    expect(stranger.received.map(({ action }) => action)).toEqual(['identified', 'pong'])
    for (const { socket } of [live, stranger]) socket.close()
  })
})

describe('a page is told to fetch everything again', () => {
  test('when events may have been missed while the database connection of the bus was lost', async () => {
    const { server: remote, proxy } = await startServerBehindProxy()
    onTestFinished(remote.close)
    const user = await makeUser(remote)
    const live = await connectLive(await remote.listen(), user.token)
    await live.next(is('identified'))
    await proxy.dropConnectionsDuring(async () => expect(live.received.filter(is('plan_updated'))).toEqual([]))
    expect(await live.next(is('plan_updated'))).toEqual({ action: 'plan_updated', type: 'plan_updated' })
    expect(live.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('when the content of an event cannot be read from the database, and nobody else is', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const [live, stranger] = [await connectLive(address, user.token), await connectLive(address, other.token)]
    const { pool } = server.app.deps
    await pool.query('alter table photo_holds rename to photo_holds_unreadable')
    onTestFinished(
      async () => void (await pool.query('alter table if exists photo_holds_unreadable rename to photo_holds')),
    )
    await publish(server.db, { kind: 'hold', user: user.id })
    expect(await live.next(is('plan_updated'))).toEqual({ action: 'plan_updated', type: 'plan_updated' })
    expect(await actionsReceivedBy(stranger, server, other)).toEqual(['identified'])
    for (const { socket } of [live, stranger]) socket.close()
  })
})

test('in a shutdown, open sockets are closed with 1012, and new ones are refused with 503, also while their session is looked up', async () => {
  const stopping = await serverForThisTest()
  const [user, url] = [await makeUser(stopping), await stopping.listen()]
  const live = await connectLive(url, user.token)
  const { pool } = stopping.app.deps
  const lock = await pool.connect()
  await lock.query('begin; lock table ws_tickets in access exclusive mode')
  const opening = connectLive(url, user.token).catch((error: unknown) => error)
  await expect.poll(() => countLockWaits(pool)).toBe(1)
  await stopping.app.shutdownSteps.find(({ name }) => name === 'WebSockets')?.close()
  await lock.query('commit')
  lock.release()
  expect(await opening).toEqual(new Error('503'))
  expect((await live.closed).code).toBe(1012)
  await expect(connectLive(url, user.token)).rejects.toThrow('503')
})

describe('a live connection is closed', () => {
  test('with 4401 when its session ends, and when the account is deactivated', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const [live, deactivated] = [await connectLive(address, user.token), await connectLive(address, other.token)]
    await server.request({ method: 'POST', url: '/logout', token: user.token })
    expect((await live.closed).code).toBe(4401)
    await changeAccount(server.db, other.email, { is_active: false })
    expect((await deactivated.closed).code).toBe(4401)
  })

  test('with 4408 when it is the most idle one and the user opens a 51st', async () => {
    const user = await makeUser(server)
    const first = await connectLive(address, user.token)
    const others = await Promise.all(Array.from({ length: 49 }, () => connectLive(address, user.token)))
    for (const { socket, next } of others) {
      socket.send('{"action":"ping"}')
      await next(is('pong'))
    }
    const last = await connectLive(address, user.token)
    expect((await first.closed).code).toBe(4408)
    for (const { socket } of [...others, last]) socket.close()
  })

  test('with 1009 after a message over 64 KiB', async () => {
    const user = await makeUser(server)
    const live = await connectLive(address, user.token)
    live.socket.send('x'.repeat(1024 * 1024))
    expect((await live.closed).code).toBe(1009)
  })

  test('after ten thousand one-byte fragments', async () => {
    const user = await makeUser(server)
    const live = await connectLive(address, user.token)
    for (let n = 0; n < 10_000 && live.socket.readyState === WebSocket.OPEN; n++) live.socket.send('x', { fin: false })
    expect((await live.closed).code).not.toBe(1000)
  })

  test('with 1013 after more than a hundred messages in a minute', async () => {
    const user = await makeUser(server)
    const live = await connectLive(address, user.token)
    for (let n = 0; n < 110; n++) live.socket.send('{"action":"pong"}')
    expect((await live.closed).code).toBe(1013)
  })

  test('when the client does not read its messages', async () => {
    const user = await makeUser(server)
    const { hostname, port } = new URL(address)
    const raw = connect(Number(port), hostname)
    raw.write(
      `GET /ws?token=${user.token} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    )
    await new Promise((resolve) => raw.once('data', resolve))
    raw.pause()
    const closed = new Promise((resolve) => raw.once('close', resolve))
    raw.on('error', () => {})
    // Far more bytes than the buffers hold.
    for (let n = 0; n < 40; n++) {
      await server.app.deps.pool.query(
        "select pg_notify('keepsnap', json_build_object('kind','photo','what','deleted','user',$1::text,'photo',repeat('x', 7500) || n)::text) from generate_series(1, 100) as n",
        [user.id],
      )
    }
    raw.resume()
    await expect(closed).resolves.toBeDefined()
  })
})
