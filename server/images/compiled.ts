import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Node strips types and compiles at every start, and keeps its compiler in memory for it: 25 MB a process. Its compile
 * cache saves that, but a process with a user of its own may not write one, and looks under its own number. So we have
 * it written once, for all of them. Without it everything works the same, only larger.
 */
export async function compileOnce({ dir, sources, users, leave }: CompileOptions): Promise<void> {
  try {
    const stamp = await stampOf(sources)
    const stampFile = join(dir, 'stamp')
    await mkdir(dir, { recursive: true })
    const isFresh = (await readFile(stampFile, 'utf8').catch(() => '')) === stamp
    if (!isFresh && !(await leave())) return
    await shareWith(dir, users)
    if (!isFresh) await writeFile(stampFile, stamp)
  } catch {
    // Not our folder to write in, or a full disk.
  }
}

export interface CompileOptions {
  /** Where the cache lies. */
  dir: string
  /** The folder whose scripts are compiled. */
  sources: string
  /** Users that read the cache. */
  users: number[]
  /** Runs the scripts to an end, which is when Node writes the cache; whether that went well. */
  leave(): Promise<boolean>
}

async function stampOf(sources: string): Promise<string> {
  const names = (await readdir(sources)).filter((name) => name.endsWith('.ts')).toSorted()
  const times = await Promise.all(names.map(async (name) => (await stat(join(sources, name))).mtimeMs))
  return JSON.stringify([process.version, process.getuid?.(), ...names, ...times])
}

/** Node names a cache after version, flags and user, and lets nobody else read it. */
async function shareWith(dir: string, users: number[]): Promise<void> {
  if (users.length === 0) return
  const own = `-${process.getuid?.() ?? 0}`
  const caches = (await readdir(dir)).filter((name) => name.startsWith(process.version) && name.endsWith(own))
  for (const cache of caches) {
    const common = cache.slice(0, -own.length)
    for (const file of await readdir(join(dir, cache))) await chmod(join(dir, cache, file), 0o644)
    for (const user of users) await symlink(cache, join(dir, `${common}-${user}`)).catch(() => {})
  }
}
