import type { PoolConfig } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { lockDataFolder, prepareDataFolder } from '../runtime/data-folder.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { ShutdownStep } from '../runtime/shutdown.ts'

/** A database, and the steps that release it. */
export interface DatabaseConnection {
  database: PoolConfig
  shutdownSteps: ShutdownStep[]
  /** Resolves with a message when another program may use the data folder: this one must exit. */
  lost: Promise<string>
  /** Adds to what other programs read in the lock of the data folder. */
  updateLock(more: { address?: string; stopping?: boolean }): void
}

const neverLost = new Promise<string>(() => {})

/** The database of DATABASE_URL, or the embedded one in the data folder, which is locked for this program. */
export async function openDatabase(config: Config, log: Logger): Promise<DatabaseConnection> {
  await prepareDataFolder(config.dataDir)
  if (config.databaseUrl)
    return {
      database: { connectionString: config.databaseUrl },
      shutdownSteps: [],
      lost: neverLost,
      updateLock: () => {},
    }
  const folderLock = await lockDataFolder(config.dataDir)
  try {
    const embeddedPostgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
    return {
      database: embeddedPostgres.connection,
      lost: folderLock.lost,
      updateLock: folderLock.update,
      shutdownSteps: [
        { name: 'PostgreSQL', timeoutMs: 20_000, close: () => embeddedPostgres.stop() },
        { name: 'data folder lock', timeoutMs: 1_000, close: () => folderLock.release() },
      ],
    }
  } catch (error) {
    await folderLock.release()
    throw error
  }
}

/** The database of a running server, if there is one; otherwise like `openDatabase`. */
export async function joinOrOpenDatabase(config: Config, log: Logger): Promise<DatabaseConnection> {
  const runningPostgres = config.databaseUrl ? undefined : findEmbeddedPostgres(config.dataDir)
  return runningPostgres
    ? { database: runningPostgres, shutdownSteps: [], lost: neverLost, updateLock: () => {} }
    : openDatabase(config, log)
}
