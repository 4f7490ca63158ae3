/**
 * A run with a detached process and two that have another environment, one of which leaves a child that takes half a second
 * to end. Prints its folder and their process ids.
 */
import { spawn, type SpawnOptions } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endRunOnSignals } from '../end-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsnap-endable-'))
endRunOnSignals({ folder, close: () => process.stdout.write('closed\n') })
// The shell starts another process, which its end leaves alone.
const start = (background: string, options: SpawnOptions): number | undefined =>
  spawn('sh', ['-c', `(${background}) & sleep 1000; true`], { stdio: 'ignore', ...options }).pid
const pids = [
  start('sleep 1000; true', { env: { PATH: '/bin:/usr/bin', TMPDIR: folder }, detached: true }),
  start('sleep 1000; true', { env: {} }),
  start('trap "sleep 0.5; exit" TERM; sleep 1000 & wait', { env: {} }),
]
process.stdout.write(`${JSON.stringify({ folder, pids })}\n`)
setInterval(() => {}, 1_000)
