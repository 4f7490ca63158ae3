import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How the compile cache of image processes is filled. */
export interface CompileOptions {
  /** Where the cache is. */
  dir: string
  /** The folder whose scripts are compiled. */
  sources: string
  /** Ids of the users that read the cache. */
  users: number[]
  /** Runs the scripts until they exit, which is when Node writes the cache. Resolves with whether that worked. */
  compileScripts(): Promise<boolean>
}

/**
 * Fills Node's compile cache for all image processes. Without it, each process strips types and compiles at its start and
 * keeps the compiler in memory, 25 MB each. A process with a user of its own must not write a cache, and looks for one
 * under its own user id. When the cache cannot be filled everything works the same, with more memory.
 */
export async function fillCompileCache({ dir, sources, users, compileScripts }: CompileOptions): Promise<void> {
  try {
    const cacheStamp = await computeCacheStamp(sources)
    const cacheStampFile = join(dir, 'stamp')
    await mkdir(dir, { recursive: true })
    const isFresh = (await readFile(cacheStampFile, 'utf8').catch(() => '')) === cacheStamp
    if (!isFresh && !(await compileScripts())) return
    await shareCache(dir, users)
    if (!isFresh) await writeFile(cacheStampFile, cacheStamp)
  } catch {
    // The folder is not writable, or the disk is full.
  }
}

/** Changes with the scripts, the version of Node and the user. */
async function computeCacheStamp(sources: string): Promise<string> {
  const names = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.ts')).toSorted()
  const times = await Promise.all(names.map(async (name) => (await stat(join(sources, name))).mtimeMs))
  return JSON.stringify([process.version, process.getuid?.(), ...names, ...times])
}

/** Makes the cache readable under the user ids of the image processes: Node names it after version, flags and user. */
async function shareCache(dir: string, users: number[]): Promise<void> {
  if (users.length === 0) return
  const ownSuffix = `-${process.getuid?.() ?? 0}`
  const caches = (await readdir(dir)).filter((name) => name.startsWith(process.version) && name.endsWith(ownSuffix))
  for (const cache of caches) {
    const prefix = cache.slice(0, -ownSuffix.length)
    for (const file of await readdir(join(dir, cache))) await chmod(join(dir, cache, file), 0o644)
    for (const user of users) await symlink(cache, join(dir, `${prefix}-${user}`)).catch(() => {})
  }
}
