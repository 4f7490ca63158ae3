import { Logger as QueueLogger, runOnce } from 'graphile-worker'
import { sql } from 'kysely'
import { connect, type Db } from '../../db/connect.ts'
import { newId } from '../../domain/ids.ts'
import { createLog } from '../../log.ts'
import type { Mail } from '../../ports/mail/mail.ts'
import { cloneDatabase } from '../../test/harness.ts'
import type { Cleanup } from '../../test/programs.ts'
import type { Composer, LetterRow } from '../composers.ts'
import { createSending, type Sending } from '../send.ts'
import { writeLetter, type NewLetter } from '../write.ts'

/** One or more nodes that send letters, on a database of their own. */
export interface Post {
  db: Db
  owner: string
  photo: string
  /** A node with this mail port; `composer` replaces parts of the plain one. `work` runs every job that is due. */
  node(mail: Mail, composer?: Partial<Composer>): Sending & { work(): Promise<void> }
  write(letter?: Partial<NewLetter>): Promise<string>
  row(id: string): Promise<LetterRow>
  /** Changes rows instead of waiting; every job is due after it. */
  change(set: string): Promise<void>
  /** Forgets every letter and job. */
  clear(): Promise<void>
  addPhoto(): Promise<{ owner: string; photo: string }>
  /** What the composer was told, in order. */
  settled: LetterRow[]
}

const quiet = new QueueLogger(() => () => {})

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

/** Everything that letters need but a front door. */
export async function openPost(cleanup: Cleanup): Promise<Post> {
  const { database, drop } = await cloneDatabase()
  const log = createLog('silent')
  const { db, pool, close } = connect(database, log)
  cleanup(() => close().then(drop))
  const { owner, photo } = await addPhoto(db)
  const settled: LetterRow[] = []
  const plain: Composer = {
    compose: async ({ facts }) => ({ subject: 'Your photo', text: 'Here.', html: `<p>${JSON.stringify(facts)}</p>` }),
    settled: async (_, letter) => void settled.push(letter),
  }
  return {
    db,
    owner,
    photo,
    settled,
    addPhoto: () => addPhoto(db),
    node(mail, composer) {
      const from = { name: 'Keepsnap', address: 'photos@photos.test' }
      const sending = createSending({ db, log, mail, from, composers: { photo: { ...plain, ...composer } } })
      const taskList = {
        'send-letter': (payload: unknown) => sending.send((payload as { letterId: string }).letterId), // as enqueued
      }
      const work = () => runOnce({ pgPool: pool, taskList, logger: quiet, noHandleSignals: true, concurrency: 5 })
      return { ...sending, work }
    },
    async write(letter = {}) {
      const id = newId()
      const usual = { id, kind: 'photo', userId: owner, photoId: photo, email: `${id}@guest.test`, facts: {} } as const
      await db.transaction().execute((tx) => writeLetter(tx, { ...usual, ...letter }))
      return letter.id ?? id
    },
    row: (id) => db.selectFrom('letters').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async clear() {
      await sql`delete from letters`.execute(db)
      await sql`delete from graphile_worker._private_jobs`.execute(db)
      settled.length = 0
    },
    async change(set) {
      await sql`update letters set ${sql.raw(set)}`.execute(db)
      await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(db)
    },
  }
}
