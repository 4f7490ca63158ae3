import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db/connect.ts'
import type { DatabaseConnection } from '../platform/postgres/open-database.ts'

/** An invalid command line; the message explains the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What a command works with. The database is migrated and may be in use by a running server. */
export interface CommandContext {
  config: Config
  log: Logger
  db: Db
  /** Asks the operator; true for yes. False where nobody can answer. */
  confirm(question: string): Promise<boolean>
}

/**
 * A command of the operator. Reads its arguments before the database is opened, and throws `UsageError` when they are wrong;
 * then runs, and resolves with the text to print.
 */
export type Command = (args: readonly string[]) => (context: CommandContext) => Promise<string>

/** What commands need that open the stores, show their progress or lower their priority. */
export interface AppCommandContext extends CommandContext {
  database: DatabaseConnection['database']
  /** Shows the operator how far the command is. */
  reportProgress(progress: string): void
  /** Gives this process a low priority on processor and disk, for commands that take long beside a running server. */
  lowerPriority(): void
}

/** What a command prints on the standard output; a text alone means the exit status 0. */
export type CommandOutput = string | { text: string; exitStatus: number }

/** A command that needs the larger context. Every `Command` is also an `AppCommand`. */
export type AppCommand = (args: readonly string[]) => (context: AppCommandContext) => Promise<CommandOutput>

export interface Arguments {
  /** What has no name, in order. */
  given: string[]
  options: ReadonlyMap<string, string>
}

/**
 * Reads a command line: `given` things without a name, `flags` without a value and `values` with one.
 * @throws UsageError for anything else
 */
export function readArguments(
  args: readonly string[],
  {
    usage,
    given: count,
    flags = [],
    values = [],
  }: {
    usage: string
    given: number
    flags?: readonly string[]
    values?: readonly string[]
  },
): Arguments {
  const options = new Map<string, string>()
  const given: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const value = args[at + 1] ?? ''
    if (flags.includes(arg)) options.set(arg, '')
    else if (values.includes(arg) && value.trim() !== '' && !value.startsWith('--')) {
      options.set(arg, value)
      at += 1
    } else if (arg !== '' && !arg.startsWith('--')) given.push(arg)
    else throw new UsageError(usage)
  }
  if (given.length !== count) throw new UsageError(usage)
  return { given, options }
}

/** The email address of an account, the first argument of many commands. */
export function readEmail(command: string, [email = '']: readonly string[]): string {
  if (!email.includes('@')) throw new UsageError(`${command} needs the email address of an account`)
  return email
}

export const noAccount = (email: string): UsageError => new UsageError(`there is no account with the address ${email}`)
