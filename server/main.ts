import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import { lowerPriority } from './platform/process/processes.ts'
import { ConfigError, readConfig, readMarkedEnvFiles } from './config.ts'
import { createLog } from './platform/process/log.ts'
import { UsageError } from './operations/command.ts'
import { operatorCommands, runOperatorCommand } from './operations/operator-commands.ts'
import { run } from './run.ts'
import { StartupError } from './faults.ts'

const privateNetwork = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/

/** This machine's IPv4 address in its network, preferably a private one; undefined without a network. */
function lanAddress(): string | undefined {
  const lanAddresses = Object.values(networkInterfaces()).flatMap((interfaceAddresses) =>
    (interfaceAddresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address),
  )
  return lanAddresses.find((address) => privateNetwork.test(address)) ?? lanAddresses[0]
}

const usageText = `Usage: keepsnap <command>

  serve [--no-work]     run API, web app and worker (without the worker)
  work                  run jobs only
                        --anyway, for both: also with a store of files that does not
                        belong to the database, for this start only
  migrate               bring the database up to date
  backup DIR [--keep 7] [--accept-smaller] [--adopt]
                        back up everything, beside a running server; of the photos only
                        new ones; the folder keeps the newest 7 backups; once a week,
                        the new one is read and compared with its checksums;
                        --accept-smaller: also with fewer than half of the accounts or
                        photos of before; --adopt: into a folder with backups of another
                        installation
  restore DIR [--check] restore the newest backup into an empty installation; --check:
                        only compare it with its checksums; --from NAME: an older one;
                        docs/runbook.md has the other options
  verify [--all | --sample 500] [--repair [--yes]] [--json]
                        compare rows, photos, counts, jobs, emails and payments; --all:
                        read every file; --repair: repair what can be repaired without data loss;
                        exit status 0: nothing is wrong, 1: something is, 2: it could not run
  grant-admin EMAIL [--unconfirmed]
                        make an account an admin; --unconfirmed: although nobody has
                        confirmed its address
  revoke-admin EMAIL    make an admin a normal account again
  grant-plan EMAIL PLAN_ID [--until YYYY-MM-DD]
                        grant a plan without payment; PLAN_ID free removes it
  rotate-secret [--status | --key-lost]
                        replace the secret key, the former one being accepted for a
                        while; show which keys are accepted; give up a lost one
  deactivate EMAIL      deactivate an account and end its subscription; nothing is deleted
  activate EMAIL        activate it again
  create-admin-key NAME create a key of the admin API; the last line is the key
  list-admin-keys       show the admin keys, without their secrets
  revoke-admin-key ID   revoke an admin key at once
  billing [--check]     show how payments are doing; --check: check key and prices first
  billing EMAIL [--sync] [--refund [--yes]]
                        show what an account pays; ask the payment provider first;
                        give everything back that it paid
  invoices DIR --since YYYY-MM-DD
                        write invoices of businesses and their credit notes as UBL into
                        this folder, for your Peppol provider; exit status 1: some wait,
                        and for what
  find-email ADDRESS [--send-again ID [--reason TEXT]]
                        show the emails to an address, with state, reason and next
                        try; send one of them again
  find-photo TEXT       find a photo by its id, the code of a QR code, or a link
  export-account EMAIL DIR [--reason TEXT]
                        write all data of an account into a file of this folder
  delete-account EMAIL --reason TEXT [--yes]
                        delete an account for good, as its owner can
  delete-photo ID --reason TEXT [--yes]
                        delete a reported photo for good
  erase-guest ADDRESS --reason TEXT [--yes]
                        delete everything about the mailbox of a guest
  demo                  fill an empty instance with people, photos and guests,
                        to look at every screen; prints how to sign in
  demo-clock [+31d [--yes]]
                        show the clock of demo payments; move it forward
  demo-card EMAIL pays|declined
                        whether later demo payments of an account succeed
  move-storage s3|disk [--keep-source] [--limit MB]
                        move all files to the bucket of the settings, or back, beside
                        running servers; can be interrupted, and continues when it
                        is run again; --limit: megabytes per second
  removals [--yes [NUMBER]]
                        show which photos are due to be removed after the end of plans;
                        remove them, also after removal was stopped; NUMBER: only
                        if they are those that were shown under this number
`

/** The log of the program, once there is one, and whether it is of JSON lines. */
let programLog: { log: Logger; isJson: boolean } | undefined

async function main([command = 'serve', ...args]: string[]): Promise<number> {
  readMarkedEnvFiles(process.env, process.execArgv)
  const config = readConfig(process.env, { lanAddress: lanAddress(), cwd: process.cwd() })
  const out = process.stdout
  if (command === 'serve' || command === 'work') {
    const unknownOption = args.find((flag) => flag !== '--anyway' && (command === 'work' || flag !== '--no-work'))
    if (unknownOption !== undefined) throw new UsageError(`${command} has no option ${unknownOption}`)
    const parts = command === 'work' ? { serve: false, work: true } : { serve: true, work: !args.includes('--no-work') }
    const log = createLog(config.logLevel)
    programLog = { log, isJson: !out.isTTY }
    return run({ config, log, parts, anyway: args.includes('--anyway'), out })
  }
  if (operatorCommands.includes(command)) {
    const log = createLog('error', process.stderr)
    programLog = { log, isJson: !process.stderr.isTTY }
    const output = await runOperatorCommand(command, args, { config, log, lowerPriority })
    const { text, exitStatus } = typeof output === 'string' ? { text: output, exitStatus: 0 } : output
    out.write(`${text}\n`)
    return exitStatus
  }
  out.write(usageText)
  return command === 'help' || command === '--help' ? 0 : 2
}

/** To `verify`, 1 means that something is wrong. */
const failureStatus = process.argv[2] === 'verify' ? 2 : 1

/** Prints the message of an error that the user can fix; any other error is a bug and is printed with its stack. */
function reportStartError(error: unknown): number {
  if (error instanceof ConfigError || error instanceof StartupError || error instanceof UsageError) {
    // What collects a log of JSON lines does not read the last line.
    if (error instanceof StartupError && programLog?.isJson) programLog.log.fatal(error.message)
    process.stderr.write(`keepsnap: ${error.message}\n`)
    return error instanceof UsageError ? 2 : failureStatus
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  // Of its causes only the stack: PostgreSQL's other fields may contain personal data.
  for (let cause = error instanceof Error && error.cause; cause instanceof Error; cause = cause.cause)
    process.stderr.write(`caused by ${cause.stack}\n`)
  return failureStatus
}

process.exitCode = await main(process.argv.slice(2)).catch(reportStartError)
// A handle that is still open must not keep the process alive.
setTimeout(() => process.exit(), 2_000).unref()
