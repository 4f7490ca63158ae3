import { networkInterfaces } from 'node:os'
import type { PoolConfig } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { holdDataFolder, prepareDataFolder } from './data-folder.ts'
import { findEmbedded, startEmbedded } from './db/embedded.ts'
import type { Closer } from './lifecycle.ts'

const privateNetwork = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/

/** This machine's address in its network, a private one first; undefined without a network. */
export function lanAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
  )
  return addresses.find((address) => privateNetwork.test(address)) ?? addresses[0]
}

/** A database to use, and how to let go of it. */
export interface Where {
  database: PoolConfig
  closers: Closer[]
  /** Resolves, with a sentence, when going on is impossible. */
  lost: Promise<string>
  /** Tells others who hold the data folder what is known now. */
  tell(more: { address?: string; stopping?: boolean }): void
}

const never = new Promise<string>(() => {})

/** The set database, or the embedded one in a data folder that is this program's alone from now on. */
export async function openDatabase(config: Config, log: Logger): Promise<Where> {
  await prepareDataFolder(config.dataDir)
  if (config.databaseUrl)
    return { database: { connectionString: config.databaseUrl }, closers: [], lost: never, tell: () => {} }
  const hold = await holdDataFolder(config.dataDir)
  try {
    const embedded = await startEmbedded({ dataDir: config.dataDir, log })
    return {
      database: embedded.connection,
      lost: Promise.race([embedded.lost, hold.lost]),
      tell: hold.tell,
      closers: [
        { name: 'PostgreSQL', limitMs: 20_000, close: () => embedded.stop() },
        { name: 'the data folder', limitMs: 1_000, close: () => hold.release() },
      ],
    }
  } catch (error) {
    await hold.release()
    throw error
  }
}

/** The database of a server that may be running: beside it when it does, otherwise as if starting one. */
export async function joinDatabase(config: Config, log: Logger): Promise<Where> {
  const running = config.databaseUrl ? undefined : findEmbedded(config.dataDir)
  return running ? { database: running, closers: [], lost: never, tell: () => {} } : openDatabase(config, log)
}
