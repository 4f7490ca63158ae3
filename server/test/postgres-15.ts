import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type PoolConfig } from 'pg'
import { onTestFinished } from 'vitest'
import { databaseUser } from '../platform/postgres/binaries.ts'
import { createLog } from '../platform/process/log.ts'

const binaries = '/usr/lib/postgresql/15/bin'
const startMs = 120_000

async function untilReady(database: PoolConfig): Promise<Client> {
  for (const end = Date.now() + startMs; ; await delay(50)) {
    const client = new Client({ ...database, database: 'postgres' })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

/** A database of Debian's PostgreSQL 15 for this test, whose user owns it and is no superuser, as with most hosters. */
export async function postgres15(): Promise<PoolConfig> {
  const dir = mkdtempSync(join(tmpdir(), 'keepsnap-pg15-'))
  const user = databaseUser(join(dir, 'cluster'), createLog('error'))
  chmodSync(dir, 0o755)
  if (user) chownSync(dir, user.uid, user.gid)
  const cluster = join(dir, 'cluster')
  const args = ['-D', cluster, '-U', 'admin', '--auth=trust', '--locale=C.UTF-8', '--encoding=UTF8', '--no-sync']
  execFileSync(join(binaries, 'initdb'), args, { ...user, cwd: '/', stdio: 'pipe' })
  const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${dir}`, '-c', 'fsync=off']
  const server = spawn(join(binaries, 'postgres'), ['-D', cluster, ...settings], { ...user, cwd: '/', stdio: 'ignore' })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  onTestFinished(async () => {
    server.kill('SIGINT')
    await ended
    rmSync(dir, { recursive: true, force: true })
  })
  const admin = await untilReady({ host: dir, port: 5432, user: 'admin' })
  await admin.query('create role keepsnap login')
  await admin.query('create database keepsnap owner keepsnap')
  await admin.end()
  return { host: dir, port: 5432, user: 'keepsnap', database: 'keepsnap' }
}
