import { request as requestByHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net'
import { webhookLimits } from '@keepsnap/contract/limits.ts'

/** What a receiver answered. */
export interface PostResult {
  /** Null without an answer. */
  status: number | null
  /** The beginning of the answer's body; null without an answer. */
  response: string | null
  /** Why there was no answer, or not all of it, as a sentence; null if nothing went wrong. */
  error: string | null
}

/** A request, and where it may go. */
export interface Post {
  url: URL
  /** The connection goes to one of these, whatever the host's name leads to meanwhile. */
  addresses: readonly string[]
  headers: Readonly<Record<string, string>>
  body: string
  /** From the connection to the end of the answer. */
  timeoutMs: number
}

const seconds = webhookLimits.timeoutMs / 1000
/** Why there was no answer. */
export const noAnswerInTime = `There was no answer within ${seconds} seconds.`
const noEndInTime = `The answer did not end within ${seconds} seconds.`

const maxHeaderBytes = 16 * 1024
/** How long one address is tried before the next. */
const addressTimeoutMs = 2_000
const maxErrorCodeChars = 60

/** Answers with the checked addresses instead of resolving the host again. */
const lookUpIn =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (!first) callback(new Error('the host has no address'), '', 0)
    else if (all) callback(null, found)
    else callback(null, first.address, first.family)
  }

/** Codes of Node and OpenSSL; those that start with `ERR_TLS_`, `CERT_`, `UNABLE_` and the like are about certificates. */
const isCertificateError = (code: string): boolean =>
  /^(ERR_TLS_|CERT_|UNABLE_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/.test(code)

function sentenceOf(error: unknown, host: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code).slice(0, maxErrorCodeChars) : 'unknown'
  if (code === 'ECONNREFUSED') return `${host} refused the connection.`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `${host} closed the connection.`
  if (code === 'ETIMEDOUT') return `${host} did not answer.`
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return `${host} cannot be reached.`
  if (isCertificateError(code)) return `The certificate of ${host} is not valid (${code}).`
  return `The connection to ${host} failed (${code}).`
}

/** PostgreSQL stores no NUL in texts. */
const textOf = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks).subarray(0, webhookLimits.responseBytes).toString('utf8').replaceAll('\0', '')

/**
 * Reads the beginning of an answer; calls `onEnd` once that is enough or has ended. Returns what there is when the rest
 * does not come, with the reason.
 */
function readAnswer(
  incoming: IncomingMessage,
  onEnd: (answer: PostResult) => void,
): (error: string | null) => PostResult {
  const chunks: Buffer[] = []
  let bytes = 0
  const answerSoFar = (error: string | null): PostResult => ({
    status: incoming.statusCode ?? null,
    response: textOf(chunks),
    error,
  })
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= webhookLimits.responseBytes) onEnd(answerSoFar(null))
  })
  incoming.on('end', () => onEnd(answerSoFar(null)))
  // The request fails too.
  incoming.on('error', () => {})
  return answerSoFar
}

/** Options of the connection that `RequestOptions` lacks. */
type FamilyOptions = Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>

const openRequest = (url: URL, options: RequestOptions & FamilyOptions): ClientRequest =>
  url.protocol === 'https:' ? requestByHttps(url, options) : requestByHttp(url, options)

/**
 * Sends a POST over a new connection and reads at most 1 KB of the answer. Redirects are answers like others. Never
 * rejects, and settles in time whatever the receiver does.
 */
export function postTo({ url, addresses, headers, body, timeoutMs }: Post): Promise<PostResult> {
  const { promise, resolve } = Promise.withResolvers<PostResult>()
  let answerSoFar = (error: string | null): PostResult => ({ status: null, response: null, error })
  let lateError = noAnswerInTime
  const request = openRequest(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // A new connection, which ignores proxies set in the environment.
    agent: false,
    lookup: lookUpIn(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
  })
  const timer = setTimeout(() => finish(answerSoFar(lateError)), timeoutMs)
  const finish = (answer: PostResult): void => {
    clearTimeout(timer)
    resolve(answer)
    request.destroy()
  }
  request.on('response', (incoming) => {
    lateError = noEndInTime
    answerSoFar = readAnswer(incoming, finish)
  })
  request.on('error', (error) => finish(answerSoFar(sentenceOf(error, url.host))))
  // After an upgrade that nobody asked for, there is neither an answer nor an error.
  request.on('close', () => finish(answerSoFar(`${url.host} closed the connection.`)))
  request.end(body)
  return promise
}
