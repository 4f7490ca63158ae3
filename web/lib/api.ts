import { accessOf, type Input, type Reply, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { ApiError, NetworkError, parseResponse } from './api-errors.ts'
import type { Session } from './session.ts'
import type { PostFileOptions } from './post-file.ts'

/** `timeoutMs` bounds the whole call; an aborted call rejects with the signal's own reason. */
interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
}
export interface ReplyWithHeaders<S extends Endpoint> {
  reply: Reply<S>
  headers: Headers
}

/** The only client of the server. Failures are `ApiError` (it refused) or `NetworkError` (no valid response). */
export interface Api {
  /** Where the server is: `https://host:port`, no path. */
  readonly origin: string
  call<S extends Endpoint>(endpoint: S, input: Input<S>, options?: CallOptions): Promise<Reply<S>>
  /** Like `call`, with the headers of the response. */
  send<S extends Endpoint>(endpoint: S, input: Input<S>, options?: CallOptions): Promise<ReplyWithHeaders<S>>
  /** The bytes of a file. */
  bytes<S extends Endpoint & { reply: 'bytes' }>(endpoint: S, input: Input<S>, options?: CallOptions): Promise<Blob>
  /** One file as multipart field `file`, with progress. */
  upload<S extends Endpoint & { upload: 'image' }>(
    endpoint: S,
    file: File,
    options?: PostFileOptions,
  ): Promise<Reply<S>>
}

/** In a separate chunk, because only signed-in users upload. session-services.ts preloads it. */
export const loadUploadModule = () => import('./post-file.ts')

const callTimeoutMs = 15_000
const downloadTimeoutMs = 120_000

/** Translates a sentence of the server; null where there is no translation. Rejects when translations cannot be loaded. */
export type TranslateSentence = (sentence: string) => Promise<string | null>

/**
 * A client with the token of the session. Any 401 to a request with a token ends that session in all tabs. Requests to
 * public endpoints have no token, so a wrong password at /token ends nothing; nor does a late response to a token that
 * has been replaced since. `translate` is left out in English.
 */
export function createApi(origin: string, session: Session, translate?: TranslateSentence): Api {
  const tokenFor = (endpoint: Endpoint): string | null =>
    accessOf(endpoint).some((kind) => kind === 'user' || kind === 'operator') ? session.state().token : null
  const endRefusedSession = (status: number, token: string | null): void => {
    if (status === 401 && token !== null && session.state().token === token) session.end('expired')
  }
  /** `read` consumes the response body, within the same timeout. */
  async function request<T>(
    endpoint: Endpoint,
    input: RequestParts,
    { signal, timeoutMs = callTimeoutMs }: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const token = tokenFor(endpoint)
    const callLimit = limitedSignal(signal, timeoutMs)
    try {
      const requestInit = { ...requestFor(endpoint, input, token), signal: callLimit.signal }
      const response = await fetch(origin + endpointPath(endpoint, input), requestInit)
      endRefusedSession(response.status, token)
      return await read(response)
    } catch (error) {
      if (callLimit.timedOut()) throw new NetworkError('timeout', error)
      signal?.throwIfAborted()
      if (error instanceof ApiError) throw await translated(error, translate)
      throw error instanceof NetworkError ? error : new NetworkError('unreachable', error)
    } finally {
      callLimit.release()
    }
  }
  const send: Api['send'] = (endpoint, input, options = {}) =>
    request(endpoint, input as RequestParts, options, async (response) => {
      const body = await bodyOf(response)
      return { reply: body as Reply<typeof endpoint>, headers: response.headers } // the server serialises by the contract
    })
  return {
    origin,
    send,
    bytes: (endpoint, input, options = { timeoutMs: downloadTimeoutMs }) =>
      request(endpoint, input as RequestParts, options, async (response) => {
        if (!response.ok) await bodyOf(response) // throws the server's refusal
        return response.blob()
      }),
    call: async (endpoint, input, options) => (await send(endpoint, input, options)).reply,
    async upload(endpoint, file, options = {}) {
      const { postFile } = await loadUploadModule()
      const token = tokenFor(endpoint)
      const url = origin + endpointPath(endpoint, { query: { ...options.order, event: options.event } })
      const { status, text, retryAfter } = await postFile(url, file, { ...options, token })
      endRefusedSession(status, token)
      try {
        return parseResponse(status, text, retryAfter) as Reply<typeof endpoint> // as above
      } catch (error) {
        throw error instanceof ApiError ? await translated(error, translate) : error
      }
    },
  }
}

/** The error with its sentence in the user's language. Without a translation, the page shows a message of its own. */
async function translated(error: ApiError, translate: TranslateSentence | undefined): Promise<ApiError> {
  const { sentence } = error
  if (!translate || sentence === null) return error
  try {
    error.translation = await translate(sentence)
  } catch {
    error.translation = null
  }
  return error
}

const bodyOf = async (response: Response): Promise<unknown> =>
  parseResponse(response.status, await response.text(), response.headers.get('retry-after'))

type RequestParts = Partial<Record<'params' | 'query' | 'body', Record<string, unknown>>>

/** Path and query of a request: parameters filled in and escaped, absent values left out. */
export function endpointPath(endpoint: Endpoint, { params = {}, query = {} }: RequestParts): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const givenParameters = Object.entries(query).filter(([, value]) => value !== undefined)
  const queryString = new URLSearchParams(givenParameters.map(([name, value]) => [name, String(value)])).toString()
  return queryString ? `${path}?${queryString}` : path
}

function requestFor(endpoint: Endpoint, { body }: RequestParts, token: string | null): RequestInit {
  // The server answers GET /photos with a page if the client prefers HTML.
  const headers: Record<string, string> = { accept: endpoint.reply === 'bytes' ? '*/*' : 'application/json' }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  const request: RequestInit = {
    method: endpoint.method,
    headers,
    credentials: endpoint.deviceCookie || endpoint.helperCookie || endpoint.clearsCache ? 'same-origin' : 'omit',
  }
  if (body === undefined) return request
  if (endpoint.form === true) return { ...request, body: new URLSearchParams(body as Record<string, string>) } // forms contain text only
  headers['content-type'] = 'application/json'
  return { ...request, body: JSON.stringify(body) }
}

/** Combines AbortSignal.any and AbortSignal.timeout, for browsers that lack them. */
function limitedSignal(outerSignal: AbortSignal | undefined, timeoutMs: number) {
  const controller = new AbortController()
  let timedOut = false
  const abort = (): void => controller.abort(outerSignal?.reason)
  const timeoutTimer = setTimeout(() => {
    timedOut = true
    controller.abort()
  }, timeoutMs)
  if (outerSignal?.aborted) abort()
  outerSignal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    release() {
      clearTimeout(timeoutTimer)
      outerSignal?.removeEventListener('abort', abort)
    },
  }
}
