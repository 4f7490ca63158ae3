import { isIPv6 } from 'node:net'

/** The eight 16-bit groups of a valid IPv6 address. */
function parseIPv6(address: string): number[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const parse = (part: string): number[] =>
    part
      .split(':')
      .filter(Boolean)
      .flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return [a * 256 + b, c * 256 + d]
      })
  const left = parse(head)
  const right = tail === undefined ? [] : parse(tail)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0)
  return [...left, ...zeros, ...right] // a valid address has eight groups
}

/**
 * Where the 32 hexadecimal digits of an IPv6 address contain an IPv4 address. Within 64:ff9b:1::/48 a network chooses the prefix of its
 * NAT64: after one of 96 bits the IPv4 address is at the end; in shorter ones it is around the eight zero bits after the 64th, and zeros follow.
 */
const ipv4Inside = [
  /^0{20}ffff(.{8})$/, // mapped (RFC 4291)
  /^2002(.{8})/, // 6to4 (RFC 3056)
  /^0064ff9b0{16}(.{8})$/, // NAT64 (RFC 6052)
  /^0064ff9b0001(.{4})00(.{4})0{10}$/, // NAT64 within a network (RFC 8215): 48 bits
  /^0064ff9b0001..(..)00(.{6})0{8}$/, // 56 bits
  /^0064ff9b0001.{4}00(.{8})0{6}$/, // 64 bits
  /^0064ff9b0001.{12}(.{8})$/, // 96 bits
]

/**
 * The client that rate limits count an IP address under: an IPv4 address itself, also one inside an IPv6 address, and any other IPv6 address by
 * its /64 network.
 */
export function clientKey(address: string): string {
  if (!isIPv6(address)) return address
  const groups = parseIPv6(address)
  const digits = groups.map((group) => group.toString(16).padStart(4, '0')).join('')
  for (const pattern of ipv4Inside) {
    const found = pattern.exec(digits)
    if (found) return Buffer.from(found.slice(1).join(''), 'hex').join('.')
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** How much more a network of `networksOf` may do than one client, where a limit counts networks. */
export const networkShares = [1, 4, 10] as const

/** The networks of a client, as `clientKey` writes it, from itself to the widest: of an IPv6 /64, also its /56 and its /48. */
export function networksOf(client: string): [string, ...string[]] {
  const groups = /^(\w+):(\w+):(\w+):(\w+)::\/64$/.exec(client)?.slice(1)
  if (!groups) return [client]
  const wide = groups.slice(0, 3).join(':')
  const block = Number.parseInt(groups[3] ?? '', 16) & 0xff00
  return [client, `${wide}:${block.toString(16)}::/56`, `${wide}::/48`]
}

/** The network of an address: the /24 of an IPv4 address, also of one inside an IPv6 address; otherwise the /48. */
export function networkOf(address: string): string {
  const client = clientKey(address)
  return isIPv6(address) && client.endsWith('::/64')
    ? (networksOf(client).at(-1) ?? client)
    : `${client.split('.').slice(0, 3).join('.')}.0/24`
}
