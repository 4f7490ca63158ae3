import { totalmem } from 'node:os'

/** Values that the settings of a cluster depend on. */
export interface SettingsInput {
  socketDir: string
  /** Part of the title of every process of the cluster. */
  name: string
  /** False, for tests only: no protection against a crash of the machine, and more connections. */
  durable: boolean
}

const bytesPerMb = 1024 * 1024

/** A sixteenth of the memory of this machine or container, between 32 and 128 MB. */
const sharedBuffersMb = (): number => {
  const memoryLimit = process.constrainedMemory()
  const memory = memoryLimit > 0 ? Math.min(memoryLimit, totalmem()) : totalmem()
  return Math.round(Math.min(Math.max(memory / 16 / bytesPerMb, 32), 128))
}

/**
 * PostgreSQL's settings for one program on a small machine. It listens on a Unix socket only. It logs no rows and no
 * statements, because they contain personal data.
 */
export function postgresSettings({ socketDir, name, durable }: SettingsInput): Record<string, string | number> {
  return {
    listen_addresses: '',
    port: 5432,
    unix_socket_directories: `"${socketDir}"`,
    unix_socket_permissions: '0700',
    cluster_name: name,
    update_process_title: 'on',
    max_connections: 60,
    shared_buffers: `${sharedBuffersMb()}MB`,
    // For many small queries on few cores, parallel workers and compiled queries cost more than they save.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    io_method: 'sync',
    random_page_cost: 1.1,
    huge_pages: 'off',
    // Without replicas the write-ahead log can be smaller, and recovery after a crash faster.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_logical_replication_workers: 0,
    max_wal_size: '512MB',
    checkpoint_timeout: '10min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    // All tests share one cluster.
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 250 }),
  }
}
