import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

const niceness = 15

/** Gives this process a low CPU and I/O priority, as far as the system supports it. */
export function lowerPriority(): void {
  try {
    // On Linux each thread has its own priority; libuv's thread pool exists once the program has read a file.
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [String(process.pid)]
    for (const thread of threads) setPriority(Number(thread), niceness)
    spawnSync('ionice', ['-c', '3', '-p', ...threads], { stdio: 'ignore', timeout: 5_000 })
  } catch {
    // Without it, other programs are only slower.
  }
}
