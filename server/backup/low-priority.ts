import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

const niceness = 15

/** Lets every other program go first, on the processor and on the disk, as far as the system supports it. */
export function lowerPriority(): void {
  try {
    // On Linux each thread has its own priority; the threads of files exist when the program has read its first one.
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [String(process.pid)]
    for (const thread of threads) setPriority(Number(thread), niceness)
    spawnSync('ionice', ['-c', '3', '-p', ...threads], { stdio: 'ignore', timeout: 5_000 })
  } catch {
    // It only takes longer for others.
  }
}
