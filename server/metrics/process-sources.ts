import { statfs } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'
import type { MetricSource, Metrics } from './metrics.ts'

/** Connections of the pool, and what the database refuses. */
export function measurePool(pool: Pool, metrics: Metrics): void {
  const watch = (client: PoolClient & { connection?: NodeJS.EventEmitter }): void => {
    // pg's connection emits each error of the server once, whatever code sent the query; its types leave it out for pools.
    client.connection?.on('errorMessage', ({ code }: { code?: unknown }) => {
      const sqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : 'none'
      metrics.count('keepsnap_database_errors_total', { class: sqlState })
    })
    client.on('error', () => metrics.count('keepsnap_database_connections_lost_total', {}))
  }
  pool.on('connect', watch)
  metrics.addSource({
    part: 'database connections',
    names: ['keepsnap_database_connections', 'keepsnap_database_connections_limit', 'keepsnap_database_waiting'],
    read: () => [
      {
        name: 'keepsnap_database_connections',
        labels: { state: 'used' },
        value: pool.totalCount - pool.idleCount,
      },
      { name: 'keepsnap_database_connections', labels: { state: 'idle' }, value: pool.idleCount },
      { name: 'keepsnap_database_connections_limit', labels: {}, value: pool.options.max },
      { name: 'keepsnap_database_waiting', labels: {}, value: pool.waitingCount },
    ],
  })
}

/** The disk of the data folder. */
export const diskSource = (dataDir: string): MetricSource => ({
  part: 'disk',
  names: ['keepsnap_disk_free_bytes', 'keepsnap_disk_size_bytes'],
  async read() {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    return [
      { name: 'keepsnap_disk_free_bytes', labels: {}, value: bavail * bsize },
      { name: 'keepsnap_disk_size_bytes', labels: {}, value: blocks * bsize },
    ]
  },
})

/** Whether this node listens to a notification channel of the database. */
export const listeningSource = (channel: 'events' | 'jobs', isListening: () => boolean): MetricSource => ({
  part: `channel of ${channel}`,
  names: [],
  read: () => [{ name: 'keepsnap_bus_listening', labels: { channel }, value: Number(isListening()) }],
})
