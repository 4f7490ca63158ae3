import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import type { DatabaseConnection } from '../postgres/open-database.ts'

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

/** The email address of an account, the first argument of many commands. */
export function readEmail(command: string, [email = '']: readonly string[]): string {
  if (!email.includes('@')) throw new UsageError(`${command} needs the email address of an account`)
  return email
}

/** For a command about an account that does not exist. */
export const noAccount = (email: string): UsageError => new UsageError(`there is no account with the address ${email}`)
