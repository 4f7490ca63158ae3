import { accessOf, type Input, type Reply, type Shape } from '@keepsnap/contract/endpoint.ts'
import { ApiError, NetworkFailure, readAnswer } from './answers.ts'
import type { Session } from './session.ts'
import type { UploadOptions } from './upload.ts'

/** `timeoutMs` bounds the whole call; an aborted call rejects with the signal's own reason. */
export interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
}
export interface Answer<S extends Shape> {
  reply: Reply<S>
  headers: Headers
}

/** The only way to the server. Failures are `ApiError` (it refused) or `NetworkFailure` (it did not answer). */
export interface Api {
  /** Where the server is: `https://host:port`, no path. */
  readonly origin: string
  call<S extends Shape>(endpoint: S, input: Input<S>, options?: CallOptions): Promise<Reply<S>>
  /** Like `call`, with the headers of the answer. */
  send<S extends Shape>(endpoint: S, input: Input<S>, options?: CallOptions): Promise<Answer<S>>
  /** Bytes to save as a file. */
  bytes<S extends Shape & { reply: 'bytes' }>(endpoint: S, input: Input<S>, options?: CallOptions): Promise<Blob>
  /** One file as multipart field `file`, with progress. */
  upload<S extends Shape & { upload: 'image' }>(endpoint: S, file: File, options?: UploadOptions): Promise<Reply<S>>
}

/** Not part of the first script: strangers send no files. room.ts has it loaded for everybody else. */
export const loadUpload = () => import('./upload.ts')

const patienceMs = 15_000
/** For whole files. */
const longMs = 120_000

const bodyOf = async (response: Response): Promise<unknown> =>
  readAnswer(response.status, await response.text(), response.headers.get('retry-after'))

/**
 * A 401 to a call that carried the session's token ends that session, everywhere. Public calls carry none, so a wrong
 * password at /token ends nothing; nor does a late answer to a token that has been replaced since.
 */
export function createApi(origin: string, session: Session): Api {
  const refused = (status: number, token: string | null): void => {
    if (status === 401 && token !== null && session.state().token === token) session.end('expired')
  }
  const tokenFor = (endpoint: Shape): string | null =>
    accessOf(endpoint).includes('user') ? session.state().token : null

  /** One call; `read` takes what is wanted from the answer, within the same time. */
  async function exchange<S extends Shape, T>(
    { endpoint, input, options }: { endpoint: S; input: Input<S>; options: CallOptions },
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const token = tokenFor(endpoint)
    const parts = input as Parts // Input<S> is made of these
    const request = requestFor(endpoint, parts, token)
    const limit = limitedSignal(options.signal, options.timeoutMs ?? patienceMs)
    try {
      const response = await fetch(origin + addressOf(endpoint, parts), { ...request, signal: limit.signal })
      refused(response.status, token)
      return await read(response)
    } catch (error) {
      if (limit.timedOut()) throw new NetworkFailure('timeout', error)
      options.signal?.throwIfAborted()
      if (error instanceof ApiError || error instanceof NetworkFailure) throw error
      throw new NetworkFailure('unreachable', error)
    } finally {
      limit.done()
    }
  }

  const send = <S extends Shape>(endpoint: S, input: Input<S>, options: CallOptions = {}): Promise<Answer<S>> =>
    exchange({ endpoint, input, options }, async (response) => {
      const body = await bodyOf(response)
      return { reply: body as Reply<S>, headers: response.headers } // the contract is what the server serialises by
    })

  return {
    origin,
    send,
    bytes: (endpoint, input, options = { timeoutMs: longMs }) =>
      exchange({ endpoint, input, options }, async (response) => {
        if (!response.ok) await bodyOf(response) // throws what the server said
        return response.blob()
      }),
    call: async (endpoint, input, options) => (await send(endpoint, input, options)).reply,
    async upload(endpoint, file, options = {}) {
      const { sendFile } = await loadUpload()
      const token = tokenFor(endpoint)
      const { status, text, retryAfter } = await sendFile(origin + endpoint.path, file, { ...options, token })
      refused(status, token)
      return readAnswer(status, text, retryAfter) as never // Reply of the endpoint, as above
    },
  }
}

type Parts = Partial<Record<'params' | 'query' | 'body', Record<string, unknown>>>

/** Path and query of a call: `:name` filled in and escaped, absent values left out. */
export function addressOf(endpoint: Shape, { params = {}, query = {} }: Parts): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${path}?${search}` : path
}

function requestFor(endpoint: Shape, { body }: Parts, token: string | null): RequestInit {
  // The server answers GET /photos with a page to whoever prefers HTML.
  const headers: Record<string, string> = { accept: endpoint.reply === 'bytes' ? '*/*' : 'application/json' }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  const request: RequestInit = { method: endpoint.method, headers, credentials: 'omit' }
  if (body === undefined) return request
  if (endpoint.form) return { ...request, body: new URLSearchParams(body as Record<string, string>) } // forms hold text
  headers['content-type'] = 'application/json'
  return { ...request, body: JSON.stringify(body) }
}

/** AbortSignal.any and .timeout in one, for browsers that lack them. */
function limitedSignal(outer: AbortSignal | undefined, ms: number) {
  const controller = new AbortController()
  let late = false
  const stop = (): void => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    late = true
    controller.abort()
  }, ms)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop)
  return {
    signal: controller.signal,
    timedOut: () => late,
    done() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}
