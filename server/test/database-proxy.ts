import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { PoolConfig } from 'pg'

/** A proxy in front of the database that can lose replies and drop connections. */
export interface DatabaseProxy {
  /** What to connect to instead. */
  database: PoolConfig
  /**
   * The next commit takes place, but its answer does not come through: `meanwhile` is called, and the connection that
   * waits for it is cut afterwards. Resolves when that has happened. With `of`, it is not a transaction's commit but the
   * next statement that holds this text, which commits by itself.
   */
  loseCommitReply(how?: { of?: string; meanwhile?: () => void | Promise<void> }): Promise<void>
  /** Drops all connections, and refuses new ones until `meanwhile` has resolved. */
  dropConnectionsDuring(meanwhile: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** CommandComplete with the tag COMMIT (PostgreSQL's protocol, message format C). */
const committed = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

/** Stands between a program and a database behind a unix socket. */
export async function openDatabaseProxy(behind: PoolConfig): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  let lose: (() => Promise<void>) | undefined
  let statement: string | undefined
  let isRefusing = false
  const server = createServer((client) => {
    if (isRefusing) return void client.resetAndDestroy()
    const database = connect(join(behind.host ?? '', `.s.PGSQL.${behind.port}`))
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    client.pipe(database)
    let isStatementSent = false
    client.on('data', (part: Buffer) => {
      if (lose && statement !== undefined && part.includes(statement)) isStatementSent = true
    })
    database.on('data', (part: Buffer) => {
      const losing = lose
      // The reply to a statement is sent after its commit.
      const isReplyToLose = statement === undefined ? part.includes(committed) : isStatementSent
      if (!losing || !isReplyToLose) return void client.write(part)
      lose = undefined
      database.pause()
      void losing().then(() => client.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening')
  return {
    database: { ...behind, host: '127.0.0.1', port: address.port },
    loseCommitReply: ({ of, meanwhile } = {}) =>
      new Promise((resolve, reject) => {
        statement = of
        lose = async () => {
          await meanwhile?.()
          resolve()
        }
        setTimeout(() => reject(new Error('nothing was committed')), 60_000).unref()
      }),
    async dropConnectionsDuring(meanwhile) {
      isRefusing = true
      for (const socket of sockets) socket.destroy()
      await meanwhile()
      isRefusing = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
