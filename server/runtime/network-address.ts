import { networkInterfaces } from 'node:os'

const privateNetwork = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/

/** This machine's IPv4 address in its network, preferably a private one; undefined without a network. */
export function lanAddress(): string | undefined {
  const lanAddresses = Object.values(networkInterfaces()).flatMap((interfaceAddresses) =>
    (interfaceAddresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address),
  )
  return lanAddresses.find((address) => privateNetwork.test(address)) ?? lanAddresses[0]
}
