import { BadSettings, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { operate, operatorCommands, UsageProblem } from './operator.ts'
import { run } from './run.ts'
import { StartProblem } from './start-problem.ts'
import { lanAddress } from './where.ts'

const usage = `Usage: keepsnap <command>

  serve [--no-work]     run API, web app and worker (without the worker)
  work                  run jobs only
  migrate               bring the database up to date
  grant-admin EMAIL     make an account an admin
  revoke-admin EMAIL    take that back
  grant-plan EMAIL PLAN_ID [--until YYYY-MM-DD]
                        give a plan without payment; PLAN_ID free takes it back
  deactivate EMAIL      close an account, deleting nothing
  activate EMAIL        open it again
`

async function main([command = 'serve', ...args]: string[]): Promise<number> {
  const config = readConfig(process.env, { lanAddress: lanAddress(), cwd: process.cwd() })
  const out = process.stdout
  if (command === 'serve' || command === 'work') {
    const unknown = args.find((flag) => command === 'work' || flag !== '--no-work')
    if (unknown !== undefined) throw new UsageProblem(`${command} does not know ${unknown}`)
    const parts = command === 'work' ? { serve: false, work: true } : { serve: true, work: !args.includes('--no-work') }
    return run({ config, log: createLog(config.logLevel), parts, out })
  }
  if (operatorCommands.includes(command)) {
    out.write(`${await operate(command, args, { config, log: createLog('error', process.stderr) })}\n`)
    return 0
  }
  out.write(usage)
  return command === 'help' || command === '--help' ? 0 : 2
}

/** Problems that a person can mend are sentences; anything else is a bug and shows where. */
function report(error: unknown): number {
  if (error instanceof BadSettings || error instanceof StartProblem || error instanceof UsageProblem) {
    process.stderr.write(`keepsnap: ${error.message}\n`)
    return error instanceof UsageProblem ? 2 : 1
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  // Of its causes only this: what a database adds may name people's data.
  for (let cause = error instanceof Error && error.cause; cause instanceof Error; cause = cause.cause)
    process.stderr.write(`because of ${cause.stack}\n`)
  return 1
}

process.exitCode = await main(process.argv.slice(2)).catch(report)
// A handle left open must not keep a program alive that has ended in order.
setTimeout(() => process.exit(), 2_000).unref()
