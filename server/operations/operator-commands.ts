import { createInterface } from 'node:readline/promises'
import type { Logger } from 'pino'
import { migrate, refuseUnfinishedRestore } from '../platform/db/migrate.ts'
import { accountCommands, adminKeyCommands } from './account-commands.ts'
import { backupCommands, restoreCommand } from './backup-commands.ts'
import { invoiceCommands } from './invoice-commands.ts'
import { moveStorageCommands } from './move-storage.ts'
import { billingCommands, demoCommands, removalCommands } from './plan-commands.ts'
import { requestCommands } from './request-commands.ts'
import { secretCommands } from './secret-commands.ts'
import { type AppCommand, type CommandOutput, UsageError } from './command.ts'
import { verifyCommands } from './verify-commands.ts'
import type { Config } from '../config.ts'
import { connect, isDatabaseDown } from '../platform/db/connect.ts'
import { asSchemaProblem, joinOrOpenDatabase, openDatabase } from '../platform/postgres/open-database.ts'
import { shutDown, type ShutdownStep } from '../platform/process/shutdown.ts'
import { StartupError } from '../faults.ts'

/** `demo`: fills an empty instance with people, photos and guests. Its modules are imported only when it runs. */
const demo: AppCommand = (args) => {
  if (args.length > 0) throw new UsageError('demo has no arguments')
  return async (context) => (await import('./demo.ts')).runDemo(context)
}

const commands: Record<string, AppCommand> = {
  ...accountCommands,
  ...adminKeyCommands,
  ...backupCommands,
  ...billingCommands,
  ...demoCommands,
  demo,
  ...invoiceCommands,
  ...moveStorageCommands,
  ...removalCommands,
  ...requestCommands,
  ...secretCommands,
  ...verifyCommands,
}
export const operatorCommands = ['migrate', 'restore', ...Object.keys(commands)]

/** Asks in the terminal; without one the answer is no. */
async function askInTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

/** On the standard error: the standard output has results only. */
const printProgress = (progress: string): void => void process.stderr.write(`${progress}\n`)

/** Runs `restore`, which needs the database for itself alone and first migrates it to the version of the backup. */
async function runRestore(args: readonly string[], { config, log }: { config: Config; log: Logger }): Promise<string> {
  const run = restoreCommand(args)
  const shutdownSteps: ShutdownStep[] = []
  try {
    return await run({
      config,
      async openDatabase() {
        const database = await openDatabase(config, log)
        shutdownSteps.push(...database.shutdownSteps)
        return database.database
      },
    })
  } finally {
    await shutDown(shutdownSteps, log)
  }
}

/** Turns the loss of the database connection into a message for the operator, without a stack trace. */
export function commandError(command: string, error: unknown): unknown {
  const isFileError = error instanceof Error && 'code' in error && 'path' in error
  if (!(error instanceof Error) || isFileError || !isDatabaseDown(error)) return error
  return new StartupError(
    `The connection to the database was lost, so ${command} is not finished (${error.message}). Run it again when the database is back.`,
    { cause: error },
  )
}

interface CommandOptions {
  config: Config
  log: Logger
  confirm?: typeof askInTerminal
  /** Changes the whole process, so only a program that runs nothing else passes it. */
  lowerPriority?: () => void
}

/** Runs an operator command, with or without a running server; resolves with what to print. */
export async function runOperatorCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandOutput> {
  try {
    return await runCommand(command, args, options)
  } catch (error) {
    throw commandError(command, error)
  }
}

async function runCommand(
  command: string,
  args: readonly string[],
  { config, log, confirm = askInTerminal, lowerPriority = () => {} }: CommandOptions,
): Promise<CommandOutput> {
  if (command === 'restore') return runRestore(args, { config, log })
  const run = commands[command]?.(args)
  const database = await joinOrOpenDatabase(config, log)
  const { db, pool, close } = connect(database.database, log, 4)
  try {
    const migrated = await migrate(db, pool).catch((error: unknown) => {
      throw asSchemaProblem(error)
    })
    await refuseUnfinishedRestore(db)
    const context = { config, log, db, confirm, database: database.database, lowerPriority }
    if (run) return await run({ ...context, reportProgress: printProgress })
    return migrated.length ? `Migrated: ${migrated.join(', ')}` : 'The database is up to date.'
  } finally {
    await shutDown([{ name: 'database connections', timeoutMs: 5_000, close }, ...database.shutdownSteps], log)
  }
}
