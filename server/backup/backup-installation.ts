import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Client } from 'pg'
import { StartupError } from '../runtime/startup-error.ts'
import { backupsIn, type BackupFolder } from './backup-folder.ts'
import { pagesOf } from './file-lists.ts'
import type { Manifest } from './manifest.ts'
import { contentsText, countsOf, type JudgedBackup } from './size-of-backups.ts'

const pageSize = 1_000

/** The id of the installation; undefined in the database of an earlier version. */
export async function installationOf(client: Client): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('public.installation') is not null as found`,
  )
  if (!tables[0]?.found) return undefined
  return (await client.query<{ id: string }>('select id from installation')).rows[0]?.id
}

/** The id of the installation that a folder of backups belongs to; undefined for one of an earlier version. */
export const installationOfFolder = (
  marked: string | undefined,
  backups: readonly JudgedBackup[],
): string | undefined => marked ?? backups.findLast(({ manifest }) => manifest?.installation)?.manifest?.installation

/** The ids of the accounts in a backup. */
async function* accountsIn(dir: string, { name, tables }: Manifest): AsyncGenerator<string> {
  const users = tables.find(({ table }) => table === 'users')
  const path = join(backupsIn(dir), name, users?.file ?? '')
  if (!users || !existsSync(path)) return
  const column = users.columns.indexOf('id')
  for await (const line of createInterface({ input: createReadStream(path) })) yield line.split('\t')[column] ?? ''
}

/** Whether a backup has an account that the database has, too. */
async function hasAccountOf(client: Client, dir: string, manifest: Manifest): Promise<boolean> {
  for await (const ids of pagesOf(accountsIn(dir, manifest), pageSize)) {
    const { rowCount } = await client.query('select from users where id = any ($1) limit 1', [ids])
    if (rowCount) return true
  }
  return false
}

/**
 * Two installations that share a folder would remove each other's backups, and a restore would take the newer one. A folder
 * of an earlier version, which has no id, is this one's if a backup in it has an account that the database has, too, or if
 * none has any.
 * @throws StartupError when the folder has backups of another installation
 */
export async function refuseOtherInstallation(
  client: Client,
  { dir, installation: marked }: BackupFolder,
  backups: readonly JudgedBackup[],
): Promise<void> {
  const manifests = backups.flatMap(({ manifest }) => manifest ?? []).toReversed()
  const found = installationOfFolder(marked, backups)
  const [newest] = manifests
  if (!newest || found === (await installationOf(client))) return
  if (found === undefined) {
    if (manifests.every((manifest) => countsOf(manifest).accounts === 0)) return
    for (const manifest of manifests) if (await hasAccountOf(client, dir, manifest)) return
  }
  throw new StartupError(
    `The backups in ${dir} are of another Keepsnap, with the PUBLIC_URL ${newest.publicUrl}. The newest is ${contentsText(newest)}. Nothing was backed up. If this installation takes the place of that one, restore first; otherwise choose a folder of its own for it. To back up into this folder all the same: --adopt`,
  )
}
