import { join } from 'node:path'
import type { Config } from './config.ts'
import { diskStorage } from './ports/storage/disk.ts'
import type { Storage } from './ports/storage/storage.ts'
import { createProcessFolder } from './runtime/process-folder.ts'

/** The store of the settings. The S3 client is large, so it is loaded only when it is used. */
export async function openStorage({ storage, dataDir }: Pick<Config, 'storage' | 'dataDir'>): Promise<Storage> {
  if (storage.kind === 'disk') {
    const dir = join(dataDir, 'files')
    return diskStorage({ dir, incoming: await createProcessFolder(join(dir, 'incoming')) })
  }
  const { s3Storage } = await import('./ports/storage/s3.ts')
  return s3Storage(storage, await createProcessFolder(join(dataDir, 'spool')))
}
