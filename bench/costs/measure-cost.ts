import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'
import { runConcurrently } from '../concurrency.ts'
import { measured, type Measurement } from '../measurement.ts'
import { cpuOf, cpuParts, type CpuTime } from '../process-cpu.ts'

/** A server whose use of the machine is measured. */
export interface MeasuredServer {
  pid: number
  database: Client
  /** Idle usage per second: milliseconds of CPU time, and transactions. */
  idle: IdleUse
}

export interface IdleUse extends CpuTime {
  transactions: number
}

/** What one unit of work used. */
export interface UnitCost extends CpuTime {
  /** Processor time of this process, which is the client, in milliseconds. */
  client: number
  walBytes: number
  transactions: number
}

interface Counters {
  cpu: CpuTime
  clientMs: number
  walBytes: number
  transactions: number
  at: number
}

interface Work {
  /** How often the action is called in each round. */
  count: number
  rounds: number
  inFlight: number
  action(index: number): Promise<unknown>
  /** Waits until all asynchronous work of the actions is done. */
  waitUntilDone?(): Promise<unknown>
}

/** PostgreSQL publishes its counts of transactions at most once per second and connection. */
const statisticsMs = 1_500

async function readCounters(server: Pick<MeasuredServer, 'pid' | 'database'>): Promise<Counters> {
  const { rows } = await server.database.query<{ wal: string; transactions: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
       xact_commit + xact_rollback as transactions from pg_stat_database where datname = current_database()`,
  )
  const [row] = rows
  if (!row) throw new Error('the database has no statistics')
  const { user, system } = process.cpuUsage()
  return {
    cpu: cpuOf(server.pid),
    clientMs: (user + system) / 1000,
    walBytes: Number(row.wal),
    transactions: Number(row.transactions),
    at: performance.now(),
  }
}

/** Idle cost per second. */
export async function measureIdle(
  server: Pick<MeasuredServer, 'pid' | 'database'>,
  durationMs: number,
): Promise<IdleUse> {
  const before = await readCounters(server)
  await wait(durationMs)
  const after = await readCounters(server)
  const seconds = (after.at - before.at) / 1000
  const rate = (part: keyof CpuTime): number => (after.cpu[part] - before.cpu[part]) / seconds
  const transactions = Math.max(0, after.transactions - before.transactions) / seconds
  return { program: rate('program'), images: rate('images'), database: rate('database'), transactions }
}

async function measureRound(
  server: MeasuredServer,
  { count, inFlight, action, waitUntilDone }: Work,
): Promise<UnitCost> {
  await wait(statisticsMs)
  const before = await readCounters(server)
  await runConcurrently(count, inFlight, action)
  await waitUntilDone?.()
  await wait(statisticsMs)
  const after = await readCounters(server)
  const seconds = (after.at - before.at) / 1000
  const used = (part: keyof CpuTime): number =>
    Math.max(0, after.cpu[part] - before.cpu[part] - server.idle[part] * seconds) / count
  return {
    program: used('program'),
    images: used('images'),
    database: used('database'),
    client: (after.clientMs - before.clientMs) / count,
    walBytes: (after.walBytes - before.walBytes) / count,
    transactions: Math.max(0, after.transactions - before.transactions - server.idle.transactions * seconds) / count,
  }
}

/** Measurements of one unit of work, each round one run; what the idle server uses in the same time is subtracted. */
export async function measureCost(server: MeasuredServer, name: string, work: Work): Promise<Measurement[]> {
  const rounds: UnitCost[] = []
  while (rounds.length < work.rounds) rounds.push(await measureRound(server, work))
  const runsOf = (key: keyof UnitCost): number[] => rounds.map((round) => round[key])
  return [
    ...cpuParts.map((part) => measured(`${name}, CPU of ${part}`, 'ms', runsOf(part))),
    measured(`${name}, CPU of the client`, 'ms', runsOf('client')),
    measured(`${name}, write-ahead log`, 'bytes', runsOf('walBytes')),
    measured(`${name}, transactions`, 'transactions', runsOf('transactions')),
  ]
}
