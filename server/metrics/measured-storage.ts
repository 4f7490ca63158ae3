import { StorageDown, type StagedObject, type Storage } from '../ports/storage/storage.ts'
import { noMetrics, secondsSince, type Metrics } from './metrics.ts'

/** Calls that read what a client sends: they also fail when the client goes away, or the upload is refused. */
const streamingCalls = ['stage', 'storeLarge']

/** Whether the store failed, or the system that it runs on. */
const isStoreAtFault = (operation: string, error: unknown): boolean =>
  error instanceof StorageDown || !streamingCalls.includes(operation) || (error instanceof Error && 'syscall' in error)

/** Measures the calls of a store, and counts those that fail. */
export function measuredStorage(storage: Storage, metrics: Metrics): Storage {
  if (metrics === noMetrics) return storage
  const measure = async <T>(operation: string, call: Promise<T>): Promise<T> => {
    const startedAtMs = performance.now()
    try {
      return await call
    } catch (error) {
      if (isStoreAtFault(operation, error)) {
        const reason = error instanceof StorageDown ? 'down' : 'other'
        metrics.count('keepsnap_storage_errors_total', { operation, reason })
      }
      throw error
    } finally {
      metrics.observe('keepsnap_storage_operation_seconds', { operation }, secondsSince(startedAtMs))
    }
  }
  const measuredStage = (staged: StagedObject): StagedObject => ({
    bytes: staged.bytes,
    linkTo: (path) => staged.linkTo(path),
    commit: (key, options) => measure('commit', staged.commit(key, options)),
    discard: () => staged.discard(),
  })
  const { openFile, storeLarge, removeUnfinished } = storage
  return {
    ...storage,
    stage: (source, options) => measure('stage', storage.stage(source, options)).then(measuredStage),
    moveIn: (key, path, options) => measure('moveIn', storage.moveIn(key, path, options)),
    linkTo: (key, path) => measure('linkTo', storage.linkTo(key, path)),
    open: (key, span) => measure('open', storage.open(key, span)),
    ...(openFile && { openFile: (key: string) => measure('open', openFile(key)) }),
    ...(storeLarge && {
      storeLarge: (key: string, upload: Parameters<typeof storeLarge>[1]) =>
        measure('storeLarge', storeLarge(key, upload)),
    }),
    ...(removeUnfinished && {
      removeUnfinished: (before: Date) => measure('removeUnfinished', removeUnfinished(before)),
    }),
    sizeOf: (key) => measure('sizeOf', storage.sizeOf(key)),
    remove: (keys) => measure('remove', storage.remove(keys)),
    presign: (key, response) => measure('presign', storage.presign(key, response)),
    check: () => measure('check', storage.check()),
  }
}
