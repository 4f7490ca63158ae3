import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import {
  createStoreGuard,
  guardedDisk,
  guardedSource,
  storeWithGuardedCheck,
  type JudgedStore,
  type StoreGuard,
} from '../moving/own-store.ts'
import { stateAtStart, type StorageState, type StoreIds } from '../moving/storage-state.ts'
import { followStoreInUse } from '../moving/store-in-use.ts'
import { newId } from '../lib/ids.ts'
import { diskStorage } from '../ports/storage/disk.ts'
import { StorageDown, type Storage } from '../ports/storage/storage.ts'
import { twoStores, type StoreName, type Stores } from '../ports/storage/two-stores.ts'
import { createProcessFolder } from '../runtime/process-folder.ts'
import { StartupError } from '../runtime/startup-error.ts'

type StorageSettings = Pick<Config, 'storage' | 'dataDir'>
type InstallationSettings = StorageSettings & Pick<Config, 'databaseUrl'>

const diskFolder = ({ dataDir }: StorageSettings): string => join(dataDir, 'files')

async function openDisk(settings: StorageSettings): Promise<{ storage: Storage; scratchDir: string }> {
  const dir = diskFolder(settings)
  const scratchDir = await createProcessFolder(join(dir, 'incoming'))
  return { storage: await diskStorage({ dir, incoming: scratchDir }), scratchDir }
}

/** The bucket of the settings; null without one. The S3 client is large, so it is loaded only when it is used. */
async function openBucket({ storage, dataDir }: StorageSettings): Promise<Storage | null> {
  if (storage.kind === 'disk') return null
  const { s3Storage } = await import('../ports/storage/s3.ts')
  return s3Storage(storage, await createProcessFolder(join(dataDir, 'spool')))
}

/** The store of the settings, whether or not it is in use: for what fills an empty installation. */
export const openStorageOfSettings = async (settings: StorageSettings): Promise<Storage> =>
  (await openBucket(settings)) ?? (await openDisk(settings)).storage

/** The disk and the bucket of the settings, for what moves files between them. */
export async function openStores(settings: StorageSettings): Promise<{ stores: Stores; scratchDir: string } | null> {
  const s3 = await openBucket(settings)
  if (!s3) return null
  const { storage: disk, scratchDir } = await openDisk(settings)
  return { stores: { disk, s3 }, scratchDir }
}

/** What identifies the stores of this node: a random id in the folder of files, and the address of the bucket. */
export async function storeIdsOf(settings: StorageSettings): Promise<StoreIds> {
  const dir = diskFolder(settings)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, 'store-id')
  await writeFile(path, newId(), { flag: 'wx', mode: 0o600 }).catch(() => {})
  const { storage } = settings
  const s3 = storage.kind === 's3' ? `${storage.endpoint.replace(/(?<!\/)\/+$/, '')}/${storage.bucket}` : null
  return { disk: await readFile(path, 'utf8'), s3 }
}

/** Says what is wrong when the settings do not name the store that has the files. */
function checkSettings({ store, step }: StorageState, { storage }: StorageSettings): void {
  if (storage.kind === 's3' || (store === 'disk' && (step === 'settled' || step === 'kept'))) return
  throw new StartupError(
    store === 's3'
      ? 'The files of this Keepsnap are in a bucket, but the settings name none. Set S3_BUCKET and the other four settings of the store; to have the files on disk again, keep them and run: move-storage disk'
      : 'Files of this Keepsnap are being moved between the disk and a bucket, but the settings name no bucket. Set S3_BUCKET and the other four settings of the store, and run move-storage to its end.',
  )
}

/** A line for the log when the settings name a bucket that is not in use. */
const unusedBucket =
  'The settings name a bucket, but files are on disk and stay there. To move them while the server runs: move-storage s3'

/** The stores with what decides whether they are this installation's. */
export function judgedStores(
  stores: Partial<Stores>,
  { storage, dataDir, databaseUrl }: InstallationSettings,
): Partial<Record<StoreName, JudgedStore>> {
  const places = {
    disk: `The folder ${diskFolder({ storage, dataDir })}`,
    s3: storage.kind === 's3' ? `The bucket ${storage.bucket} at ${storage.endpoint}` : '',
  }
  const judged = (name: StoreName, store: Storage): JudgedStore => ({
    name,
    storage: store,
    place: places[name],
    isBesideDatabase: name === 'disk' && databaseUrl === undefined,
  })
  return {
    ...(stores.disk && { disk: judged('disk', stores.disk) }),
    ...(stores.s3 && { s3: judged('s3', stores.s3) }),
  }
}

/** How a program treats a store that is not this installation's: refuses to start, uses it, or uses it after a warning. */
export type ForeignStore = 'refuse' | 'use' | 'warn'

/** A store that hangs must not delay the start for longer. What it answers later counts before anything is stored. */
const judgingMs = 5_000

/** @throws StartupError when the store in use is not this installation's */
async function refuseForeignStore(
  guard: StoreGuard,
  { start, foreignStore, log }: { start: StorageState; foreignStore: ForeignStore; log: Logger },
): Promise<void> {
  if (foreignStore !== 'refuse') guard.allowAll()
  if (foreignStore === 'use') return
  const judged = guard.reasonAgainst(start.store).catch((error: unknown) => {
    if (!(error instanceof StorageDown)) throw error
    return undefined
  })
  const reason = await Promise.race([judged, wait(judgingMs, undefined, { ref: false })])
  if (reason === undefined) return
  if (foreignStore === 'refuse')
    throw new StartupError(`${reason} To start with it as it is, this once: serve --anyway`)
  log.warn(`${reason} It is used as it is until the next start.`)
}

/** The store that is in use, which may change while the program runs. `close` when nothing is stored any more. */
export async function openStorageInUse({
  config,
  db,
  log,
  foreignStore = 'refuse',
  everyMs,
}: {
  config: InstallationSettings
  db: Db
  log: Logger
  foreignStore?: ForeignStore | undefined
  /** How often it asks which store is in use, for tests. */
  everyMs?: number | undefined
}): Promise<{ storage: Storage; close: () => Promise<void> }> {
  const start = await stateAtStart(db, config.storage.kind)
  checkSettings(start, config)
  if (config.storage.kind === 's3' && start.store === 'disk' && start.step === 'settled') log.warn(unusedBucket)
  const ids = await storeIdsOf(config)
  const source = await followStoreInUse({
    db,
    ids,
    start,
    everyMs,
    onChange: ({ store, step }) => log.info({ store, step }, 'the store in use has changed, or is about to'),
    onLost: (error) => log.warn({ err: error }, 'could not read from the database which store is in use'),
  })
  try {
    const two = await openStores(config)
    const stores = two?.stores ?? { disk: (await openDisk(config)).storage }
    const guard = createStoreGuard(judgedStores(stores, config), { db, ids, log })
    await refuseForeignStore(guard, { start, foreignStore, log })
    const storage = two
      ? twoStores({
          stores: {
            disk: storeWithGuardedCheck(two.stores.disk, guard),
            s3: storeWithGuardedCheck(two.stores.s3, guard),
          },
          source: guardedSource(source, guard),
          scratchDir: two.scratchDir,
        })
      : guardedDisk(stores.disk, guard)
    return { storage, close: () => source.close() }
  } catch (error) {
    await source.close().catch(() => {})
    throw error
  }
}
