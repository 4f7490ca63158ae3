import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from './platform/db/connect.ts'
import { type StoreName, type Stores, type StoreUseSource, twoStores } from './ports/storage/two-stores.ts'
import { referencedObjectsPage } from './features/photos/stored-objects.ts'
import { markName, type Storage, StorageDown } from './ports/storage/storage.ts'
import {
  followStoreInUse,
  liveNodes,
  stateAtStart,
  type StorageState,
  type StoreIds,
} from './ports/storage/store-in-use.ts'
import { createImagePool, type ImagePool } from './images/sandbox/image-pool.ts'
import { createProcessFolder } from './platform/process/processes.ts'
import type { Config } from './config.ts'
import type { Mail } from './ports/mail/mail.ts'
import { outboxMail } from './ports/mail/outbox.ts'
import { smtpMail } from './ports/mail/smtp.ts'
import { StartupError } from './faults.ts'
import { newId } from './lib/ids.ts'
import { diskStorage } from './ports/storage/disk.ts'

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
  const { s3Storage } = await import('./ports/storage/s3.ts')
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
  if (config.storage.kind === 's3' && start.store === 'disk' && start.step === 'settled')
    log.warn(
      'The settings name a bucket, but files are on disk and stay there. To move them while the server runs: move-storage s3',
    )
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

/** The id of this installation, and whether a store of each kind has been marked with it. */
export async function readInstallation(db: Db): Promise<{ id: string; isMarked: Record<StoreName, boolean> }> {
  const row = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow()
  return { id: row.id, isMarked: { disk: row.disk_marked, s3: row.s3_marked } }
}

/** Gives a restored database the id that its backups have. */
export async function setInstallationId(db: Db, id: string): Promise<void> {
  await db.updateTable('installation').set({ id }).execute()
}

/** How many files of a store without a mark are looked up in the database. */
const comparedMax = 1_000

/** A store of the settings, as far as it matters whose it is. */
interface JudgedStore {
  name: StoreName
  storage: Storage
  /** Where it is, for the operator. */
  place: string
  /** It stands in the same folder as its database, so it cannot be another's. */
  isBesideDatabase: boolean
}

interface Judged extends JudgedStore {
  db: Db
  ids: StoreIds
  /** It is going to get the files that the database names. */
  isTarget?: boolean
}

const settings: Record<StoreName, string> = { disk: 'DATA_DIR', s3: 'S3_BUCKET and S3_ENDPOINT' }

/** Why a store without a mark is not that of this installation. */
async function reasonWithoutMark(
  { db, ids, name, storage, isBesideDatabase, isTarget = false }: Judged,
  isMarked: boolean,
): Promise<string | undefined> {
  const keys: string[] = []
  for await (const { key } of storage.list()) if (keys.push(key) === comparedMax) break
  if (keys.length > 0) {
    if (isMarked && !isTarget && !isBesideDatabase) return `has files, but not the file ${markName} of this Keepsnap`
    const known = await db.selectFrom('stored_objects').select('key').where('key', 'in', keys).limit(1).execute()
    const hasAccounts = async () => (await db.selectFrom('users').select('id').limit(1).execute()).length > 0
    if (known.length > 0 || (isBesideDatabase && (await hasAccounts()))) return undefined
    return `has files that the database does not know, such as ${keys[0]}: they are of another Keepsnap, or the database was lost (restore a backup with --keep-files)`
  }
  if (isTarget) return undefined
  if ((await referencedObjectsPage(db, '', 1)).length > 0)
    return 'has none of the files that the database names: it is another one than before, or its disk is not mounted'
  const others = (await liveNodes(db)).some((node) => node[name] !== null && node[name] !== ids[name])
  return others ? 'is not the one of the other programs on this database: all must use the same' : undefined
}

/**
 * Marks a store that is this installation's; the sentences for the operator when it is not. A store without a mark is new, or
 * from an earlier version: it is ours if it has a file that the database knows, or if neither has any.
 */
export async function reasonAgainstStore(judged: Judged, log: Pick<Logger, 'warn'>): Promise<string | undefined> {
  const { db, name, storage, place } = judged
  const { id, isMarked } = await readInstallation(db)
  const found = await storage.readInstallation()
  if (found !== id) {
    const reason =
      found === null
        ? await reasonWithoutMark(judged, isMarked[name])
        : `is of another Keepsnap, or the database was lost (restore a backup with --keep-files): its file ${markName} says ${found}`
    if (reason !== undefined)
      return `${place} ${reason}. Nothing was stored there. Check ${settings[name]} and DATABASE_URL. If it is the right one all the same, write {"installation":"${id}"} into its file ${markName}.`
  }
  try {
    if (found !== id) await storage.writeInstallation(id)
    if (!isMarked[name])
      await db
        .updateTable('installation')
        .set(name === 'disk' ? { disk_marked: true } : { s3_marked: true })
        .execute()
  } catch (error) {
    // A full disk must not keep files from being removed, nor a database that takes no writes them from being read.
    log.warn({ err: error }, 'the store of files could not be marked; the next start tries again')
  }
  return undefined
}

