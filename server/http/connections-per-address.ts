import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { clientKey } from './client-address.ts'

/** When and how far the connections of one IP address (of IPv6: a /64 network) are limited. */
export interface AddressLimits {
  /** Open connections of all addresses, above which the limit applies. */
  crowdedFrom: number
  perAddress: number
  /** Addresses without a limit: many clients share them. */
  isExempt(address: string): boolean
}

interface Connection {
  client: Client
  /** Requests under way, an accepted WebSocket included. */
  requests: number
}

interface Client {
  key: string
  connections: Set<Socket>
  /** Those without a request under way, the one that has been idle for longest first. */
  idle: Set<Socket>
}

/** Whether an address is one of these, or in one of these CIDR ranges. */
export function createAddressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Loopback and the trusted proxies. */
export const createExemptAddresses = (trustedProxies: readonly string[]): ((address: string) => boolean) =>
  createAddressList(['127.0.0.0/8', '::1', ...trustedProxies])

/** The connections of each client, and which of them are idle. */
function createConnectionRegistry(perAddress: number) {
  const clients = new Map<string, Client>()
  const connections = new Map<Socket, Connection>()
  const clientsOverLimit = new Set<Client>()
  const remove = (socket: Socket): void => {
    const client = connections.get(socket)?.client
    if (!client) return
    connections.delete(socket)
    client.connections.delete(socket)
    client.idle.delete(socket)
    if (client.connections.size <= perAddress) clientsOverLimit.delete(client)
    if (client.connections.size === 0) clients.delete(client.key)
  }
  return {
    remove,
    add(socket: Socket, key: string): void {
      const client = clients.get(key) ?? { key, connections: new Set(), idle: new Set() }
      clients.set(key, client)
      client.connections.add(socket)
      client.idle.add(socket)
      connections.set(socket, { client, requests: 0 })
      if (client.connections.size > perAddress) clientsOverLimit.add(client)
    },
    /** A request has begun (1) or ended (-1). */
    countRequest(socket: Socket, change: 1 | -1): void {
      const connection = connections.get(socket)
      if (!connection) return
      connection.requests += change
      if (connection.requests > 0) connection.client.idle.delete(socket)
      else connection.client.idle.add(socket)
    },
    closeIdleOverLimit(): void {
      for (const client of clientsOverLimit) {
        for (const socket of client.idle) {
          if (client.connections.size <= perAddress) break
          remove(socket)
          socket.destroy()
        }
      }
    },
  }
}

/**
 * While there are many connections, closes those of addresses that hold more than their share. Idle ones are closed, the
 * oldest first, a new one last; connections with a request, an upload or a WebSocket under way never are.
 */
export function limitConnectionsPerAddress(server: Server, { crowdedFrom, perAddress, isExempt }: AddressLimits): void {
  const registry = createConnectionRegistry(perAddress)
  let openConnections = 0
  server.on('connection', (socket: Socket) => {
    openConnections += 1
    socket.once('close', () => {
      openConnections -= 1
      registry.remove(socket)
    })
    if (socket.remoteAddress === undefined || isExempt(socket.remoteAddress)) return
    registry.add(socket, clientKey(socket.remoteAddress))
    if (openConnections > crowdedFrom) registry.closeIdleOverLimit()
  })
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    registry.countRequest(socket, 1)
    res.once('close', () => registry.countRequest(socket, -1))
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => registry.countRequest(socket, 1))
}
