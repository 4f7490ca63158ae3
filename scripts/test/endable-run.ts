/** A run with a detached process and one that has another environment. Prints its folder and their process ids. */
import { spawn, type SpawnOptions } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endRunOnSignals } from '../end-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsnap-endable-'))
endRunOnSignals({ folder, close: () => process.stdout.write('closed\n') })
const start = (options: SpawnOptions): number | undefined =>
  // The shell starts another process, which its end leaves alone.
  spawn('sh', ['-c', '(sleep 1000; true) & sleep 1000; true'], { stdio: 'ignore', ...options }).pid
const pids = [start({ env: { PATH: '/bin:/usr/bin', TMPDIR: folder }, detached: true }), start({ env: {} })]
process.stdout.write(`${JSON.stringify({ folder, pids })}\n`)
setInterval(() => {}, 1_000)
