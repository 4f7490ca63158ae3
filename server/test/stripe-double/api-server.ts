/** The double as an HTTP server: requests as the package `stripe` sends them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { decodeForm, type Form } from './form.ts'
import { routes, unsupportedParameters, type Route, type RouteContext } from './routes.ts'
import { apiVersion, invalidRequest, StripeFault } from './store.ts'

/** A request that arrived. */
export interface ReceivedRequest {
  endpoint: string
  params: Form
  idempotencyKey: string | undefined
  status: number
}

/**
 * What goes wrong with a request: Stripe answers with an error before it does anything, the connection breaks before or after
 * that, or the answer takes long.
 */
export type Failure = 429 | 500 | 503 | 'reset before' | 'reset after' | { delayMs: number }

interface Answer {
  status: number
  body: object
}

export interface ApiState {
  context: RouteContext
  secretKey: string
  /** Endpoints for which a restricted key lacks the permission, such as `POST /v1/refunds`. */
  denied: Set<string>
  requests: ReceivedRequest[]
  /** What our side did wrong: parameters that the double does not know, a wrong version, a key used for two requests. */
  violations: string[]
  /** Decides what goes wrong with the next request. */
  failureOf(endpoint: string): Failure | undefined
}

interface Matched {
  route: Route
  id: string
}

function match(method: string, path: string): Matched | undefined {
  for (const route of routes) {
    const pattern = new RegExp(`^${route.endpoint.replace(/\{\w+\}/, '([^/]+)')}$`)
    const found = pattern.exec(`${method} ${path}`)
    if (found) return { route, id: decodeURIComponent(found[1] ?? '') }
  }
  return undefined
}

function checkParameters(state: ApiState, { route }: Matched, params: Form): void {
  const problems = unsupportedParameters(route, params).map((name) => `The double does not heed ${name}`)
  if (problems[0] === undefined) return
  state.violations.push(...problems.map((problem) => `${route.endpoint}: ${problem}`))
  throw invalidRequest(problems[0], { code: 'parameter_unknown' })
}

function checkHeaders(state: ApiState, { headers }: IncomingMessage): void {
  if (headers.authorization !== `Bearer ${state.secretKey}`)
    throw new StripeFault(401, {
      type: 'invalid_request_error',
      message: 'Invalid API Key provided: sk_test_********uble',
    })
  if (headers['stripe-version'] !== apiVersion) {
    state.violations.push(`Stripe-Version is ${String(headers['stripe-version'])}`)
    throw invalidRequest('Invalid Stripe API version.')
  }
}

/** Answers of earlier requests by their idempotency keys, with what those requests were. */
type Answered = Map<string, { request: string; answer: Answer }>

function execute(state: ApiState, matched: Matched, params: Form): Answer {
  try {
    return { status: 200, body: structuredClone(matched.route.answer(state.context, params, matched.id)) }
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error
    return { status: error.status, body: { error: error.error } }
  }
}

function executeOnce(
  state: ApiState,
  answered: Answered,
  request: { matched: Matched; params: Form; key: string | undefined },
): Answer {
  const { matched, params, key } = request
  if (key === undefined || matched.route.endpoint.startsWith('GET')) return execute(state, matched, params)
  const described = JSON.stringify([matched.route.endpoint, matched.id, params])
  const earlier = answered.get(key)
  if (earlier && earlier.request !== described) {
    state.violations.push(`${matched.route.endpoint}: the idempotency key ${key} was used for another request`)
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    throw new StripeFault(400, { type: 'idempotency_error', message })
  }
  const answer = earlier?.answer ?? execute(state, matched, params)
  answered.set(key, { request: described, answer })
  return answer
}

const faultBodies: Record<number, object> = {
  429: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests hit the API too quickly.' },
  500: { type: 'api_error', message: 'An unknown error occurred.' },
  503: { type: 'api_error', message: 'Stripe is unavailable.' },
}

async function receive(state: ApiState, answered: Answered, req: IncomingMessage): Promise<Answer | 'reset'> {
  const { pathname, search } = new URL(req.url ?? '/', 'http://stripe.test')
  const body = await text(req)
  const matched = match(req.method ?? '', pathname)
  const params = decodeForm(body === '' ? search.slice(1) : body)
  const endpoint = matched?.route.endpoint ?? `${req.method} ${pathname}`
  const header = req.headers['idempotency-key']
  const key = typeof header === 'string' ? header : undefined
  const received: ReceivedRequest = { endpoint, params, idempotencyKey: key, status: 0 }
  state.requests.push(received)
  const failure = state.failureOf(endpoint)
  if (failure === 'reset before') return 'reset'
  if (typeof failure === 'number') return { status: failure, body: { error: faultBodies[failure] } }
  const answer = ((): Answer => {
    try {
      checkHeaders(state, req)
      if (!matched) {
        state.violations.push(`${endpoint}: the double does not know this endpoint`)
        throw new StripeFault(404, { type: 'invalid_request_error', message: 'Unrecognized request URL.' })
      }
      if (state.denied.has(endpoint))
        throw new StripeFault(403, {
          type: 'invalid_request_error',
          message: `The provided key 'rk_test_*********uble' does not have the required permissions for this endpoint.`,
        })
      checkParameters(state, matched, params)
      return executeOnce(state, answered, { matched, params, key })
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error
      return { status: error.status, body: { error: error.error } }
    }
  })()
  received.status = answer.status
  if (failure === 'reset after') return 'reset'
  if (typeof failure === 'object') await new Promise((resolve) => setTimeout(resolve, failure.delayMs))
  return answer
}

/** Creates the server; a bug of the double is answered 500 and recorded. */
export function createApiServer(state: ApiState): Server {
  const answered: Answered = new Map()
  let count = 0
  const respond = (res: ServerResponse, answer: Answer | 'reset'): void => {
    if (answer === 'reset') return void res.socket?.resetAndDestroy()
    count += 1
    res.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': `req_${count}` })
    res.end(JSON.stringify(answer.body))
  }
  return createServer((req, res) => {
    receive(state, answered, req).then(
      (answer) => respond(res, answer),
      (error: unknown) => {
        state.violations.push(`the double failed: ${String(error)}`)
        respond(res, { status: 500, body: { error: { type: 'api_error', message: String(error) } } })
      },
    )
  })
}
