import { join } from 'node:path'
import { newId } from '../../lib/ids.ts'
import { storeStaged, type ListedObject, type StagedObject, type Storage } from './storage.ts'

/** The two stores that a program can have. */
export type StoreName = Storage['kind']
/** Both of them. */
export type Stores = Record<StoreName, Storage>
/** The one that is not this. */
export const otherStore = (name: StoreName): StoreName => (name === 'disk' ? 's3' : 'disk')

/**
 * Which store is in use. `settled`: it has everything. `copying`: it has everything, and files are being copied to the other.
 * `clearing`: it gets everything new, and what is only in the other is being moved here. `kept`: as `settled`, but the other
 * still has copies, which are removed together with the files.
 */
export interface StoreUse {
  store: StoreName
  step: 'settled' | 'copying' | 'clearing' | 'kept'
}

/** How the stores learn which of them is in use. */
export interface StoreUseSource {
  /** Null when this may be out of date. */
  current(): StoreUse | null
  /** What is in use, for a change that begins now. `end` must be called when the change has ended. */
  beginChange(): Promise<{ use: StoreUse; end: () => void }>
  /** Remembers keys that are about to be removed, so that nobody keeps a copy of them. */
  noteRemoved(keys: readonly string[]): Promise<void>
}

interface TwoStores {
  stores: Stores
  source: StoreUseSource
  /** A folder of this process, on the file system of the disk store. */
  scratchDir: string
}

/** Runs a change with what is in use for as long as it takes. */
async function withUse<T>({ source }: TwoStores, change: (use: StoreUse) => Promise<T>): Promise<T> {
  const { use, end } = await source.beginChange()
  try {
    return await change(use)
  } finally {
    end()
  }
}

/**
 * Reads from the store in use, then from the other, then once more from the first: a file that is moved meanwhile is in one
 * of them at each moment, because it is copied before it is removed. Without a move, a failure of the other does not count.
 */
async function findIn<T>(
  { stores, source }: TwoStores,
  read: (storage: Storage) => Promise<T>,
  isFound: (result: T) => boolean,
): Promise<T> {
  const { store, step } = source.current() ?? { store: 'disk', step: 'clearing' }
  const [main, other] = [stores[store], stores[otherStore(store)]]
  let notFound: T | undefined
  let failure: unknown
  for (const storage of [main, other, main]) {
    try {
      const result = await read(storage)
      if (isFound(result)) return result
      notFound = result
    } catch (error) {
      if (storage === main || step !== 'settled') failure ??= error
    }
  }
  if (failure !== undefined) throw failure
  return notFound as T // without a failure, each of the three reads had a result
}

const isNotNull = (result: unknown): boolean => result !== null

/** Stores what was staged in one store, in the store that is in use by then. */
async function commitStaged(
  two: TwoStores,
  { staged, stagedIn }: { staged: StagedObject; stagedIn: Storage },
  { key, type }: { key: string; type: string },
): Promise<void> {
  await withUse(two, async ({ store }) => {
    const target = two.stores[store]
    if (target === stagedIn) return staged.commit(key, { type })
    const path = join(two.scratchDir, newId())
    await staged.linkTo(path)
    await target.moveIn(key, path, { type })
  })
}

/**
 * Removes from both stores whatever may be in both. While files are moved, a failure of the store that is not in use does not
 * count: the keys are remembered, and the move ends only when they are gone from both.
 */
async function removeFrom(two: TwoStores, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await withUse(two, async ({ store, step }) => {
    const [main, other] = [two.stores[store], two.stores[otherStore(store)]]
    if (step === 'settled') {
      await main.remove(keys)
      // Cheap, and removes what a node that was suspended for a long time has stored here since.
      if (other.kind === 'disk') await other.remove(keys)
      return
    }
    const isMoving = step !== 'kept'
    if (isMoving) await two.source.noteRemoved(keys)
    const [fromMain, fromOther] = await Promise.allSettled([main.remove(keys), other.remove(keys)])
    if (fromMain.status === 'rejected') throw fromMain.reason
    if (fromOther.status === 'rejected' && !isMoving) throw fromOther.reason
  })
}

/**
 * Lists what is stored. A file that is being moved is in the source until it is in the target, so the source comes first; and a
 * move can begin, or be reversed, meanwhile. Files that both stores have come twice.
 */
async function* listBoth(
  { stores, source }: TwoStores,
  onOtherName?: (name: string) => void,
): AsyncGenerator<ListedObject> {
  const use = source.current()
  const first = use?.step === 'clearing' ? otherStore(use.store) : (use?.store ?? 'disk')
  yield* stores[first].list(onOtherName)
  if (use?.step === 'settled' && isSettledIn(source.current(), first)) return
  yield* stores[otherStore(first)].list(onOtherName)
  const hasTurned = use?.store !== first && source.current()?.store === first
  if (use === null || hasTurned) yield* stores[first].list()
}

const isSettledIn = (use: StoreUse | null, store: StoreName): boolean => use?.step === 'settled' && use.store === store

async function presign(
  { stores, source }: TwoStores,
  key: string,
  response: { type: string; disposition: string },
): Promise<string | null> {
  const use = source.current()
  // A file that is leaving the bucket, or that has not arrived there yet, is sent by this program.
  if (use?.store !== 's3') return null
  const isMoving = use.step === 'copying' || use.step === 'clearing'
  if (isMoving && (await stores.s3.sizeOf(key)) === null) return null
  return stores.s3.presign(key, response)
}

/**
 * A disk and a bucket as one storage: new files go to the one in use; all others are found in either. While nothing is moved,
 * the other store is asked only for what is missing.
 */
export function twoStores(two: TwoStores): Storage {
  const { stores, source } = two
  const mainStore = (): Storage => stores[source.current()?.store ?? 'disk']
  const stage: Storage['stage'] = async (stream, options) => {
    const stagedIn = mainStore()
    const staged = await stagedIn.stage(stream, options)
    return { ...staged, commit: (key, { type }) => commitStaged(two, { staged, stagedIn }, { key, type }) }
  }
  return {
    get kind() {
      return mainStore().kind
    },
    stage,
    storeLarge: (key, upload) =>
      source.current()?.step === 'settled'
        ? withUse(two, ({ store }) => {
            const target = stores[store]
            return target.storeLarge?.(key, upload) ?? storeStaged(target, key, upload)
          })
        : storeStaged({ stage }, key, upload),
    moveIn: (key, path, options) => withUse(two, ({ store }) => stores[store].moveIn(key, path, options)),
    linkTo: (key, path) => findIn(two, (storage) => storage.linkTo(key, path), Boolean),
    open: (key, span) => findIn(two, (storage) => storage.open(key, span), isNotNull),
    openFile: async (key) => (await stores.disk.openFile?.(key)) ?? null,
    sizeOf: (key) => findIn(two, (storage) => storage.sizeOf(key), isNotNull),
    remove: (keys) => removeFrom(two, keys),
    removeUnfinished: async (before) => (await stores.s3.removeUnfinished?.(before)) ?? 0,
    list: (onOtherName) => listBoth(two, onOtherName),
    presign: (key, response) => presign(two, key, response),
    check: () => mainStore().check(),
    readInstallation: () => mainStore().readInstallation(),
    writeInstallation: (id) => mainStore().writeInstallation(id),
  }
}
