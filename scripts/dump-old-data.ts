/**
 * Writes a fixture for server/test/old-data: the data folder and the database that the program of an earlier commit
 * leaves behind, as text. Run it with the folder of a checkout of that commit, in which `npm run build` was run, and the
 * name of that commit's last migration:
 *
 *   node_modules/.bin/node scripts/dump-old-data.ts ../old-keepsnap 0004_blocks server/test/old-data/2026-11-21
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { openOldProgram, type OldProgram } from '../server/test/old-data/old-program.ts'
import type { Seeding } from '../server/test/old-data/seeding.ts'
import { seedOldProgram } from './seed-old-data.ts'
import { root } from './source-files.ts'

const jobKinds = [
  'build-archive',
  'compare-storage',
  'delete-photo',
  'forget-letters',
  'mark-photo',
  'process-photo',
  'remove-object',
  'remove-orphans',
  'send-letter',
  'send-reset',
  'sweep',
  'wake-letters',
]

/** All rows except those of the two migration tables, as lines of JSON, without generated columns. */
async function rowsOf({ query }: OldProgram): Promise<string[]> {
  const tables = await query<{ name: string; columns: string }>(`
    select format('%I.%I', table_schema, table_name) as name, string_agg(format('t.%I', column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and is_generated = 'NEVER' and table_schema in ('public', 'graphile_worker')
      and table_name not like 'kysely%' and table_name <> 'migrations'
    group by 1 order by 1`)
  const lines: string[] = []
  for (const { name, columns } of tables) {
    const rows = await query<{ row: string }>(
      `select to_jsonb(r)::text as row from (select ${columns} from ${name} t) r order by 1`,
    )
    lines.push(...rows.map(({ row }) => `{"table":${JSON.stringify(name)},"row":${row}}`))
  }
  return lines
}

/** The response at a URL. Pages and QR codes may look different in later versions; the bytes of files may not. */
async function responseAt({ call }: OldProgram, url: string) {
  const response = await call({ url })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  const location = response.headers.get('location')
  const isFile = response.ok && /^(image|application\/zip)/.test(type ?? '') && !url.includes('/qr/')
  return {
    url,
    status: response.status,
    ...(response.ok && { type }),
    ...(location !== null && { location }),
    ...(isFile && { sha256: createHash('sha256').update(bytes).digest('hex') }),
  }
}

/** Times are shifted when the rows are loaded, texts may change in later versions, and days without visits have no data. */
const variable = /_at$|^(failure|error_message|detail|from|to|days|hours|peak_hour)$/
const withoutVariable = (key: string, value: unknown): unknown => (variable.test(key) ? undefined : value)

/** What the test expects: the responses of the old program to its users, and at every URL that it has issued. */
async function expectedOf({ program, accounts, urls }: Seeding) {
  const views = ['/user/me', '/photos', '/user/photo-requests', '/user/reports', '/user/sessions', '/user/export']
  const links: Record<string, object> = {}
  const known = new Set<string>()
  for (const [name, url] of urls) {
    if (!known.has(url)) links[name] = await responseAt(program, url)
    known.add(url)
  }
  const answers: Record<string, Record<string, unknown>> = {}
  for (const [name, { token }] of Object.entries(accounts)) {
    answers[name] = {}
    for (const url of [...views, '/user/insights']) {
      const response = await program.call({ url, token })
      const { status } = response
      answers[name][url] = { status, ...(response.ok && { body: await response.json() }) }
    }
  }
  return { accounts, links, answers }
}

async function checkJobs({ query }: OldProgram): Promise<void> {
  const kinds = await query<{ kind: string }>(
    'select distinct task_identifier as kind from graphile_worker.jobs order by 1',
  )
  const found = kinds.map(({ kind }) => kind).join()
  if (found !== jobKinds.join())
    throw new Error(`the queue has jobs of the kinds ${found}; expected ${jobKinds.join()}`)
}

async function dump(checkout: string, migration: string, folder: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keepsnap-old-'))
  await chmod(dataDir, 0o755)
  const program = openOldProgram({ checkout, dataDir, port: await freePort() })
  try {
    const { seeding, interrupted } = await seedOldProgram(program)
    const expected = await expectedOf(seeding)
    await checkJobs(program)
    const [clock] = await program.query<{ now: string }>('select now()::text')
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim()
    const head = { commit, migration, dumpedAt: clock?.now }
    const rows = await rowsOf(program)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'rows.jsonl'), [JSON.stringify(head), ...rows, ''].join('\n'))
    await writeFile(join(folder, 'expected.json'), JSON.stringify(expected, withoutVariable, 2))
    await rm(join(folder, 'data'), { recursive: true, force: true })
    // The incoming folders hold unfinished uploads of a process that no longer exists.
    for (const part of ['files', 'outbox', 'secret-key'])
      await cp(join(dataDir, part), join(folder, 'data', part), {
        recursive: true,
        filter: (path) => !path.includes('/incoming'),
      })
    interrupted.abort()
  } finally {
    await program.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  execFileSync(join(root, 'node_modules/.bin/oxfmt'), [join(folder, 'expected.json')])
}

const [checkout, migration, folder] = process.argv.slice(2)
if (!checkout || !migration || !folder) throw new Error('give a checkout, the name of its last migration, and a folder')
await dump(resolve(checkout), migration, resolve(folder))
