import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { currentUser, register, signIn, signOut, type User } from '@keepsnap/contract/accounts.ts'
import { photoChanges } from '@keepsnap/contract/photos.ts'
import { siteInfo } from '@keepsnap/contract/site.ts'
import { liveTicket, type ServerMessage, wsPath } from '@keepsnap/contract/live.ts'
import { accessOf, type Endpoint, type Input, type Reply } from '@keepsnap/contract/endpoint.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { planStatusOf, sampleSiteInfo } from './samples.ts'

/** An error response instead of the endpoint's reply. */
export interface ErrorReply {
  refuse: number
  body?: unknown
  /** Sent as it is, instead of `body` as JSON. */
  text?: string
  headers?: Record<string, string>
}
/** No response: the connection is closed. */
export const noResponse = Symbol('no response')
export const refuse = (status: number, detail: unknown, code = 'bad_request'): ErrorReply => ({
  refuse: status,
  body: { code, detail },
})

export type FakeServerCall<S extends Endpoint> = Input<S> & { user: User | null; token: string | null; raw: Buffer }
export type FakeServerHandler<S extends Endpoint> = (call: FakeServerCall<S>) => Outcome<S> | Promise<Outcome<S>>
type Outcome<S extends Endpoint> = Reply<S> | ErrorReply | typeof noResponse
interface Route {
  endpoint: Endpoint
  pattern: RegExp
  handler: FakeServerHandler<Endpoint>
}

/** An HTTP server on loopback that implements the contract in memory. Its only rules are those of sessions. */
export interface FakeServer {
  readonly origin: string
  /** Every request so far, `POST /token`. */
  readonly calls: string[]
  /** Sets the handler of an endpoint, which replaces an earlier one. */
  answer<S extends Endpoint>(endpoint: S, handler: FakeServerHandler<S>): void
  /** Adds a user; the token is valid. */
  addUser(fields?: Partial<User> & { password?: string }): { user: User; token: string }
  /** Sends a message to every open live connection. */
  push(message: ServerMessage): void
  /** Number of open live connections that have said whose they are. */
  connections(): number
  /** Ends live connections; pages open no others, the first of which causes them to fetch their data again. */
  refuseLiveConnections(): void
  /** Makes a token invalid: calls with it are answered 401. */
  revoke(token: string): void
  close(): Promise<void>
}

/** Starts a server before each test of the file. */
export function useFakeServer(prepare?: (server: FakeServer) => void): FakeServer {
  let current: FakeServer
  beforeEach(async () => {
    current = await startFakeServer()
    prepare?.(current)
  })
  afterEach(() => current.close())
  return new Proxy({} as FakeServer, { get: (_, name: keyof FakeServer) => current[name] }) // of the running test
}

