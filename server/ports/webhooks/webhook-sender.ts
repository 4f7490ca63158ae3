import { webhookLimits } from '@keepsnap/contract/limits.ts'
import { isOwnAddress, isPublicAddress } from './public-address.ts'
import { resolveLocalName, resolvePublicName, type ResolveHost } from './resolve-host.ts'
import { noAnswerInTime, postTo, type PostResult } from './post.ts'
import { hostOf } from './webhook-settings.ts'

/** The result of one attempt to send a webhook. */
export interface DeliveryAttempt extends PostResult {
  durationMs: number
}

/** A request to a receiver, always a POST. */
export interface WebhookRequest {
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
export interface WebhookSenderOptions {
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
