import { isIPv6 } from 'node:net'

type IPv6Groups = [number, number, number, number, number, number, number, number]

/** The eight 16-bit groups of a valid IPv6 address. */
function parseIPv6(address: string): IPv6Groups {
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
  return [...left, ...zeros, ...right] as IPv6Groups // a valid address has eight groups
}

/** The client that rate limits count an IP address under: an IPv4 address itself, an IPv6 address by its /64 network. */
export function clientKey(address: string): string {
  if (!isIPv6(address)) return address
  const [a, b, c, d, e, f, high, low] = parseIPv6(address)
  const isMappedIPv4 = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff
  if (isMappedIPv4) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${[a, b, c, d].map((group) => group.toString(16)).join(':')}::/64`
}
