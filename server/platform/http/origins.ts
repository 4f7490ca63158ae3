import { networkInterfaces } from 'node:os'

export interface Origins {
  /** Whether a Host header names this server. */
  isHost(host: string | undefined): boolean
  /** Whether pages of an Origin header may call the API. */
  isOrigin(origin: string): boolean
}

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
const ownHostsRefreshMs = 10_000

function ownIpAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address)),
  )
}

/**
 * The accepted hosts and origins: those of PUBLIC_URL and ALLOWED_ORIGINS, loopback names, and this machine's own IP
 * addresses. `port` is a function because port 0 is resolved only when the server listens.
 */
export function createOrigins(publicUrl: string, allowed: readonly string[], port: () => number): Origins {
  const configuredOrigins = new Set([publicUrl, ...allowed].map((origin) => new URL(origin).origin))
  const configuredHosts = new Set([...configuredOrigins].map((origin) => new URL(origin).host))
  let ownHosts = new Set<string>()
  let ownHostsReadAt = 0
  const isOwnHost = (host: string): boolean => {
    if (ownHosts.has(host)) return true
    if (Date.now() - ownHostsReadAt < ownHostsRefreshMs) return false
    ownHostsReadAt = Date.now()
    const portSuffix = port() === 80 ? '' : `:${port()}`
    ownHosts = new Set([...ownIpAddresses(), 'localhost'].map((address) => `${address}${portSuffix}`))
    return ownHosts.has(host)
  }
  return {
    isHost: (host) =>
      host !== undefined &&
      (configuredHosts.has(host.toLowerCase()) || loopbackHost.test(host) || isOwnHost(host.toLowerCase())),
    isOrigin: (origin) =>
      configuredOrigins.has(origin) || (origin.startsWith('http://') && isOwnHost(origin.slice('http://'.length))),
  }
}
