import { Logger as QueueLogger, runOnce } from 'graphile-worker'
import { sql } from 'kysely'
import { connect, type Db } from '../../db/connect.ts'
import { newId } from '../../lib/ids.ts'
import { noMetrics } from '../../metrics/metrics.ts'
import { createLog } from '../../runtime/log.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { smtpMail } from '../../ports/mail/smtp.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import type { Cleanup } from '../../test/child-processes.ts'
import type { Composer, EmailRow } from '../composers.ts'
import { createEmailSender, type EmailSender } from '../email-sender.ts'
import { queueEmail, type NewEmail } from '../queue-email.ts'

/** A sender of emails, and its queue. */
export interface TestSender extends EmailSender {
  /** Runs every job that is due. */
  runJobs(): Promise<void>
}

/** A database for emails, an owner and a photo. */
export interface EmailFixture {
  db: Db
  owner: string
  photo: string
  /** A sender with this mail port; `composer` replaces parts of the default one. */
  createSender(mail: Mail, composer?: Partial<Composer>): TestSender
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

const noQueueLog = new QueueLogger(() => () => {})

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

export async function createEmailFixture(cleanup: Cleanup): Promise<EmailFixture> {
  const { database, drop } = await cloneDatabase()
  const log = createLog('silent')
  const { db, pool, close } = connect(database, log)
  cleanup(() => close().then(drop))
  const { owner, photo } = await addPhoto(db)
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
    owner,
    photo,
    statusChanges,
    addPhoto: () => addPhoto(db),
    createSender(mail, composer) {
      const from = { name: 'Keepsnap', address: 'photos@photos.test' }
      const composers = { photo: { ...defaultComposer, ...composer } }
      const sender = createEmailSender({ db, log, metrics: noMetrics, mail, from, composers })
      const taskList = {
        'send-email': (payload: unknown) => sender.send((payload as { emailId: string }).emailId), // as enqueued
      }
      const runJobs = (): Promise<void> =>
        runOnce({ pgPool: pool, taskList, logger: noQueueLog, noHandleSignals: true, concurrency: 5 })
      return { ...sender, runJobs }
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
      await sql`delete from graphile_worker._private_jobs`.execute(db)
      statusChanges.length = 0
    },
    async update(set) {
      await sql`update emails set ${sql.raw(set)}`.execute(db)
      await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(db)
    },
  }
}
