/**
 * Generates server/platform/db/schema.ts from the migrations, or with --check fails when it is out of date. Uses a temporary
 * database cluster, so the types are those of the migrations alone.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../server/platform/db/connect.ts'
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { createLog } from '../server/platform/process/log.ts'

const modules = join(import.meta.dirname, '../node_modules')
const target = join(import.meta.dirname, '../server/platform/db/schema.ts')
const scratchDir = mkdtempSync(join(tmpdir(), 'keepsnap-types-'))
const log = createLog('error')
const postgres = await startEmbeddedPostgres({ dataDir: scratchDir, log, durable: false })
try {
  const database = connect(postgres.connection, log, 2)
  await migrate(database.db, database.pool)
  await database.close()
  const { host, port, user, database: name } = postgres.connection
  const generated = join(scratchDir, 'schema.ts')
  // The generator loads the compiler as `typescript` without declaring it. Ours is installed as `tsc`: by its own name it would be
  // an optional peer of a dependency of graphile-worker, and npm would install it for running, too.
  const extraModules = join(scratchDir, 'modules')
  mkdirSync(extraModules)
  symlinkSync(join(modules, 'tsc'), join(extraModules, 'typescript'))
  execFileSync(
    join(modules, '.bin/kysely-codegen'),
    [
      '--dialect',
      'postgres',
      '--url',
      `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
      '--out-file',
      generated,
      '--default-schema',
      'public',
      '--include-pattern',
      'public.*',
      '--exclude-pattern',
      '*kysely_*',
      '--date-parser',
      'string',
      '--type-mapping',
      '{"int8":"number"}',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_PATH: extraModules } },
  )
  const text = readFileSync(generated, 'utf8')
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write('server/platform/db/schema.ts does not match the migrations; run: npm run types\n')
    process.exitCode = 1
  }
} finally {
  await postgres.stop()
  rmSync(scratchDir, { recursive: true, force: true })
}
