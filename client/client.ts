/** A client of Keepsnap's API. Needs `fetch` and nothing else: Node 20 or later, and browsers. */
import { operations, type Calls, type Photo } from './api.ts'
import { KeepsnapError, KeepsnapNetworkError } from './errors.ts'
import { blobForm, streamedForm, type FileSource, type FormBody } from './multipart.ts'
import { randomId } from './random-id.ts'
import { parseRetryAfter, retryDelay, wait } from './retry.ts'

/** A call that is sent again. */
export interface Retry {
  error: KeepsnapError | KeepsnapNetworkError
  /** The attempt that failed, from 1. */
  attempt: number
  /** Until the next attempt. */
  seconds: number
}

export interface ClientOptions {
  /** Where Keepsnap is, such as `https://photos.example.com`. */
  url: string
  apiKey: string
  /** How often a call is sent at most; 4 if not given. Every call of this client is idempotent. */
  attempts?: number
  /**
   * How long one call waits in all between its attempts, in seconds; 60 if not given. A call whose Retry-After is longer
   * than what is left fails at once.
   */
  maxWait?: number
  /** Seconds after which an attempt is given up; 30 if not given, and for uploads 60 and a second for every 32 KiB more. */
  timeout?: number
  /** Told before each wait. */
  onRetry?: (retry: Retry) => void
  /** Another `fetch`. */
  fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface UploadOptions extends CallOptions {
  /** The name that the photo keeps; if not given, that of a `File`. */
  filename?: string
  /**
   * Uploads with the same key within 24 hours are one photo: the answer is the photo of the first, and another file is refused
   * with `invalid`. At most 128 characters. If not given, each call has a new one, so that its attempts upload nothing twice.
   */
  idempotencyKey?: string
  /** Seconds to wait for the end of processing before the answer, at most 30. */
  wait?: number
  /** Gets the bytes that were read so far, of how many. In Node; with it, the body is streamed. */
  onProgress?: (sent: number, total: number) => void
}

/** The calls of a customer's key. They reject with `KeepsnapError` or `KeepsnapNetworkError`, or with the signal's reason. */
export interface Client {
  /** Uploads one photo: a `Blob` or `File` in browsers and in Node, or, in Node, anything that streams. */
  uploadPhoto(file: Blob | FileSource, options?: UploadOptions): Promise<Calls['uploadPhoto']['reply']>
  /** One page of photos, newest first; at most 50. */
  listPhotos(query?: Calls['listPhotos']['query'], options?: CallOptions): Promise<Calls['listPhotos']['reply']>
  /** All photos, newest first: each once, also while photos are added and deleted. Asks for 50 at a time. */
  allPhotos(options?: CallOptions): AsyncGenerator<Photo, void>
  getLatestPhoto(options?: CallOptions): Promise<Calls['getLatestPhoto']['reply']>
  /** The account that the key belongs to. */
  getUser(options?: CallOptions): Promise<Calls['getUser']['reply']>
  getHealth(options?: CallOptions): Promise<Calls['getHealth']['reply']>
}

/** The calls of an admin key. */
export interface AdminClient {
  listUsers(query?: Calls['listUsers']['query'], options?: CallOptions): Promise<Calls['listUsers']['reply']>
  getStats(options?: CallOptions): Promise<Calls['getStats']['reply']>
  getUserDetail(userId: string, options?: CallOptions): Promise<Calls['getUserDetail']['reply']>
}

interface Input extends CallOptions {
  params?: Record<string, string>
  query?: Record<string, number | string | undefined>
  /** Made anew for each attempt. */
  form?: () => FormBody
  headers?: Record<string, string>
  timeout?: number
}

type Call = <Name extends keyof Calls>(name: Name, input: Input) => Promise<Calls[Name]['reply']>

const defaults = { attempts: 4, maxWait: 60, timeout: 30 }
/** Seconds after which an attempt to upload so many bytes is given up, if no other timeout is given. */
export const uploadTimeout = (bytes: number, waited = 0): number => 60 + bytes / (32 * 1024) + waited

/** The calls of a customer's key, `ksnap_...`. */
export function createClient(options: ClientOptions): Client {
  const call = createCall(options)
  return {
    async uploadPhoto(file, { filename, idempotencyKey, wait: seconds, onProgress, signal } = {}) {
      const name = filename ?? ('name' in file && typeof file.name === 'string' ? file.name : 'photo')
      // Browsers send a Blob without reading it into memory, and cannot send streams.
      const form = (): FormBody =>
        file instanceof Blob && !onProgress ? blobForm(file, name) : streamedForm(file, name, onProgress)
      return call('uploadPhoto', {
        form,
        query: { wait: seconds },
        headers: { 'idempotency-key': idempotencyKey ?? randomId() },
        timeout: options.timeout ?? uploadTimeout(file.size, seconds ?? 0),
        ...(signal && { signal }),
      })
    },
    listPhotos: (query = {}, more = {}) => call('listPhotos', { query: { ...query }, ...more }),
    async *allPhotos(more = {}) {
      let before: string | undefined
      do {
        const { photos, limit } = await call('listPhotos', { query: { before }, ...more })
        yield* photos
        before = photos.length < limit ? undefined : photos.at(-1)?.id
      } while (before !== undefined)
    },
    getLatestPhoto: (more = {}) => call('getLatestPhoto', more),
    getUser: (more = {}) => call('getUser', more),
    getHealth: (more = {}) => call('getHealth', more),
  }
}

/** The calls of an admin key, `ksadm_...`. */
export function createAdminClient(options: ClientOptions): AdminClient {
  const call = createCall(options)
  return {
    listUsers: (query = {}, more = {}) => call('listUsers', { query: { ...query }, ...more }),
    getStats: (more = {}) => call('getStats', more),
    getUserDetail: (userId, more = {}) => call('getUserDetail', { params: { user_id: userId }, ...more }),
  }
}

/** The page that the QR code of a photo leads to: where a guest gets it. */
export const photoLink = ({ qr_code_url: url }: Pick<Calls['uploadPhoto']['reply'], 'qr_code_url'>): string =>
  url.replace('/qr/d/', '/d/')

function createCall(options: ClientOptions): Call {
  const { attempts = defaults.attempts, maxWait = defaults.maxWait, onRetry } = options
  return async (name, input) => {
    let waited = 0
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(options, name, input)
      } catch (error) {
        if (!(error instanceof KeepsnapError || error instanceof KeepsnapNetworkError)) throw error
        const seconds = retryDelay(error, attempt)
        if (seconds === null || attempt >= attempts || waited + seconds > maxWait) throw error
        waited += seconds
        onRetry?.({ error, attempt, seconds })
        await wait(seconds, input.signal)
      }
    }
  }
}

