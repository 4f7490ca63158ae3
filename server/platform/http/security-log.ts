import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { signIn } from '@keepsnap/contract/accounts.ts'
import { isEmail, normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import { emailChars } from '@keepsnap/contract/limits.ts'
import type { Fault } from '../../faults.ts'
import { shortHmac } from '../../lib/cryptography.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'
import { RateLimitExceeded } from './rate-limits.ts'
import { clientKey, networkOf } from './client-address.ts'

/** The fields of lines of the security log. */
export const securityFields = {
  level: 'Always 30.',
  time: 'Milliseconds since 1970.',
  reqId: 'The id of the request, which its response has as `X-Request-Id`.',
  msg: '`security: ` and the event.',
  event: 'Which event it is.',
  address: 'A keyed hash of the IPv4 address or IPv6 /64 network of the client; with `LOG_ADDRESSES=1` its address.',
  network: 'The same of its /24 (IPv4) or /48 (IPv6).',
  email: 'A keyed hash of the email address that was entered; with `LOG_ADDRESSES=1` the address.',
  account: 'The id of the account; null if nobody is signed in.',
  key: 'The id of the key.',
  route: 'Method and path of the call, without values.',
  code: 'The error code.',
  limit: 'The rate, or method and path of a call with a limit of its own.',
  status: 'The HTTP status of the answer.',
} as const

/** The events of the security log, and the fields of each besides those of every line. */
export const securityEvents = {
  sign_in: { meaning: 'Somebody signed in.', fields: ['address', 'email'] },
  sign_in_failed: { meaning: 'A sign-in was refused.', fields: ['address', 'email', 'code'] },
  password_reset: {
    meaning: 'A password was set with the link of an email.',
    fields: ['address', 'account'],
  },
  key_new_network: {
    meaning: 'An API key or admin key was used from a network that is not among the last 50 it was used from.',
    fields: ['address', 'network', 'account', 'key'],
  },
  authorization_refused: {
    meaning:
      'A call was answered 401 or 403, or asked for what only operators may. Once a minute for a client and a call.',
    fields: ['address', 'account', 'route', 'code'],
  },
  limit_hit: {
    meaning: 'A call was answered 429. Once a minute for a client and a limit.',
    fields: ['address', 'account', 'limit'],
  },
  operator_act: {
    meaning: 'An operator changed something on /admin, or tried to; the audit log has more, and what commands did.',
    fields: ['address', 'account', 'route', 'status'],
  },
} as const satisfies Record<string, { meaning: string; fields: readonly (keyof typeof securityFields)[] }>

export type SecurityEventName = keyof typeof securityEvents
type FieldOf<Event extends SecurityEventName> = (typeof securityEvents)[Event]['fields'][number]

/** The request that an event belongs to. */
interface Source {
  id: string
  ip: string
}
/** What the caller says; `address` and `network` are computed, `email` is hashed. */
type Details<Event extends SecurityEventName> = Record<
  Exclude<FieldOf<Event>, 'address' | 'network'>,
  string | number | null
>

/** Writes lines about security. They contain no secrets, and addresses only where the settings say so; see docs/reference.md. */
export interface SecurityLog {
  record<Event extends SecurityEventName>(event: Event, source: Source, details: Details<Event>): void
  /** The same at most once a minute for a client and `subject`; an IPv6 client is its /48 here. */
  recordOnce<Event extends SecurityEventName>(
    event: Event,
    source: Source,
    details: Details<Event>,
    subject: string,
  ): void
  /** What a network is stored under; the same on every node. */
  networkHash(address: string): Buffer
}

/** How many clients and subjects are remembered. */
const onceLimits = { max: 10_000, ttl: 60_000 }
const networkHashBytes = 12

/** `key` hashes addresses; `showAddresses` writes them as they are. */
export function createSecurityLog(
  log: Pick<Logger, 'info'>,
  { key, showAddresses }: { key: Buffer; showAddresses: boolean },
): SecurityLog {
  const written = new LRUCache<string, true>(onceLimits)
  const hidden = (plain: string, hashed = plain): string => (showAddresses ? plain : shortHmac(key, hashed))
  const computed: Partial<Record<string, (ip: string) => string>> = {
    address: (ip) => hidden(ip, clientKey(ip)),
    network: (ip) => hidden(networkOf(ip)),
  }
  // What is no address may be a password in the wrong field.
  const emailOf = (typed: string): string => {
    const email = normalizeEmail(typed.slice(0, emailChars))
    return isEmail(email) ? hidden(email) : shortHmac(key, email)
  }
  const record: SecurityLog['record'] = (event, { id, ip }, details) => {
    const given: Partial<Record<string, string | number | null>> = details
    const fields = securityEvents[event].fields.map((name): [string, unknown] => {
      const value = given[name] ?? null
      return [name, computed[name]?.(ip) ?? (name === 'email' ? emailOf(String(value)) : value)]
    })
    log.info({ reqId: id, event, ...Object.fromEntries(fields) }, `security: ${event}`)
  }
  return {
    record,
    recordOnce(event, source, details, subject) {
      const once = JSON.stringify([
        event,
        subject,
        source.ip.includes('.') ? clientKey(source.ip) : networkOf(source.ip),
      ])
      if (written.has(once)) return
      written.set(once, true)
      record(event, source, details)
    },
    networkHash: (address) =>
      Buffer.from(shortHmac(key, networkOf(address)), 'base64url').subarray(0, networkHashBytes),
  }
}

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`
/** The calls of operators, and whether they change something. */
const operatorCalls = new Map(
  endpoints.flatMap((one) =>
    accessOf(one).includes('operator') ? [[nameOf(one), one.method !== 'GET'] as const] : [],
  ),
)
const callOf = ({ method, routeOptions: { url = '' } }: HttpRequest): string => nameOf({ method, path: url })
const accountOf = ({ actor }: HttpRequest): string | null => (actor && 'userId' in actor ? actor.userId : null)

/** Records that a call was refused because of who made it, or because of a limit. Sign-ins are recorded by their handler. */
export function recordRefusal(log: SecurityLog, req: HttpRequest, fault: Fault): void {
  const call = callOf(req)
  const account = accountOf(req)
  if (fault.code === 'rate_limited') {
    const limit = fault instanceof RateLimitExceeded ? fault.count.rate : call
    return log.recordOnce('limit_hit', req, { account, limit }, limit)
  }
  const isHiddenFromOthers = fault.code === 'not_found' && !req.actor && operatorCalls.has(call)
  const isRefused = fault.code === 'unauthorized' || fault.code === 'forbidden' || isHiddenFromOthers
  if (isRefused && call !== nameOf(signIn))
    log.recordOnce('authorization_refused', req, { account, route: call, code: fault.code }, call)
}

/** Records each change that an operator made or tried to make. */
export function recordOperatorActs(app: HttpServer, log: SecurityLog): void {
  app.addHook('onResponse', async (req, reply) => {
    const route = callOf(req)
    if (req.actor && operatorCalls.get(route))
      log.record('operator_act', req, { account: accountOf(req), route, status: reply.statusCode })
  })
}
