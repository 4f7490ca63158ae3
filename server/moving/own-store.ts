import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { noteMarkedStore, readInstallation } from '../domain/installation.ts'
import { referencedObjectsPage } from '../domain/referenced-objects.ts'
import { markName, StorageDown, type Storage } from '../ports/storage/storage.ts'
import type { StoreName, StoreUseSource } from '../ports/storage/two-stores.ts'
import { liveNodes, type StoreIds } from './storage-state.ts'

/** How many files of a store without a mark are looked up in the database. */
const comparedMax = 1_000

/** A store of the settings, as far as it matters whose it is. */
export interface JudgedStore {
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

async function firstKeys(storage: Storage): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list()) if (keys.push(key) === comparedMax) break
  return keys
}

/** Why a store without a mark is not that of this installation. */
async function reasonWithoutMark(
  { db, ids, name, storage, isBesideDatabase, isTarget = false }: Judged,
  isMarked: boolean,
): Promise<string | undefined> {
  const keys = await firstKeys(storage)
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
    if (!isMarked[name]) await noteMarkedStore(db, name)
  } catch (error) {
    // A full disk must not keep files from being removed, nor a database that takes no writes them from being read.
    log.warn({ err: error }, 'the store of files could not be marked; the next start tries again')
  }
  return undefined
}

/** Makes sure, before anything is stored or removed, that the store is this installation's. */
export interface StoreGuard {
  /** Why it is not. Rejects when the store or the database does not answer. */
  reasonAgainst(name: StoreName): Promise<string | undefined>
  /** @throws StorageDown when it is not, or is unknown */
  expectOwn(name: StoreName): Promise<void>
  /** From now on everything counts as its own. */
  allowAll(): void
}

export function createStoreGuard(
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
export const storeWithGuardedCheck = (storage: Storage, { expectOwn }: StoreGuard): Storage => ({
  ...storage,
  async check() {
    await expectOwn(storage.kind)
    await storage.check()
  },
})

/** A disk that refuses changes, too, until it is known to be this installation's. */
export function guardedDisk(storage: Storage, guard: StoreGuard): Storage {
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
export const guardedSource = <Source extends StoreUseSource>(source: Source, { expectOwn }: StoreGuard): Source => ({
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
