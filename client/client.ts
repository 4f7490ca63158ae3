/** A client of Keepsnap's API. Needs `fetch` and nothing else: Node 20 or later, and browsers. */
import { type Calls, type ErrorCode, errorStatus, operations, type Photo } from './api.ts'

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
  /** The event that the photo belongs to, or `none`. If not given, that of the key, or the current event. */
  event?: string
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
    async uploadPhoto(file, { filename, idempotencyKey, event, wait: seconds, onProgress, signal } = {}) {
      const name = filename ?? ('name' in file && typeof file.name === 'string' ? file.name : 'photo')
      // Browsers send a Blob without reading it into memory, and cannot send streams.
      const form = (): FormBody =>
        file instanceof Blob && !onProgress ? blobForm(file, name) : streamedForm(file, name, onProgress)
      return call('uploadPhoto', {
        form,
        query: { wait: seconds, event },
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

/** What is wrong with one field; `loc` is the path to it, such as `['query', 'limit']`. */
export interface FieldError {
  loc: (string | number)[]
  msg: string
}

/** Keepsnap, or a proxy before it, refused a call. The message is a sentence for people. */
export class KeepsnapError extends Error {
  override readonly name = 'KeepsnapError'
  readonly status: number
  /** Null if the answer is not Keepsnap's, such as that of a proxy. */
  readonly code: ErrorCode | null
  /** What is wrong, field by field, with the code `invalid`; otherwise empty. */
  readonly fields: readonly FieldError[]
  /** Seconds after which the call can succeed; null if the answer does not say. */
  readonly retryAfter: number | null

  constructor(status: number, body: unknown, retryAfter: number | null) {
    const { code, detail } = parseBody(body)
    super(typeof detail === 'string' ? detail : messageOf(status, detail))
    this.status = status
    this.code = code
    this.fields = typeof detail === 'string' ? [] : detail
    this.retryAfter = retryAfter
  }
}

/** Why a call has no answer that can be used. */
export type NoAnswer =
  /** No connection, or it broke. */
  | 'unreachable'
  /** The response is not from Keepsnap: a sign-in page of a network, or another server. */
  | 'unreadable'
  /** No answer in time. */
  | 'timeout'

/** A call has no answer. Whether it had an effect is not known. */
export class KeepsnapNetworkError extends Error {
  override readonly name = 'KeepsnapNetworkError'
  readonly reason: NoAnswer

  constructor(reason: NoAnswer, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(errorStatus, code)

function isFieldError(value: unknown): value is FieldError {
  return typeof value === 'object' && value !== null && 'msg' in value && 'loc' in value && Array.isArray(value.loc)
}

function parseBody(body: unknown): { code: ErrorCode | null; detail: string | FieldError[] } {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('detail' in body))
    return { code: null, detail: [] }
  const { code, detail } = body
  if (!isCode(code)) return { code: null, detail: [] }
  if (typeof detail === 'string') return { code, detail }
  return { code, detail: Array.isArray(detail) ? detail.filter(isFieldError) : [] }
}

const messageOf = (status: number, fields: readonly FieldError[]): string =>
  fields.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ') || `The server answered with status ${status}.`

/** 128 random bits in hexadecimal. `crypto.randomUUID` would be shorter; over plain http, browsers do not have it. */
const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A file whose bytes are read while they are sent. `stream` is called once for each attempt. A `Blob` is one. */
export interface FileSource {
  /** In bytes: as many as `stream` yields. */
  readonly size: number
  stream(): ReadableStream<Uint8Array>
}

/** A request body with its headers. */
interface FormBody {
  body: NonNullable<RequestInit['body']>
  headers: Record<string, string>
}

/**
 * A quoted string of a header. Browsers write a quotation mark as %22, which servers do not decode; some servers take
 * what follows a backslash as the name.
 */
const quoteName = (name: string): string => `"${name.replace(/[\r\n\\]/g, '_').replace(/"/g, '\\"')}"`

async function* formParts(head: Uint8Array, file: FileSource, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  yield head
  const reader = file.stream().getReader()
  let bytes = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes += part.value.byteLength
      yield part.value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
  // With less than the announced size the body would be cut off; with more, the rest would be another request.
  if (bytes !== file.size) throw new Error('The file changed while it was sent.')
  yield tail
}

function toStream(parts: AsyncGenerator<Uint8Array>, onBytes: (bytes: number) => void): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) return controller.close()
        onBytes(value.byteLength)
        controller.enqueue(value)
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * A form with one file, which is read while it is sent: at most a few parts of it are in memory. `onProgress` gets the bytes
 * of the form that were read so far, of how many. The body is a stream, which Node can send and browsers mostly cannot.
 */
function streamedForm(
  file: FileSource,
  filename: string,
  onProgress: (sent: number, total: number) => void = () => {},
): FormBody {
  const boundary = `keepsnap-${randomId()}`
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename=${quoteName(filename)}\r\ncontent-type: application/octet-stream\r\n\r\n`,
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  const total = head.length + file.size + tail.length
  let sent = 0
  return {
    body: toStream(formParts(head, file, tail), (bytes) => onProgress((sent += bytes), total)),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(total) },
  }
}

/** A form with one file, as browsers send it. */
function blobForm(file: Blob, filename: string): FormBody {
  const form = new FormData()
  form.append('file', file, filename)
  return { body: form, headers: {} }
}

const firstDelaySeconds = 1
const maxDelaySeconds = 30
const retryableStatus = new Set([408, 429, 500, 502, 503, 504])

/** The seconds of a Retry-After header: a number or a date; null without a usable one. */
export function parseRetryAfter(value: string | null, now = Date.now()): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = /[A-Za-z]/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

/**
 * How many seconds to wait before a call that failed is sent again; null if sending it again cannot help. `attempt` counts
 * from 1. Retry-After is obeyed; without it the delay doubles from 1 to 30 s, with up to a quarter more at random.
 */
export function retryDelay(error: unknown, attempt: number, random = Math.random): number | null {
  if (error instanceof KeepsnapError && error.retryAfter !== null) return error.retryAfter
  const isTemporary =
    error instanceof KeepsnapNetworkError || (error instanceof KeepsnapError && retryableStatus.has(error.status))
  if (!isTemporary) return null
  return Math.min(maxDelaySeconds, firstDelaySeconds * 2 ** (attempt - 1)) * (1 + random() / 4)
}

/** A timer of JavaScript with a longer time ends at once. 24 days. */
const longestMs = 2 ** 31 - 1

/** Resolves after some seconds, 24 days at most, or rejects with the signal's reason. */
export function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      },
      Math.min(seconds * 1000, longestMs),
    )
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
