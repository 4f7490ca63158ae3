// For tests: waits for a request to shut down; with `hang`, its graceful shutdown never finishes.
// A forced exit has code 3.
import { waitForShutdown } from '../runtime/shutdown.ts'

const parentPid = Number(process.env['KEEPSNAP_PARENT']) || undefined
const shutdownRequest = waitForShutdown(parentPid, () => process.exit(3))
const keepAliveTimer = setInterval(() => {}, 60_000)
process.stdout.write('waiting\n')
process.stdout.write(`told: ${await shutdownRequest}\n`)
if (process.argv[2] !== 'hang') clearInterval(keepAliveTimer)