async function startFakeServer(): Promise<FakeServer> {
  const routes: Route[] = []
  const accounts = createAccounts()
  const calls: string[] = []
  const answer: FakeServer['answer'] = (endpoint, handler) => {
    const pattern = new RegExp(`^${endpoint.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    routes.unshift({ endpoint, pattern, handler }) // a handler gets only the input of its own endpoint
  }
  accounts.serve(answer)
  answer(subscriptionStatus, ({ user }) => planStatusOf(user?.subscription_tier === 'pro' ? 'pro_monthly' : 'free'))
  answer(photoChanges, () => ({ photos: [], deleted: [], next: '1', reset: false }))
  answer(siteInfo, () => sampleSiteInfo)
  answer(liveTicket, () => ({ ticket: 'ticket' }))

  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    void respond(request, response, routes, accounts.userOf)
  })
  const live = new WebSocketServer({ server, path: wsPath })
  const identified = new WeakSet<WebSocket>()
  live.on('connection', (socket) => socket.once('message', () => identified.add(socket)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // the server listens on TCP
    calls,
    answer,
    addUser: accounts.add,
    push(message) {
      for (const socket of live.clients) socket.send(JSON.stringify(message))
    },
    connections: () => [...live.clients].filter((socket) => identified.has(socket)).length,
    refuseLiveConnections() {
      answer(liveTicket, () => refuse(403, 'No live connections', 'forbidden'))
      for (const socket of live.clients) socket.terminate()
    },
    revoke: accounts.revoke,
    close: () =>
      new Promise((resolve) => {
        for (const socket of live.clients) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Route[],
  userOf: (token: string | null) => User | null,
): Promise<void> {
  const send = (status: number, body?: unknown, { text, headers }: Partial<ErrorReply> = {}): void => {
    response.writeHead(status, { ...cors, 'content-type': 'application/json', ...headers })
    response.end(text ?? (body === undefined ? undefined : JSON.stringify(body)))
  }
  if (request.method === 'OPTIONS') return send(204)
  const url = new URL(request.url ?? '/', 'http://fake')
  const matching = routes.filter(
    ({ endpoint, pattern }) => endpoint.method === request.method && pattern.test(url.pathname),
  )
  // As in the server, a path without parameters comes first.
  const route = matching.find(({ endpoint }) => endpoint.path === url.pathname) ?? matching[0]
  if (!route) return send(404, { code: 'not_found', detail: 'Not found' })
  const { endpoint, pattern, handler } = route
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? null
  const user = userOf(token)
  if (!accessOf(endpoint).includes('public') && !user) {
    return send(401, { code: 'unauthorized', detail: 'Please sign in.' })
  }
  if (accessOf(endpoint).includes('operator') && !user?.is_admin) {
    return send(404, { code: 'not_found', detail: 'Not found' })
  }
  const raw = await bodyOf(request)
  const call = {
    params: { ...pattern.exec(url.pathname)?.groups },
    query: Object.fromEntries(url.searchParams),
    body: parseBody(raw, request.headers['content-type'] ?? ''),
    user,
    token,
    raw,
  }
  const outcome = await handler(call)
  if (outcome === noResponse) request.socket.destroy()
  else if (isRefusal(outcome)) send(outcome.refuse, outcome.body, outcome)
  else send(endpoint.status ?? 200, outcome ?? undefined)
}

/** Tokens of different servers differ: a session that ends late would otherwise end the one of the next test. */
let tokenCount = 0

function createAccounts() {
  const users = new Map<string, { user: User; password: string }>()
  const tokens = new Map<string, string>()
  const userOf = (token: string | null): User | null =>
    (token !== null && users.get(tokens.get(token) ?? '')?.user) || null
  const tokenFor = (email: string): string => {
    const token = `token-${(tokenCount += 1)}-${email}`
    tokens.set(token, email)
    return token
  }
  const add: FakeServer['addUser'] = ({ password = 'Correct1!', ...fields } = {}) => {
    const user = { ...sampleUser, id: `user${users.size + 1}`, ...fields }
    users.set(user.email, { user, password })
    return { user, token: tokenFor(user.email) }
  }
  const grant = (token: string) => ({ access_token: token, token_type: 'bearer' as const })

  function serve(answer: FakeServer['answer']): void {
    answer(signIn, ({ body: { username, password } }) =>
      users.get(username)?.password === password
        ? grant(tokenFor(username))
        : refuse(401, 'Wrong email address or password.', 'unauthorized'),
    )
    answer(register, ({ body: { email, password } }) =>
      users.has(email)
        ? refuse(400, 'This email address is already registered.', 'already_registered')
        : grant(
            add({ email, username: email.split('@')[0] ?? '', password, first_visit: true, email_verified: false })
              .token,
          ),
    )
    answer(currentUser, ({ user }) => user ?? refuse(401, 'Please sign in.', 'unauthorized'))
    answer(signOut, ({ token }) => {
      tokens.delete(token ?? '')
      return null
    })
  }
  return { add, revoke: (token: string) => void tokens.delete(token), userOf, serve }
}

const sampleUser: User = {
  id: 'user0',
  username: 'marjolein',
  email: 'marjolein@example.com',
  email_verified: true,
  subscription_tier: 'free',
  logo_url: null,
  logo_grounds: null,
  background_image_url: null,
  use_logo_as_watermark: false,
  watermark_size: 'medium',
  watermark_corner: 'bottom-right',
  watermark_strength: 'medium',
  ask_email_to_receive_photo: false,
  brand_name: null,
  time_zone: null,
  language: null,
  slow_show_minutes: 0,
  allow_marketing_emails: false,
  allow_promotional_emails: false,
  allow_request_removal_emails: true,
  first_visit: false,
  is_admin: false,
  is_active: true,
  created_at: '2026-05-01T10:00:00.000Z',
  became_subscriber_at: null,
  photo_count: 0,
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': '*',
  'access-control-expose-headers': '*',
}

const isRefusal = (outcome: unknown): outcome is ErrorReply =>
  typeof outcome === 'object' && outcome !== null && 'refuse' in outcome

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer) // a stream without an encoding yields buffers
  return Buffer.concat(parts)
}

function parseBody(raw: Buffer, type: string): unknown {
  if (raw.length === 0) return undefined
  if (type.includes('json')) return JSON.parse(raw.toString())
  if (type.includes('urlencoded')) return Object.fromEntries(new URLSearchParams(raw.toString()))
  return undefined
}
