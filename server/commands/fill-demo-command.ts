import { UsageError, type AppCommand } from './command.ts'

/** `demo`: fills an empty instance with people, photos and guests. Its modules are imported only when it runs. */
const demo: AppCommand = (args) => {
  if (args.length > 0) throw new UsageError('demo has no arguments')
  return async (context) => (await import('../demo-data/run-demo.ts')).runDemo(context)
}

/** The command that fills an instance. */
export const fillDemoCommands: Record<string, AppCommand> = { demo }
