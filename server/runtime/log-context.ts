import { AsyncLocalStorage } from 'node:async_hooks'

/** What every line of the log says that is written during a request or a job. */
export type LogContext = { reqId: string } | { job: string; jobId: string }

const contexts = new AsyncLocalStorage<LogContext>()

/** Runs a function, and everything that it starts, with these fields in each line of the log. */
export const runInLogContext = <T>(context: LogContext, run: () => T): T => contexts.run(context, run)

/** The fields of the request or job under way, as an object of its own: the log adds the fields of a line to it. */
export const currentLogContext = (): LogContext | object => ({ ...contexts.getStore() })
