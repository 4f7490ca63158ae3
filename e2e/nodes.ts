import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../server/test/child-processes.ts'
import { type Program, startProgram, waitLimitMs } from './program.ts'

/** Two nodes that answer requests, two that run jobs, and the balancer before them. */
export interface Nodes {
  /** Where people reach them. */
  address: string
  all: Map<NodeName, Program>
  /** Starts a node that has ended again, and waits until the balancer sends it requests. */
  restart(name: NodeName): Promise<Program>
  stop(): Promise<void>
}

export type NodeName = 'api1' | 'api2' | 'work1' | 'work2'
export const apiNodes: NodeName[] = ['api1', 'api2']
export const nodeNames: NodeName[] = [...apiNodes, 'work1', 'work2']

interface NodesOptions {
  port?: number
  /** Each node has a folder of its own in it; emails without a mail server are shared. */
  dataDir: string
  env: Record<string, string>
  /** Everything they print is appended here. */
  log?: string
}

/** Whether programs of journeys are several nodes behind a balancer: `npm run record -- nodes`. */
export const hasNodes = (): boolean => process.env['KEEPSNAP_NODES'] === '1'

async function nodeFolder(dataDir: string, name: NodeName): Promise<string> {
  const folder = join(dataDir, name)
  await mkdir(join(dataDir, 'outbox'), { recursive: true })
  await mkdir(folder, { recursive: true })
  // Tests read emails in one place.
  await symlink(join(dataDir, 'outbox'), join(folder, 'outbox')).catch(() => {})
  return folder
}

/** Starts them all on one database and one store, which `env` names. */
export async function startNodes(options: NodesOptions): Promise<Nodes> {
  const { dataDir, env, log, port = await freePort() } = options
  const address = `http://127.0.0.1:${port}`
  const ports = new Map(await Promise.all(nodeNames.map(async (name) => [name, await freePort()] as const)))
  const portOf = (name: NodeName): number => ports.get(name) ?? 0
  const start = async (name: NodeName): Promise<Program> =>
    startProgram({
      dataDir: await nodeFolder(dataDir, name),
      port: portOf(name),
      command: apiNodes.includes(name) ? ['serve', '--no-work'] : ['work'],
      env: { DRAIN_SECONDS: '5', ...env, PUBLIC_URL: address },
      ...(log && { log }),
    })
  const all = new Map(await Promise.all(nodeNames.map(async (name) => [name, await start(name)] as const)))
  const balancedPorts = apiNodes.map(portOf)
  const balancer = await startBalancer({ port, nodes: balancedPorts, dir: dataDir, log: log ?? join(dataDir, 'log') })
  await Promise.all(balancedPorts.map(balancer.untilInUse))
  return {
    address,
    all,
    async restart(name) {
      const program = await start(name)
      all.set(name, program)
      if (balancedPorts.includes(portOf(name))) await balancer.untilInUse(portOf(name))
      return program
    },
    async stop() {
      await balancer.stop()
      await Promise.all([...all.values()].map((program) => program.stop()))
    },
  }
}

interface BalancerOptions {
  port: number
  /** The ports of the nodes. */
  nodes: readonly number[]
  dir: string
  log: string
}

/** HAProxy with the sample configuration of deploy/, on loopback. */
async function startBalancer({ port, nodes, dir, log: logFile }: BalancerOptions) {
  const file = join(dir, 'haproxy.cfg')
  const socketPath = join(dir, 'haproxy.sock')
  const servers = (more: string): string =>
    nodes
      .map((node, n) => `    server node${n + 1} 127.0.0.1:${node}${more.replace('NODE', `node${n + 1}`)}`)
      .join('\n')
  // What differs from a balancer on the internet: no certificate, no user of its own, a socket that says how its nodes are,
  // and tests say which address they come from.
  const changes: [from: string, to: string][] = [
    ['    user haproxy\n    group haproxy\n    chroot /var/lib/haproxy\n', ''],
    ['    maxconn 20000\n', `    maxconn 2000\n    stats socket ${socketPath} level operator\n`],
    ['    bind :80\n', `    bind 127.0.0.1:${port}\n`],
    ['    bind :443 ssl crt /etc/haproxy/certs/ alpn h2,http/1.1\n', ''],
    ['    http-request redirect scheme https code 308 unless { ssl_fc }\n', ''],
    ['    http-request set-header X-Forwarded-For %[src]\n', ''],
    ['    http-request set-header X-Forwarded-Proto https\n', ''],
    ['    server node1 127.0.0.1:3000 track keepsnap/node1', servers(' track keepsnap/NODE')],
    ['    server node1 127.0.0.1:3000\n', `${servers('')}\n`],
  ]
  let configuration = await readFile(join(import.meta.dirname, '../deploy/haproxy.cfg'), 'utf8')
  for (const [from, to] of changes) {
    if (!configuration.includes(from)) throw new Error(`deploy/haproxy.cfg has no longer: ${from}`)
    configuration = configuration.replaceAll(from, to)
  }
  await writeFile(file, configuration)
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.pipe(createWriteStream(logFile, { flags: 'a' }))
  const ended = once(child, 'exit')

  /** Whether the last health check of a node succeeded. The node is identified by its address. */
  const isInUse = async (nodePort: number): Promise<boolean> => {
    const socket = connect(socketPath)
    socket.end('show stat\n')
    const [head = '', ...rows] = (await text(socket)).replace('# ', '').split('\n')
    const wanted = { addr: `127.0.0.1:${nodePort}`, pxname: 'keepsnap', status: 'UP', check_status: 'L7OK' }
    const columns = head.split(',')
    const hasAll = (cells: string[]): boolean =>
      Object.entries(wanted).every(([name, value]) => cells[columns.indexOf(name)] === value)
    return rows.some((row) => hasAll(row.split(',')))
  }
  return {
    /** Waits until the health check of a node has succeeded, so that requests are sent to it. */
    async untilInUse(nodePort: number): Promise<void> {
      for (const end = Date.now() + waitLimitMs; !(await isInUse(nodePort).catch(() => false)); await delay(50))
        if (Date.now() > end || child.exitCode !== null)
          throw new Error(`HAProxy does not use the node at port ${nodePort}: ${await readFile(logFile, 'utf8')}`)
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await ended
    },
  }
}
