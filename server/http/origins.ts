import { networkInterfaces } from 'node:os'

export interface Origins {
  /** Whether a Host header is one of ours. */
  isHost(host: string | undefined): boolean
  /** Whether an Origin header is one that may use the app. */
  isOrigin(origin: string): boolean
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
const refreshMs = 10_000

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address)),
  )
}

/**
 * The hosts and origins of product.md section 3: PUBLIC_URL's, loopback names, this machine's own addresses at its
 * port, and ALLOWED_ORIGINS. `port` is asked late because port 0 is known only after listening.
 */
export function createOrigins(publicUrl: string, allowed: readonly string[], port: () => number): Origins {
  const named = new Set([publicUrl, ...allowed].map((origin) => new URL(origin).origin))
  const hosts = new Set([...named].map((origin) => new URL(origin).host))
  let own = new Set<string>()
  let readAt = 0
  const isOwn = (host: string): boolean => {
    if (own.has(host)) return true
    if (Date.now() - readAt < refreshMs) return false
    readAt = Date.now()
    const suffix = port() === 80 ? '' : `:${port()}`
    own = new Set([...ownAddresses(), 'localhost'].map((address) => `${address}${suffix}`))
    return own.has(host)
  }
  return {
    isHost: (host) =>
      host !== undefined && (hosts.has(host.toLowerCase()) || loopback.test(host) || isOwn(host.toLowerCase())),
    isOrigin: (origin) => named.has(origin) || (origin.startsWith('http://') && isOwn(origin.slice('http://'.length))),
  }
}
