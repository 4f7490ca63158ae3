import { basename, join } from 'node:path'
import { forEachConcurrently, pagesOf } from '../lib/concurrency.ts'
import type { Db } from '../platform/db/connect.ts'
import { StartupError, systemCode } from '../faults.ts'
import { backupsIn, type Checksum, checksumOf, filePathIn } from './backup-folder.ts'
import { isCheckDue, recordCheck } from './backup-tables.ts'
import {
  backupNames,
  judgeBackups,
  type ListedFile,
  type Manifest,
  readFileList,
  readManifest,
} from './backup-manifest.ts'
import type { Progress } from '../lib/operator-texts.ts'

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

interface Problems {
  parts: string[]
  files: string[]
  /** The keys of the files. */
  damagedKeys: Set<string>
}

async function findProblems(dir: string, manifest: Manifest, progress: Progress): Promise<Problems> {
  const folder = join(backupsIn(dir), manifest.name)
  const problems: Problems = { parts: [], files: [], damagedKeys: new Set() }
  progress.step('checking tables')
  for (const part of partsOf(manifest)) {
    const path = join(folder, part.file)
    const problem = basename(part.file) === part.file ? await problemOf(path, part) : `${path} is not in the backup`
    if (problem !== undefined) problems.parts.push(problem)
  }
  // A damaged list names wrong files.
  if (problems.parts.length) return problems
  progress.step('checking files')
  let done = 0
  for (const list of manifest.fileLists) {
    for await (const page of pagesOf(readFileList(join(folder, list.file)), pageSize)) {
      await forEachConcurrently(page, checksAtOnce, async (file) => {
        const problem = await problemOf(filePathIn(dir, file.key), file)
        if (problem === undefined) return
        problems.files.push(problem)
        problems.damagedKeys.add(file.key)
      })
      progress.count((done += page.length), Math.max(done, manifest.files))
    }
  }
  return problems
}

async function adviceToChoose(dir: string, name: string): Promise<string> {
  const others = (await backupNames(dir)).filter((other) => other !== name)
  return others.length
    ? `Choose another backup with --from: ${others.join(', ')}.`
    : 'There is no other backup in this folder.'
}

async function adviceAbout(dir: string, { name }: Manifest, { parts }: Problems): Promise<string> {
  if (parts.length) return adviceToChoose(dir, name)
  return [
    'All backups of this folder share these files. While the installation still has them: remove them here and run "backup" again, which copies them anew.',
    'If it does not: --leave-out-damaged restores everything else, and says what was left out.',
  ].join('\n')
}

async function damageText(dir: string, manifest: Manifest, problems: Problems): Promise<string> {
  const found = [...problems.parts, ...problems.files]
  return [
    ...found.slice(0, namedMax),
    ...(found.length > namedMax ? [`and ${found.length - namedMax} more`] : []),
    await adviceAbout(dir, manifest, problems),
  ].join('\n')
}

/**
 * Compares every file of a backup with its checksum.
 * @returns the keys of photos and other files that are damaged or missing, if they may be left out
 * @throws StartupError that names what is damaged or missing, and says what can be done
 */
export async function checkBackup(
  dir: string,
  manifest: Manifest,
  { progress, leaveOutDamaged = false }: { progress: Progress; leaveOutDamaged?: boolean | undefined },
): Promise<ReadonlySet<string>> {
  const problems = await findProblems(dir, manifest, progress)
  const { parts, files, damagedKeys } = problems
  if (parts.length === 0 && (leaveOutDamaged || files.length === 0)) return damagedKeys
  throw new StartupError(
    `The backup ${manifest.name} is damaged. Nothing was restored.\n${await damageText(dir, manifest, problems)}`,
  )
}

/**
 * When it is due, compares every file of the newest backup with its checksum: a disk that changes what was written is found
 * before the backup is needed. `damage`: what is wrong and what can be done; null when nothing is.
 */
export async function checkWhenDue(
  db: Db,
  { dir, manifest, progress }: { dir: string; manifest: Manifest; progress: Progress },
): Promise<{ checked: boolean; damage: string | null }> {
  if (!(await isCheckDue(db))) return { checked: false, damage: null }
  const problems = await findProblems(dir, manifest, progress)
  progress.end()
  const count = problems.parts.length + problems.files.length
  await recordCheck(db, count)
  return { checked: true, damage: count > 0 ? await damageText(dir, manifest, problems) : null }
}

/** The manifest of a backup; undefined for one that is not finished. When it is damaged, says which others there are. */
const readChosen = (dir: string, name: string): Promise<Manifest | undefined> =>
  readManifest(join(backupsIn(dir), name)).catch(async (error: unknown) => {
    if (!(error instanceof StartupError)) throw error
    throw new StartupError(`${error.message} ${await adviceToChoose(dir, name)}`)
  })

/**
 * The manifest of the named backup, or of the newest finished one, except those that are much smaller than others before.
 * @throws StartupError when there is none, or it is damaged
 */
export async function chooseBackup(dir: string, name?: string): Promise<Manifest> {
  if (name !== undefined) {
    const names = await backupNames(dir)
    const manifest = names.includes(name) ? await readChosen(dir, name) : undefined
    if (manifest) return manifest
    throw new StartupError(`There is no finished backup ${name} in ${dir}. There are: ${names.join(', ') || 'none'}.`)
  }
  const newest = (await judgeBackups(dir)).findLast(({ manifest, hasPassed }) => !manifest || hasPassed)
  const manifest = newest && (await readChosen(dir, newest.name))
  if (manifest) return manifest
  throw new StartupError(`There is no finished backup in ${dir}. Run "backup" again.`)
}
