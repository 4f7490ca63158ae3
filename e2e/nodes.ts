import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { startBalancer } from './balancer.ts'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { startProgram, type Program } from './program.ts'

/** Two nodes that answer requests, two that run jobs, and the balancer before them. */
export interface Nodes {
  /** Where people reach them. */
  address: string
  port: number
  all: Map<NodeName, Program>
  /** Starts a node that has ended again, and waits until the balancer sends it requests. */
  restart(name: NodeName): Promise<Program>
  stop(): Promise<void>
}

export type NodeName = 'api1' | 'api2' | 'work1' | 'work2'
export const apiNodes: NodeName[] = ['api1', 'api2']
export const workNodes: NodeName[] = ['work1', 'work2']

export interface NodesOptions {
  port?: number
  /** Each node has a folder of its own in it; emails without a mail server are shared. */
  dataDir: string
  env: Record<string, string>
  names?: readonly NodeName[]
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
export async function startNodes({
  dataDir,
  env,
  names = [...apiNodes, ...workNodes],
  log,
  port: givenPort,
}: NodesOptions): Promise<Nodes> {
  const port = givenPort ?? (await freePort())
  const address = `http://127.0.0.1:${port}`
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort()] as const)))
  const portOf = (name: NodeName): number => ports.get(name) ?? 0
  const start = async (name: NodeName): Promise<Program> =>
    startProgram({
      dataDir: await nodeFolder(dataDir, name),
      port: portOf(name),
      command: apiNodes.includes(name) ? ['serve', '--no-work'] : ['work'],
      env: { DRAIN_SECONDS: '5', ...env, PUBLIC_URL: address },
      ...(log && { log }),
    })
  const all = new Map(await Promise.all(names.map(async (name) => [name, await start(name)] as const)))
  const balancedPorts = names.filter((name) => apiNodes.includes(name)).map(portOf)
  const balancer = await startBalancer({ port, nodes: balancedPorts, dir: dataDir, ...(log && { log }) })
  await Promise.all(balancedPorts.map((nodePort) => balancer.untilInUse(nodePort)))
  return {
    address,
    port,
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

/** Two nodes without workers behind a balancer, in the place of `serve --no-work`. */
export async function startBalancedProgram(options: NodesOptions): Promise<Program> {
  const nodes = await startNodes({ ...options, names: apiNodes })
  const programs = [...nodes.all.values()]
  const [first] = programs
  if (!first) throw new Error('there is no node')
  return {
    address: nodes.address,
    pid: first.pid,
    ended: first.ended,
    kill: (signal) => programs.forEach((program) => program.kill(signal)),
    stop: nodes.stop,
  }
}
