import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createLog } from '../platform/process/log.ts'
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts'

let original: Promise<string> | undefined

async function createOriginal(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keepsnap-test-cluster-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  await (await startEmbeddedPostgres({ dataDir, log: createLog('silent'), durable: false })).stop()
  return dataDir
}

/** Makes a data folder with a cluster that was created and stopped; copying one costs a tenth of creating one. */
export async function copyClusterTo(dataDir: string): Promise<void> {
  original ??= createOriginal()
  mkdirSync(dataDir)
  await promisify(execFile)('cp', ['-a', join(await original, 'postgres'), join(dataDir, 'postgres')])
}
