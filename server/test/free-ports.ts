import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** Above the ports of common programs and those that browsers refuse. */
const firstPort = 12_288
const rangeCount = 8

/** The first ephemeral port: Linux reports it; on other systems it is at least 32,768. */
function firstEphemeralPort(): number {
  try {
    const first = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'latin1'), 10)
    // Where hardly any port is below, ours may be taken by chance.
    return first >= firstPort + 100 * rangeCount ? first : 32_768
  } catch {
    return 32_768
  }
}

const rangeSize = Math.floor((firstEphemeralPort() - firstPort) / rangeCount)
/** A worker of Vitest has a number from 1; everything else, such as the global setup, has the first range. */
const range = Number(process.env['VITEST_POOL_ID'] ?? 0) % rangeCount
// Other runs on this machine use the same ranges.
const start = Math.floor(Math.random() * rangeSize)
let tried = 0

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/**
 * A port of the loopback interface that is free now. Nothing else is likely to take it: it is not an ephemeral port,
 * each worker of this run has its own range, and this process gets each port once.
 */
export async function freePort(): Promise<number> {
  while (tried < rangeSize) {
    const port = firstPort + range * rangeSize + ((start + tried++) % rangeSize)
    if (await isFree(port)) return port
  }
  throw new Error('all ports of this process have been given')
}

/** Such ports, all different. */
export const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort))
