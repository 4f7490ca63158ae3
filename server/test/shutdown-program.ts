// For tests: waits for a request to shut down; with `hang`, its graceful shutdown never finishes.
// A forced exit has code 3. SIGUSR2 moves its clock by more than a second.
import { waitForShutdown } from '../platform/process/shutdown.ts'

const parentPid = Number(process.env['KEEPSNAP_PARENT']) || undefined
let laterMs = 0
process.on('SIGUSR2', () => {
  laterMs += 1_100
  process.stdout.write('later\n')
})
const shutdownRequest = waitForShutdown(
  parentPid,
  () => process.exit(3),
  () => performance.now() + laterMs,
)
const keepAliveTimer = setInterval(() => {}, 60_000)
process.stdout.write('waiting\n')
process.stdout.write(`told: ${await shutdownRequest}\n`)
if (process.argv[2] !== 'hang') clearInterval(keepAliveTimer)
