import { networkInterfaces } from 'node:os'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, isIPv6, type LookupFunction, type TcpNetConnectOpts } from 'node:net'
import { type ClientRequest, type IncomingMessage, request as requestByHttp, type RequestOptions } from 'node:http'
import { request as requestByHttps } from 'node:https'
import ipaddr from 'ipaddr.js'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import { createEncryption, deriveKeys, type Encryption, type SecretKeys } from '../lib/cryptography.ts'

/** The result of one attempt to send a webhook. */
export interface DeliveryAttempt extends PostResult {
  durationMs: number
}

/** A request to a receiver, always a POST. */
interface WebhookRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Sends requests to URLs that customers chose. */
export interface WebhookSender {
  /** Why a URL is refused, as a sentence; undefined when requests may go there now. */
  problemOf(url: string): Promise<string | undefined>
  /**
   * Makes one attempt, 10 seconds at most. The host is resolved and its addresses are checked anew; the connection goes to
   * a checked address. Redirects are not followed. Never rejects.
   */
  send(request: WebhookRequest): Promise<DeliveryAttempt>
}

/** Where a sender may send. */
interface WebhookSenderOptions {
  /** Hosts that may also be reached by http and in private networks; see `WebhookSettings`. */
  allowedHosts: readonly string[]
  /** Another resolver for all hosts, for tests. */
  resolveHost?: ResolveHost
  /** Another time for an attempt, for tests. */
  timeoutMs?: number
}

/** A URL with the addresses that its host has now, all of which may be reached. */
interface Destination {
  url: URL
  addresses: string[]
}

/** What is wrong with a URL itself; undefined if nothing is. */
function problemOfUrl(text: string, allowedHosts: ReadonlySet<string>): string | undefined {
  if (!URL.canParse(text)) return 'Enter a whole URL, such as https://example.com/keepsnap.'
  const url = new URL(text)
  const isAllowedHost = allowedHosts.has(hostOf(url.hostname))
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowedHost))
    return 'The URL must start with https://.'
  if (url.username || url.password) return 'The URL must not contain a user name or a password.'
  return undefined
}

async function findDestination(
  text: string,
  { allowedHosts, resolveHost }: { allowedHosts: ReadonlySet<string>; resolveHost: ResolveHost | undefined },
): Promise<Destination | string> {
  const urlProblem = problemOfUrl(text, allowedHosts)
  if (urlProblem !== undefined) return urlProblem
  const url = new URL(text)
  const host = hostOf(url.hostname)
  const isAllowedHost = allowedHosts.has(host)
  const resolve = resolveHost ?? (isAllowedHost ? resolveLocalName : resolvePublicName)
  const addresses = await resolve(host).catch(() => undefined)
  if (addresses === undefined) return `The address of ${host} could not be looked up. Please try again later.`
  if (addresses.length === 0 && isAllowedHost) return `${host} could not be found. Please check the URL.`
  // One such address is enough: a name that also leads into a private network is not a receiver on the internet. A name that
  // does not exist has the same sentence, so that nobody learns which names a private network has.
  const isOnInternet = (address: string): boolean => isPublicAddress(address) && !isOwnAddress(address)
  if (!isAllowedHost && (addresses.length === 0 || !addresses.every(isOnInternet)))
    return `${host} is not on the internet. Check the name, and use a server that can be reached from everywhere.`
  return { url, addresses }
}

/** The result of a promise, or `undefined` after a time. */
async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Creates the sender. It keeps no connections. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const lookUp = { allowedHosts: new Set(options.allowedHosts), resolveHost: options.resolveHost }
  const { timeoutMs = webhookLimits.timeoutMs } = options
  return {
    async problemOf(url) {
      const destination = await withTimeout(findDestination(url, lookUp), timeoutMs)
      if (destination === undefined) return 'The URL could not be checked in time. Please try again later.'
      return typeof destination === 'string' ? destination : undefined
    },
    async send({ url, headers, body }) {
      const startedAt = performance.now()
      const elapsedMs = (): number => Math.round(performance.now() - startedAt)
      const failed = (error: string): DeliveryAttempt => ({
        status: null,
        response: null,
        error,
        durationMs: elapsedMs(),
      })
      const destination = await withTimeout(findDestination(url, lookUp), timeoutMs)
      if (destination === undefined) return failed(noAnswerInTime)
      if (typeof destination === 'string') return failed(destination)
      const answer = await postTo({ ...destination, headers, body, timeoutMs: timeoutMs - elapsedMs() })
      return { ...answer, durationMs: elapsedMs() }
    },
  }
}

/** The only addresses of IPv6 that are on the internet. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** An address of IPv4 that looks public, but answers virtual machines of Azure with their settings. */
const azureMetadata = '168.63.129.16'

