// For tests: waits until it is told to end; with `hang`, its orderly stop never finishes. Forced, it ends with 3.
import { waitForShutdown } from '../runtime/shutdown.ts'

const parentPid = Number(process.env['KEEPSNAP_PARENT']) || undefined
const told = waitForShutdown(parentPid, () => process.exit(3))
const alive = setInterval(() => {}, 60_000)
process.stdout.write('waiting\n')
process.stdout.write(`told: ${await told}\n`)
if (process.argv[2] !== 'hang') clearInterval(alive)
