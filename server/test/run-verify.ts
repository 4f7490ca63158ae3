import type { IntegrityReport } from '../features/operators/check-database.ts'
import type { TestServer } from './harness.ts'
import { verifyCommands } from '../operations/verify-commands.ts'

/** Runs `verify` beside a test server; resolves with what it prints and the exit status. */
export async function runVerify(
  { app, db, database }: TestServer,
  args: string[],
  lowerPriority: () => void = () => {},
): Promise<{ text: string; exitStatus: number }> {
  const { config, log } = app.deps
  const context = { config, log, db, database, confirm: async () => false, reportProgress: () => {}, lowerPriority }
  const output = await verifyCommands['verify']!(args)(context) // the only command there
  return typeof output === 'string' ? { text: output, exitStatus: 0 } : output
}

/** Runs `verify --json`; resolves with the report that it prints. */
export async function integrityReport(server: TestServer, ...args: string[]): Promise<IntegrityReport> {
  const { text } = await runVerify(server, ['--json', ...args])
  return JSON.parse(text) as IntegrityReport // as the command prints it
}
