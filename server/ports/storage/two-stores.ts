import { join } from 'node:path'
import { newId } from '../../lib/ids.ts'
import { storeStaged, type StagedObject, type Storage } from './storage.ts'

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

const isNotNull = (result: unknown): boolean => result !== null

/**
 * A disk and a bucket as one storage: new files go to the one in use; all others are found in either. While nothing is moved,
 * the other store is asked only for what is missing.
 */
export function twoStores({ stores, source, scratchDir }: TwoStores): Storage {
  const mainStore = (): Storage => stores[source.current()?.store ?? 'disk']

  /** Runs a change with what is in use for as long as it takes. */
  async function withUse<T>(change: (use: StoreUse) => Promise<T>): Promise<T> {
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
  async function findIn<T>(read: (storage: Storage) => Promise<T>, isFound: (result: T) => boolean): Promise<T> {
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

  const stage: Storage['stage'] = async (stream, options) => {
    const stagedIn = mainStore()
    const staged = await stagedIn.stage(stream, options)
    // Stored in the store that is in use by then.
    const commit: StagedObject['commit'] = (key, { type }) =>
      withUse(async ({ store }) => {
        const target = stores[store]
        if (target === stagedIn) return staged.commit(key, { type })
        const path = join(scratchDir, newId())
        await staged.linkTo(path)
        await target.moveIn(key, path, { type })
      })
    return { ...staged, commit }
  }

  return {
    get kind() {
      return mainStore().kind
    },
    stage,
    storeLarge: (key, upload) =>
      source.current()?.step === 'settled'
        ? withUse(({ store }) => {
            const target = stores[store]
            return target.storeLarge?.(key, upload) ?? storeStaged(target, key, upload)
          })
        : storeStaged({ stage }, key, upload),
    moveIn: (key, path, options) => withUse(({ store }) => stores[store].moveIn(key, path, options)),
    linkTo: (key, path) => findIn((storage) => storage.linkTo(key, path), Boolean),
    open: (key, span) => findIn((storage) => storage.open(key, span), isNotNull),
    openFile: async (key) => (await stores.disk.openFile?.(key)) ?? null,
    sizeOf: (key) => findIn((storage) => storage.sizeOf(key), isNotNull),
    /**
     * From both stores whatever may be in both. While files are moved, a failure of the store that is not in use does not
     * count: the keys are remembered, and the move ends only when they are gone from both.
     */
    async remove(keys) {
      if (keys.length === 0) return
      await withUse(async ({ store, step }) => {
        const [main, other] = [stores[store], stores[otherStore(store)]]
        if (step === 'settled') {
          await main.remove(keys)
          // Cheap, and removes what a node that was suspended for a long time has stored here since.
          if (other.kind === 'disk') await other.remove(keys)
          return
        }
        const isMoving = step !== 'kept'
        if (isMoving) await source.noteRemoved(keys)
        const [fromMain, fromOther] = await Promise.allSettled([main.remove(keys), other.remove(keys)])
        if (fromMain.status === 'rejected') throw fromMain.reason
        if (fromOther.status === 'rejected' && !isMoving) throw fromOther.reason
      })
    },
    removeUnfinished: async (before) => (await stores.s3.removeUnfinished?.(before)) ?? 0,
    /**
     * A file that is being moved is in the source until it is in the target, so the source comes first; and a move can begin, or
     * be reversed, meanwhile. Files that both stores have come twice.
     */
    async *list(onOtherName) {
      const use = source.current()
      const first = use?.step === 'clearing' ? otherStore(use.store) : (use?.store ?? 'disk')
      yield* stores[first].list(onOtherName)
      const now = source.current()
      if (use?.step === 'settled' && now?.step === 'settled' && now.store === first) return
      yield* stores[otherStore(first)].list(onOtherName)
      const hasTurned = use?.store !== first && source.current()?.store === first
      if (use === null || hasTurned) yield* stores[first].list()
    },
    async presign(key, response) {
      const use = source.current()
      // A file that is leaving the bucket, or that has not arrived there yet, is sent by this program.
      if (use?.store !== 's3') return null
      const isMoving = use.step === 'copying' || use.step === 'clearing'
      if (isMoving && (await stores.s3.sizeOf(key)) === null) return null
      return stores.s3.presign(key, response)
    },
    check: () => mainStore().check(),
    readInstallation: () => mainStore().readInstallation(),
    writeInstallation: (id) => mainStore().writeInstallation(id),
  }
}
