import { isIPv6 } from 'node:net'

/** The eight groups of an IPv6 address as numbers; the text must be a valid address. */
function groupsOf(address: string): number[] {
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
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

/** Who counts as one client for limits: an IPv4 address, or an IPv6 network of 64 bits. */
export function clientOf(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