/**
 * Whether an address is one on the internet. Refused are addresses of private networks, of this machine, of links, of
 * carrier-grade NAT, of metadata services, for documentation and multicast, and those of IPv6 that contain an address of
 * IPv4 (mapped, NAT64, 6to4, Teredo), because they lead to that.
 */
function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || text === azureMetadata) return false
  return address instanceof ipaddr.IPv4 || address.match(globalIPv6)
}

/** Two ways of writing an address become one. */
const normalized = (text: string): string => ipaddr.parse(text).toNormalizedString()

/** Whether an address is one of this machine: a firewall may trust what the machine sends to itself. */
function isOwnAddress(text: string): boolean {
  const address = normalized(text)
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => ipaddr.isValid(own.address) && normalized(own.address) === address)
}

/** Finds the addresses of a host name; none when it has none. Rejects when that cannot be found out now. */
export type ResolveHost = (host: string) => Promise<string[]>

const timeoutMs = 2_000
const tries = 2
/** More are left out: each is checked and may be tried. */
const maxAddresses = 16

const isAbsent = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && (reason.code === 'ENOTFOUND' || reason.code === 'ENODATA')

/**
 * Queries this machine's name servers only, not other sources such as /etc/hosts. Unlike `dns.lookup`, it uses no
 * thread of the thread pool, so slow name servers of strangers do not delay file access.
 */
const resolvePublicName: ResolveHost = async (host) => {
  if (isIP(host)) return [host]
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failed = answers.find((answer) => answer.status === 'rejected' && !isAbsent(answer.reason))
  if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason
  return addresses.slice(0, maxAddresses)
}

/** Asks the operating system, which also knows the names of the local network. For hosts that the operator has named. */
const resolveLocalName: ResolveHost = async (host) => {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address).slice(0, maxAddresses)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/** What a receiver answered. */
interface PostResult {
  /** Null without an answer. */
  status: number | null
  /** The beginning of the answer's body; null without an answer. */
  response: string | null
  /** Why there was no answer, or not all of it, as a sentence; null if nothing went wrong. */
  error: string | null
}

/** A request, and where it may go: to one of the addresses, whatever the host's name leads to meanwhile. */
interface Post extends Destination, Omit<WebhookRequest, 'url'> {
  /** From the connection to the end of the answer. */
  timeoutMs: number
}

const seconds = webhookLimits.timeoutMs / 1000
/** Why there was no answer. */
const noAnswerInTime = `There was no answer within ${seconds} seconds.`
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
function postTo({ url, addresses, headers, body, timeoutMs }: Post): Promise<PostResult> {
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

/** The settings of outgoing webhooks. */
export interface WebhookSettings {
  /** Hosts that webhooks may reach without https and in private networks, in lower case. */
  webhookAllowedHosts: string[]
}

/** A host as URLs write it, without brackets and without a dot at the end; undefined when the text is not a host alone. */
function normalizeHost(text: string): string | undefined {
  if (isIPv6(text)) return hostOf(new URL(`http://[${text}]`).hostname)
  const url = `http://${text}`
  return /^[\p{L}\d._-]+$/u.test(text) && URL.canParse(url) ? hostOf(new URL(url).hostname) : undefined
}

/** A host of a URL, without brackets and without a dot at the end. */
const hostOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Reads `WEBHOOK_ALLOWED_HOSTS`. */
export function readWebhookSettings(readList: (name: string) => string[], problems: string[]): WebhookSettings {
  return {
    webhookAllowedHosts: readList('WEBHOOK_ALLOWED_HOSTS').flatMap((text) => {
      const host = normalizeHost(text)
      if (host === undefined)
        problems.push(
          `WEBHOOK_ALLOWED_HOSTS has "${text}"; give host names or IP addresses such as booth.lan or 192.168.1.20, without http:// and without a port.`,
        )
      return host ?? []
    }),
  }
}

/** What outgoing webhooks need. */
export interface OutgoingWebhooks {
  sender: WebhookSender
  /** Encrypts their signing secrets; the context is the webhook's id. */
  secrets: Encryption
  /** Whether some of them may be encrypted with a former secret key. */
  isKeyReplaced: boolean
  /** Attempts that go on after their jobs; awaited before the program ends. */
  unfinished: Set<Promise<void>>
}

/** Creates what outgoing webhooks need from the settings. */
export const openWebhooks = (
  config: WebhookSettings,
  secretKeys: SecretKeys,
  resolveHost: ResolveHost | undefined,
): OutgoingWebhooks => ({
  sender: createWebhookSender({ allowedHosts: config.webhookAllowedHosts, ...(resolveHost && { resolveHost }) }),
  secrets: createEncryption(deriveKeys(secretKeys, 'keepsnap webhook secrets')),
  isKeyReplaced: secretKeys.accepted.length > 0,
  unfinished: new Set(),
})
