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
  /** Resolves with a message when the database is lost for good: the program must exit. */
  lost: Promise<string>
  /** Adds to what other programs read in the lock of the data folder. */
  updateLock(more: { address?: string; stopping?: boolean }): void
}

const never = new Promise<string>(() => {})

/** The database of DATABASE_URL, or the embedded one in the data folder, which is locked for this program. */
export async function openDatabase(config: Config, log: Logger): Promise<DatabaseConnection> {
  await prepareDataFolder(config.dataDir)
  if (config.databaseUrl)
    return { database: { connectionString: config.databaseUrl }, shutdownSteps: [], lost: never, updateLock: () => {} }
  const lock = await lockDataFolder(config.dataDir)
  try {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
    return {
      database: embedded.connection,
      lost: Promise.race([embedded.lost, lock.lost]),
      updateLock: lock.update,
      shutdownSteps: [
        { name: 'PostgreSQL', timeoutMs: 20_000, close: () => embedded.stop() },
        { name: 'data folder lock', timeoutMs: 1_000, close: () => lock.release() },
      ],
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** The database of a running server, if there is one; otherwise like `openDatabase`. */
export async function joinOrOpenDatabase(config: Config, log: Logger): Promise<DatabaseConnection> {
  const running = config.databaseUrl ? undefined : findEmbeddedPostgres(config.dataDir)
  return running
    ? { database: running, shutdownSteps: [], lost: never, updateLock: () => {} }
    : openDatabase(config, log)
}
