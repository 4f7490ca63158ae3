import { join } from 'node:path'
import type { PoolConfig } from 'pg'
import { startProgram, type Cleanup, type Program } from './child-processes.ts'
import { publicUrl } from './harness.ts'

/** A real process of the program, one of several perhaps, on a database of the tests. */
export interface ServerProcess extends Program {
  /** Empty for one that only works. */
  address: string
}

interface ServerProcessOptions {
  database: PoolConfig
  /** Its data folder; nodes of one machine may share it. */
  dir: string
  command: string[]
  /** The folder of another version of the project. */
  root?: string
  env?: Record<string, string>
  /** What stands before the command line, such as a tracer. */
  before?: readonly string[]
}

/** The value of DATABASE_URL for a database of the tests. */
export const urlOf = ({ host, port, user, database }: PoolConfig): string =>
  host?.startsWith('/')
    ? `postgresql://${user?.toString()}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
    : `postgresql://${user?.toString()}@${host}:${port}/${database}`

/** Starts a node on loopback and waits until it is ready. It trusts forwarded addresses from loopback. */
export async function startServerProcess(
  cleanup: Cleanup,
  { database, dir, command, root = join(import.meta.dirname, '../..'), env = {}, before = [] }: ServerProcessOptions,
): Promise<ServerProcess> {
  const program = startProgram(cleanup, [...before, process.execPath, join(root, 'server/main.ts'), ...command], {
    env: {
      DATABASE_URL: urlOf(database),
      DATA_DIR: dir,
      SECRET_KEY: 'a secret of the tests, long enough',
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: '127.0.0.1',
      WORKERS: '1',
      LOG_LEVEL: 'info',
      ...env,
    },
  })
  const [, port] = await program.waitForLine(/"port":(\d+).*"msg":"ready"|"msg":"working"/)
  return { ...program, address: port === undefined ? '' : `http://127.0.0.1:${port}` }
}
