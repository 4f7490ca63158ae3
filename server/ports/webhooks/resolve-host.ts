import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

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
export const resolvePublicName: ResolveHost = async (host) => {
  if (isIP(host)) return [host]
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failed = answers.find((answer) => answer.status === 'rejected' && !isAbsent(answer.reason))
  if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason
  return addresses.slice(0, maxAddresses)
}

/** Asks the operating system, which also knows the names of the local network. For hosts that the operator has named. */
export const resolveLocalName: ResolveHost = async (host) => {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address).slice(0, maxAddresses)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