function urlOf(base: string, path: string, { params = {}, query = {} }: Input): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `${base.replace(/(?<!\/)\/+$/, '')}${filled}${search.size ? `?${search}` : ''}`
}

/** Sends a call once. */
async function send<Name extends keyof Calls>(
  { url, apiKey, timeout = defaults.timeout, fetch = globalThis.fetch }: ClientOptions,
  name: Name,
  input: Input,
): Promise<Calls[Name]['reply']> {
  const { method, path, key } = operations[name]
  const form = input.form?.()
  const timer = AbortSignal.timeout(Math.ceil((input.timeout ?? timeout) * 1000))
  const request: RequestInit & { duplex?: 'half' } = {
    method,
    headers: {
      accept: 'application/json',
      ...(key !== 'none' && { 'api-key': apiKey }),
      ...input.headers,
      ...form?.headers,
    },
    signal: input.signal ? AbortSignal.any([input.signal, timer]) : timer,
    // A redirect would send the key, and an upload as a GET.
    redirect: 'manual',
    ...(form && { body: form.body, duplex: 'half' }),
  }
  try {
    const response = await fetch(urlOf(url, path, input), request)
    return await readReply(response)
  } catch (error) {
    if (error instanceof KeepsnapError || error instanceof KeepsnapNetworkError || !(error instanceof Error))
      throw error
    input.signal?.throwIfAborted()
    if (timer.aborted) throw new KeepsnapNetworkError('timeout', 'The server did not answer in time.', error)
    throw new KeepsnapNetworkError('unreachable', `The server cannot be reached${codeOf(error)}.`, error)
  }
}

/** The code that a runtime gives the reason, such as ENOTFOUND for a name that does not exist; in brackets. */
function codeOf({ cause }: { cause?: unknown }): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : ''
}

async function readReply<Reply>(response: Response): Promise<Reply> {
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  if (response.ok && typeof body === 'object' && body !== null) return body as Reply // the contract's answer to this call
  if (response.ok || response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    throw new KeepsnapNetworkError('unreadable', 'The response is not from Keepsnap: check the URL and the network.')
  throw new KeepsnapError(response.status, body, parseRetryAfter(response.headers.get('retry-after')))
}