/** Makes sure, before anything is stored or removed, that the store is this installation's. */
interface StoreGuard {
  /** Why it is not. Rejects when the store or the database does not answer. */
  reasonAgainst(name: StoreName): Promise<string | undefined>
  /** @throws StorageDown when it is not, or is unknown */
  expectOwn(name: StoreName): Promise<void>
  /** From now on everything counts as its own. */
  allowAll(): void
}

function createStoreGuard(
  stores: Partial<Record<StoreName, JudgedStore>>,
  { db, ids, log }: { db: Db; ids: StoreIds; log: Logger },
): StoreGuard {
  const own = new Set<StoreName>()
  const running = new Map<StoreName, Promise<string | undefined>>()
  let logged: string | undefined
  let isAllAllowed = false
  const judge = async (name: StoreName): Promise<string | undefined> => {
    const store = stores[name]
    const reason = store && (await reasonAgainstStore({ ...store, db, ids }, log))
    if (reason === undefined) own.add(name)
    return reason
  }
  const reasonAgainst = (name: StoreName): Promise<string | undefined> => {
    const judging = running.get(name) ?? judge(name).finally(() => running.delete(name))
    running.set(name, judging)
    return judging
  }
  return {
    reasonAgainst,
    async expectOwn(name) {
      if (isAllAllowed || own.has(name)) return
      const reason = await reasonAgainst(name)
      if (reason === undefined) return
      if (reason !== logged) log.error(reason)
      logged = reason
      throw new StorageDown(reason)
    },
    allowAll: () => void (isAllAllowed = true),
  }
}

/** A store that counts as reachable only when it is this installation's. */
const storeWithGuardedCheck = (storage: Storage, { expectOwn }: StoreGuard): Storage => ({
  ...storage,
  async check() {
    await expectOwn(storage.kind)
    await storage.check()
  },
})

/** A disk that refuses changes, too, until it is known to be this installation's. */
function guardedDisk(storage: Storage, guard: StoreGuard): Storage {
  const { kind } = storage
  return {
    ...storeWithGuardedCheck(storage, guard),
    async stage(source, options) {
      const staged = await storage.stage(source, options)
      const commit: typeof staged.commit = async (key, object) => {
        await guard.expectOwn(kind)
        await staged.commit(key, object)
      }
      return { ...staged, commit }
    },
    async moveIn(key, path, options) {
      await guard.expectOwn(kind)
      await storage.moveIn(key, path, options)
    },
    async remove(keys) {
      await guard.expectOwn(kind)
      await storage.remove(keys)
    },
  }
}

/** The same for two stores: changes follow the one that is in use by then. */
const guardedSource = <Source extends StoreUseSource>(source: Source, { expectOwn }: StoreGuard): Source => ({
  ...source,
  async beginChange() {
    const change = await source.beginChange()
    try {
      await expectOwn(change.use.store)
    } catch (error) {
      change.end()
      throw error
    }
    return change
  },
})

/** The image processes of this node, started at the first use: nodes that only serve HTTP rarely need them. */
interface LazyImagePool {
  get(): Promise<ImagePool>
  /** Stops the processes if they were started. */
  close(): Promise<void>
}

interface ImagePoolSettings {
  dataDir: string
  maxMegapixels: number
  /** Undefined: one image process per core. */
  workers: number | undefined
}

export const imageProcessCount = ({ workers }: Pick<ImagePoolSettings, 'workers'>): number =>
  workers ?? availableParallelism()

export function createLazyImagePool({ config, log }: { config: ImagePoolSettings; log: Logger }): LazyImagePool {
  let imagePool: Promise<ImagePool> | undefined
  let isClosed = false
  const startImagePool = async (): Promise<ImagePool> =>
    createImagePool({
      scratchDir: await createProcessFolder(join(config.dataDir, 'scratch')),
      size: imageProcessCount(config),
      maxMegapixels: config.maxMegapixels,
      log,
    })
  return {
    get() {
      if (isClosed) return Promise.reject(new Error('the image processes have been stopped'))
      if (!imagePool) {
        const startingPool = startImagePool()
        imagePool = startingPool
        // After a failure the next call tries again.
        startingPool.catch(() => imagePool === startingPool && (imagePool = undefined))
      }
      return imagePool
    },
    async close() {
      isClosed = true
      await (await imagePool?.catch(() => undefined))?.close()
    },
  }
}

/**
 * How emails are sent by the settings. Node itself reads NODE_EXTRA_CA_CERTS too, but only from the environment that it is
 * started with, not from `.env`, and does not say so when it cannot read the file.
 * @throws StartupError when that file has no certificates
 */
export async function openMail({ mail, mailFrom, dataDir, outboxMaxBytes }: Config): Promise<Mail> {
  if (mail.kind === 'outbox') return outboxMail(join(dataDir, 'outbox'), { maxBytes: outboxMaxBytes })
  const { extraCertificatesFile: file, ...server } = mail
  const extra = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => '')
  if (extra !== undefined && !extra.includes('-----BEGIN CERTIFICATE-----'))
    throw new StartupError(
      `NODE_EXTRA_CA_CERTS is ${file}, which cannot be read or has no certificate; give a file with certificates in the format PEM.`,
    )
  const certificates = extra === undefined ? undefined : [...rootCertificates, extra]
  return smtpMail({ ...server, certificates, name: mailFrom.address.split('@')[1] ?? 'localhost' })
}
