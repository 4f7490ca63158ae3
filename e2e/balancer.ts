import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { waitLimitMs } from './wait-limit.ts'

const sample = join(import.meta.dirname, '../deploy/haproxy.cfg')

/** HAProxy with the sample configuration of deploy/, on loopback. */
export interface Balancer {
  address: string
  /** Waits until the health check of a node has succeeded, so that requests are sent to it. */
  untilInUse(nodePort: number): Promise<void>
  stop(): Promise<void>
}

interface BalancerOptions {
  port: number
  /** The ports of the nodes. */
  nodes: readonly number[]
  dir: string
  /** What it logs is appended here. */
  log?: string
}

const replaced = (text: string, [from, to]: readonly [string, string]): string => {
  if (!text.includes(from)) throw new Error(`deploy/haproxy.cfg has no longer: ${from}`)
  return text.replaceAll(from, to)
}

const controlSocket = ({ dir }: BalancerOptions): string => join(dir, 'haproxy.sock')

/**
 * What differs from a balancer on the internet: no certificate, no user of its own, a socket that says how its nodes are,
 * and tests say which address they come from.
 */
function configuration(sampleText: string, options: BalancerOptions): string {
  const { port, nodes } = options
  const servers = (more: string): string =>
    nodes
      .map((node, n) => `    server node${n + 1} 127.0.0.1:${node}${more.replace('NODE', `node${n + 1}`)}`)
      .join('\n')
  return [
    ['    user haproxy\n    group haproxy\n    chroot /var/lib/haproxy\n', ''],
    ['    maxconn 20000\n', `    maxconn 2000\n    stats socket ${controlSocket(options)} level operator\n`],
    ['    bind :80\n', `    bind 127.0.0.1:${port}\n`],
    ['    bind :443 ssl crt /etc/haproxy/certs/ alpn h2,http/1.1\n', ''],
    ['    http-request redirect scheme https code 308 unless { ssl_fc }\n', ''],
    ['    http-request set-header X-Forwarded-For %[src]\n', ''],
    ['    http-request set-header X-Forwarded-Proto https\n', ''],
    ['    server node1 127.0.0.1:3000 track keepsnap/node1', servers(' track keepsnap/NODE')],
    ['    server node1 127.0.0.1:3000\n', `${servers('')}\n`],
  ]
    .map(([from = '', to = '']): [string, string] => [from, to])
    .reduce(replaced, sampleText)
}

/** Whether the last health check of a node succeeded. The node is identified by its address. */
async function isInUse(socketPath: string, nodePort: number): Promise<boolean> {
  const socket = connect(socketPath)
  socket.end('show stat\n')
  const [head = '', ...rows] = (await text(socket)).replace('# ', '').split('\n')
  const columns = head.split(',')
  return rows
    .map((row) => row.split(','))
    .some((cells) => {
      const cell = (name: string): string | undefined => cells[columns.indexOf(name)]
      return (
        cell('addr') === `127.0.0.1:${nodePort}` &&
        cell('pxname') === 'keepsnap' &&
        cell('status') === 'UP' &&
        cell('check_status') === 'L7OK'
      )
    })
}

/** Starts it and waits until it takes connections. */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const { port, dir } = options
  const logFile = options.log ?? join(dir, 'haproxy.log')
  const file = join(dir, 'haproxy.cfg')
  await writeFile(file, configuration(await readFile(sample, 'utf8'), options))
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  const log = createWriteStream(logFile, { flags: 'a' })
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
  const ended = once(child, 'exit')
  const address = `http://127.0.0.1:${port}`
  for (const end = Date.now() + waitLimitMs; !(await fetch(`${address}/health`).catch(() => undefined));) {
    if (Date.now() > end || child.exitCode !== null)
      throw new Error(`HAProxy does not answer: ${await readFile(logFile, 'utf8')}`)
  }
  return {
    address,
    async untilInUse(nodePort) {
      const isReady = (): Promise<boolean> => isInUse(controlSocket(options), nodePort).catch(() => false)
      for (const end = Date.now() + waitLimitMs; !(await isReady()); await delay(50))
        if (Date.now() > end) throw new Error(`HAProxy does not use the node at port ${nodePort}`)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
