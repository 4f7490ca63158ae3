import { networkInterfaces } from 'node:os'

export interface Origins {
  /** Whether a Host header names this server. */
  isHost(host: string | undefined): boolean
  /** Whether pages of an Origin header may call the API. */
  isOrigin(origin: string): boolean
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
const refreshMs = 10_000

function ownIpAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address)),
  )
}

/**
 * The hosts and origins of docs/behaviour.md section 11: those of PUBLIC_URL and ALLOWED_ORIGINS, loopback names, and
 * this machine's own IP addresses. `port` is a function because port 0 is resolved only when the server listens.
 */
export function createOrigins(publicUrl: string, allowed: readonly string[], port: () => number): Origins {
  const configured = new Set([publicUrl, ...allowed].map((origin) => new URL(origin).origin))
  const hosts = new Set([...configured].map((origin) => new URL(origin).host))
  let own = new Set<string>()
  let readAt = 0
  const isOwn = (host: string): boolean => {
    if (own.has(host)) return true
    if (Date.now() - readAt < refreshMs) return false
    readAt = Date.now()
    const suffix = port() === 80 ? '' : `:${port()}`
    own = new Set([...ownIpAddresses(), 'localhost'].map((address) => `${address}${suffix}`))
    return own.has(host)
  }
  return {
    isHost: (host) =>
      host !== undefined && (hosts.has(host.toLowerCase()) || loopback.test(host) || isOwn(host.toLowerCase())),
    isOrigin: (origin) =>
      configured.has(origin) || (origin.startsWith('http://') && isOwn(origin.slice('http://'.length))),
  }
}
