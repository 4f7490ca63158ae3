import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { signIn } from '@keepsnap/contract/accounts.ts'
import type { Fault } from '../faults.ts'
import type { SecurityLog } from './security-log.ts'
import type { HttpRequest, HttpServer } from './http-types.ts'
import { RateLimitExceeded } from './rate-limits.ts'

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
