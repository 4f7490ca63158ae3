import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { runOperatorCommand } from '../../operations/operator-commands.ts'
import { type Config, readConfig } from '../../config.ts'
import { newId } from '../../lib/ids.ts'
import { createLog } from '../process/log.ts'
import { scratchFolder, startProgram } from '../../test/child-processes.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import { urlOf } from '../../test/server-process.ts'
import { openDatabase } from './open-database.ts'

const secretKey = 'a secret of the tests, long enough'
const configOf = (databaseUrl: string): Config => {
  const dir = scratchFolder(onTestFinished)
  return readConfig(
    { DATA_DIR: dir, DATABASE_URL: databaseUrl, SECRET_KEY: secretKey },
    { lanAddress: undefined, cwd: dir },
  )
}

/** A port of loopback at which nothing listens, and one that answers as PostgreSQL does to a wrong password. */
let ports: { refused: number; wrongPassword: number }
const refusal = 'SFATAL\0C28P01\0Mpassword authentication failed for user "keepsnap"\0\0'
const wrongPassword = createServer((socket) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + refusal.length)
  socket.on('error', () => {})
  socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(refusal)])))
})
beforeAll(async () => {
  const closed = createServer()
  for (const one of [closed, wrongPassword]) await new Promise<void>((done) => one.listen(0, '127.0.0.1', done))
  const [refused, other] = [closed, wrongPassword].map((one) => (one.address() as AddressInfo).port) // they listen on TCP
  ports = { refused: refused!, wrongPassword: other! }
  await new Promise((done) => closed.close(done))
})
afterAll(() => void wrongPassword.close())

const own = (database: string, more = ''): string => urlOf({ ...inject('cluster'), database }) + more

test.each<[string, () => string, RegExp]>([
  [
    'a host that is not known',
    () => 'postgres://u@nowhere.invalid/k',
    /^The host nowhere\.invalid of DATABASE_URL is not found \(E/,
  ],
  [
    'a host where nothing listens',
    () => `postgres://u@127.0.0.1:${ports.refused}/k`,
    /^No PostgreSQL answers at 127\.0\.0\.1:\d+, .*\(ECONNREFUSED\)/,
  ],
  [
    'a database that is missing',
    () => own('nowhere'),
    /^There is no database nowhere on the PostgreSQL at .*\(3D000\)/,
  ],
  [
    'a wrong password',
    () => `postgres://keepsnap:wr%25ong@127.0.0.1:${ports.wrongPassword}/k`,
    /does not let the user keepsnap in \(password authentication failed .*; 28P01\)/,
  ],
  [
    'a user who is missing',
    () => own('postgres').replace(/\/\/[^@]+@/, '//nobody@'),
    /does not let the user nobody in \(role "nobody" does not exist; 28000\)/,
  ],
  [
    'TLS that it does not offer',
    () => own('postgres', '&sslmode=require&uselibpqcompat=true'),
    /^DATABASE_URL asks for TLS, which the PostgreSQL/,
  ],
  [
    'a port that is none',
    () => 'postgres://u:wrong@127.0.0.1:99999/k',
    /^DATABASE_URL cannot be used \(Invalid URL\)\./,
  ],
  [
    'a file of certificates that is missing',
    () => 'postgres://u:wrong@127.0.0.1/k?sslrootcert=/nowhere.pem',
    /^DATABASE_URL cannot be used \(ENOENT: .*'\/nowhere\.pem'\)/,
  ],
])('%s is one sentence about DATABASE_URL', async (_, url, sentence) => {
  const opened = openDatabase(configOf(url()), createLog('silent'))
  await expect(opened).rejects.toMatchObject({ name: 'StartupError', message: expect.stringMatching(sentence) })
  await expect(opened).rejects.not.toThrow(/wr%?25?ong/)
})

test.each([['serve'], ['backup', '/nowhere']])(
  '%s says so in its last line and in its log, without a stack trace, and fails',
  async (...command) => {
    const program = startProgram(
      onTestFinished,
      [process.execPath, join(import.meta.dirname, '../../main.ts'), ...command],
      {
        env: {
          DATA_DIR: scratchFolder(onTestFinished),
          DATABASE_URL: `postgres://u@127.0.0.1:${ports.refused}/k`,
          SECRET_KEY: secretKey,
        },
      },
    )
    expect(await program.ended).toBe(1)
    const lines = [...program.lines, ...program.stderr().trimEnd().split('\n')]
    const sentence = lines.at(-1)?.replace('keepsnap: ', '')
    expect(sentence).toMatch(/^No PostgreSQL answers at/)
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ level: 60, msg: sentence })
    expect(lines.join('\n')).not.toMatch(/^\s+at /m)
  },
)

test('a database with tables of another program, or in which the user may create none, is refused by a sentence', async () => {
  const { database, drop } = await cloneDatabase({ isBare: true })
  onTestFinished(drop)
  const migrate = (url: string) =>
    runOperatorCommand('migrate', [], { config: configOf(url), log: createLog('silent') })
  const client = new Client(database)
  await client.connect()
  const role = `reader_${newId().toLowerCase()}`
  await client.query(`create role ${role} login`)
  onTestFinished(async () => {
    await client.query(`drop role ${role}`).finally(() => client.end())
  })
  await expect(migrate(urlOf({ ...database, user: role }))).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(/^The user of DATABASE_URL may not .*permission denied for schema public/),
  })
  await client.query('create table photos (id int)')
  await expect(migrate(urlOf(database))).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(/^The database has tables of another program, .*relation "photos" already exists/),
  })
  await client.query('drop table photos')
})
