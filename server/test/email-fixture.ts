import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { connect, type Db } from '../platform/db/connect.ts'
import type { Handlers } from '../platform/jobs/jobs.ts'
import { newId } from '../lib/ids.ts'
import { noMetrics } from '../platform/metrics/metrics.ts'
import { createLog } from '../platform/process/log.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { smtpMail } from '../ports/mail/smtp.ts'
import { cloneDatabase } from './cloned-database.ts'
import type { Cleanup } from './child-processes.ts'
import { createJobRunner, makeJobsDue, removeJobs } from './harness.ts'
import type { Composer, EmailRow } from '../features/emails/compose.ts'
import { createEmailSender, type EmailSender } from '../features/emails/send-email.ts'
import { type NewEmail, queueEmail } from '../features/emails/queue-email.ts'

/** A sender of emails, and its queue. */
interface TestSender extends EmailSender {
  /** Runs every job that is due. */
  runJobs(): Promise<void>
}

/** A database for emails, an owner and a photo. */
interface EmailFixture {
  db: Db
  pool: Pool
  owner: string
  photo: string
  /** A sender with this mail port; `composer` replaces parts of the default one. */
  createSender(mail: Mail, composer?: Partial<Composer>, log?: Logger): TestSender
  /** Queues an email and resolves with its id. */
  queue(email?: Partial<NewEmail>): Promise<string>
  row(id: string): Promise<EmailRow>
  /** Changes all rows instead of waiting; afterwards every job is due. */
  update(set: string): Promise<void>
  /** Deletes every email and job. */
  clear(): Promise<void>
  addPhoto(): Promise<{ owner: string; photo: string }>
  /** Rows that `onStatusChange` was called with, in order. */
  statusChanges: EmailRow[]
}

/** A mail port to a server on loopback that is slow only because the machine is. */
export function testSmtpMail(cleanup: Cleanup, port: number): Mail {
  const timeouts = { connect: 60_000, greeting: 60_000, silence: 60_000, email: 120_000 }
  const options = { secure: false, user: undefined, secretPassword: undefined, name: 'photos.test', timeouts }
  const mail = smtpMail({ host: '127.0.0.1', port, ...options })
  cleanup(() => mail.close())
  return mail
}

async function addPhoto(db: Db): Promise<{ owner: string; photo: string }> {
  const [owner, photo] = [newId(), newId()]
  const email = `${owner.toLowerCase()}@example.com`
  await db
    .insertInto('users')
    .values({ id: owner, email, email_key: email, username: 'x', password_hash: 'x', email_verified_at: new Date() })
    .execute()
  await sql`insert into photos (id, user_id, code, counted_month, filename, state)
    values (${photo}, ${owner}, ${newId()}, '2026-05-01', 'party.jpg', 'ready')`.execute(db)
  return { owner, photo }
}

/** The fixture of a test file, without emails at the beginning of each test. */
export function emailFixture(): EmailFixture {
  const fixture = {} as EmailFixture // filled before the tests
  const cleanups: (() => void | Promise<void>)[] = []
  beforeAll(async () => void Object.assign(fixture, await createEmailFixture((work) => void cleanups.push(work))))
  afterAll(async () => {
    for (const cleanUp of cleanups) await cleanUp()
  })
  beforeEach(() => fixture.clear())
  return fixture
}

async function createEmailFixture(cleanup: Cleanup): Promise<EmailFixture> {
  const { database, drop } = await cloneDatabase()
  const silent = createLog('silent')
  const { db, pool, close } = connect(database, silent)
  cleanup(() => close().then(drop))
  const { owner, photo } = await addPhoto(db)
  const runJobs = createJobRunner(pool)
  const statusChanges: EmailRow[] = []
  const defaultComposer: Composer = {
    compose: async ({ payload }) => ({
      subject: 'Your photo',
      text: 'Here.',
      html: `<p>${JSON.stringify(payload)}</p>`,
    }),
    onStatusChange: async (_, email) => void statusChanges.push(email),
  }
  return {
    db,
    pool,
    owner,
    photo,
    statusChanges,
    addPhoto: () => addPhoto(db),
    createSender(mail, composer, log = silent) {
      const from = { name: 'Keepsnap', address: 'photos@photos.test' }
      const composers = { photo: { ...defaultComposer, ...composer } }
      const sender = createEmailSender({ db, log, metrics: noMetrics, mail, from, composers })
      const handlers: Partial<Handlers> = {
        'send-email': ({ emailId }) => sender.send(emailId),
        'delete-outbox-emails': ({ emailIds }) => mail.deleteStored(emailIds),
      }
      return { ...sender, runJobs: () => runJobs(handlers as Handlers) } // no other jobs are added
    },
    async queue(email = {}) {
      const id = newId()
      const defaults = {
        id,
        kind: 'photo',
        userId: owner,
        photoId: photo,
        recipient: `${id}@guest.test`,
        payload: {},
      } as const
      await db.transaction().execute((tx) => queueEmail(tx, { ...defaults, ...email }))
      return email.id ?? id
    },
    row: (id) => db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async clear() {
      await sql`delete from emails`.execute(db)
      await removeJobs(pool)
      statusChanges.length = 0
    },
    async update(set) {
      await sql`update emails set ${sql.raw(set)}`.execute(db)
      await makeJobsDue(pool)
    },
  }
}
