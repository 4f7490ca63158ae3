import { join } from 'node:path'
import { StartupError, systemCode } from '../runtime/startup-error.ts'
import { backupsIn, filePathIn } from './backup-folder.ts'
import { forEachAtOnce, pagesOf, readFileList } from './file-lists.ts'
import { checksumOf, type Checksum } from './hashed-files.ts'
import { backupNames, readManifest, type ListedFile, type Manifest } from './manifest.ts'
import type { Progress } from './progress.ts'

const namedMax = 20
const checksAtOnce = 4
const pageSize = 512

/** What is wrong with a file of a backup; undefined when it is as it was written. */
async function problemOf(path: string, { bytes, sha256 }: Checksum): Promise<string | undefined> {
  try {
    const found = await checksumOf(path)
    if (found.bytes === bytes && found.sha256 === sha256) return undefined
    return `${path} has changed since it was written`
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return `${path} is missing`
    if (code) return `${path} cannot be read (${code})`
    throw error
  }
}

/** The files of a backup besides the photos. */
const partsOf = ({ tables, changed, jobs, fileLists, erasures, secretKey }: Manifest): ListedFile[] => [
  ...tables,
  ...changed.tables,
  jobs,
  ...fileLists,
  erasures,
  ...(secretKey.file ? [secretKey.file] : []),
]

async function findProblems(dir: string, manifest: Manifest, progress: Progress): Promise<string[]> {
  const folder = join(backupsIn(dir), manifest.name)
  const problems: string[] = []
  const check = async (path: string, checksum: Checksum): Promise<void> => {
    const problem = await problemOf(path, checksum)
    if (problem !== undefined) problems.push(problem)
  }
  progress.step('checking tables')
  for (const part of partsOf(manifest)) await check(join(folder, part.file), part)
  // A damaged list names wrong files.
  if (problems.length) return problems
  progress.step('checking files')
  let done = 0
  for (const list of manifest.fileLists) {
    for await (const page of pagesOf(readFileList(join(folder, list.file)), pageSize)) {
      await forEachAtOnce(page, checksAtOnce, (file) => check(filePathIn(dir, file.key), file))
      progress.count((done += page.length), Math.max(done, manifest.files))
    }
  }
  return problems
}

/**
 * Compares every file of a backup with its checksum.
 * @throws StartupError that names what is damaged or missing, and which other backups there are
 */
export async function checkBackup(dir: string, manifest: Manifest, progress: Progress): Promise<void> {
  const problems = await findProblems(dir, manifest, progress)
  if (problems.length === 0) return
  const others = (await backupNames(dir)).filter((name) => name !== manifest.name)
  const more = problems.length > namedMax ? [`and ${problems.length - namedMax} more`] : []
  const advice = others.length
    ? `Choose another backup with --from: ${others.join(', ')}.`
    : 'There is no other backup in this folder.'
  throw new StartupError(
    [
      `The backup ${manifest.name} is damaged. Nothing was restored.`,
      ...problems.slice(0, namedMax),
      ...more,
      advice,
    ].join('\n'),
  )
}

/**
 * The manifest of the named backup, or of the newest one that is finished.
 * @throws StartupError when there is none, or it is damaged
 */
export async function chooseBackup(dir: string, name?: string): Promise<Manifest> {
  const names = await backupNames(dir)
  if (name !== undefined) {
    const manifest = names.includes(name) ? await readManifest(join(backupsIn(dir), name)) : undefined
    if (manifest) return manifest
    throw new StartupError(`There is no finished backup ${name} in ${dir}. There are: ${names.join(', ') || 'none'}.`)
  }
  for (const one of names.toReversed()) {
    const manifest = await readManifest(join(backupsIn(dir), one))
    if (manifest) return manifest
  }
  throw new StartupError(`There is no finished backup in ${dir}. Run "backup" again.`)
}
