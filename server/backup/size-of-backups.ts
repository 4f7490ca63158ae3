import { join } from 'node:path'
import { plural, timeText } from '../lib/operator-texts.ts'
import { backupsIn } from './backup-folder.ts'
import { backupNames, readManifest, type Manifest } from './manifest.ts'

/** How much is in a backup, or in a database. */
export interface Counts {
  accounts: number
  photos: number
}

/** From this number on, half of it is missed. */
const missedFrom = 10

const rowsOf = ({ tables }: Pick<Manifest, 'tables'>, name: string): number =>
  tables.find(({ table }) => table === name)?.rows ?? 0
export const countsOf = (manifest: Pick<Manifest, 'tables'>): Counts => ({
  accounts: rowsOf(manifest, 'users'),
  photos: rowsOf(manifest, 'photos'),
})

export const countsText = ({ accounts, photos }: Counts): string =>
  `${plural(accounts, 'account')} and ${plural(photos, 'photo')}`
/** Which backup it is, from when, and what it has. */
export const contentsText = (manifest: Manifest): string =>
  `${manifest.name} of ${timeText(manifest.startedAt)}, with ${countsText(countsOf(manifest))}`

/** Whether fewer than half of the accounts or photos are left: the database is likely to be another one, or a new one. */
export const isMuchSmaller = (now: Counts, before: Counts): boolean =>
  (['accounts', 'photos'] as const).some((what) => before[what] >= missedFrom && now[what] < before[what] / 2)

/** A finished backup of a folder. */
export interface JudgedBackup {
  name: string
  /** Undefined when it is damaged. */
  manifest: Manifest | undefined
  /** It is no damaged one, nor much smaller than the newest one before it that passed, unless the operator has accepted that. */
  hasPassed: boolean
}

/** The finished backups of a folder, from the oldest to the newest. Those of earlier versions are compared now. */
export async function judgeBackups(dir: string): Promise<JudgedBackup[]> {
  const judged: JudgedBackup[] = []
  let before: Counts | undefined
  for (const name of await backupNames(dir)) {
    const manifest = await readManifest(join(backupsIn(dir), name)).catch(() => 'damaged' as const)
    if (manifest === undefined) continue
    if (manifest === 'damaged') {
      judged.push({ name, manifest: undefined, hasPassed: false })
      continue
    }
    const counts = countsOf(manifest)
    const isUnmarkedAndSmaller =
      manifest.installation === undefined && before !== undefined && isMuchSmaller(counts, before)
    const hasPassed = manifest.muchSmallerThan === undefined && !isUnmarkedAndSmaller
    judged.push({ name, manifest, hasPassed })
    if (hasPassed) before = counts
  }
  return judged
}
