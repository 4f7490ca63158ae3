import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The only addresses of IPv6 that are on the internet. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** An address of IPv4 that looks public, but answers virtual machines of Azure with their settings. */
const azureMetadata = '168.63.129.16'

/**
 * Whether an address is one on the internet. Refused are addresses of private networks, of this machine, of links, of
 * carrier-grade NAT, of metadata services, for documentation and multicast, and those of IPv6 that contain an address of
 * IPv4 (mapped, NAT64, 6to4, Teredo), because they lead to that.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || text === azureMetadata) return false
  return address instanceof ipaddr.IPv4 || address.match(globalIPv6)
}

/** Two ways of writing an address become one. */
const normalized = (text: string): string => ipaddr.parse(text).toNormalizedString()

/** Whether an address is one of this machine: a firewall may trust what the machine sends to itself. */
export function isOwnAddress(text: string): boolean {
  const address = normalized(text)
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => ipaddr.isValid(own.address) && normalized(own.address) === address)
}
