import { sql } from 'kysely'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { requestConsent } from '@keepsnap/contract/requests.ts'
import type { Db } from '../db/connect.ts'
import { createRandom } from '../images/drawing/random.ts'
import { mailboxKey } from '../lib/email-address.ts'
import { hashOf, newId, newSecret } from '../lib/ids.ts'
import type { DemoAccounts } from './accounts.ts'
import {
  activityOf,
  countRequests,
  guestRequestsOf,
  markPendingRequests,
  type ActivityHour,
  type DemoPhotoRequest,
} from './guests.ts'
import type { DemoPhoto } from './photos.ts'
import { addSupportMessages } from './support.ts'

/** Statements change rows of these accounts only: people may register at the running server meanwhile. */
const idsOf = (accounts: DemoAccounts): string[] => Object.values(accounts).map(({ id }) => id)

/** Sets the photos' times to when they were taken, and counts each in that month's usage. */
async function backdatePhotos(tx: Db, photos: readonly DemoPhoto[]): Promise<void> {
  const [ids, times] = [photos.map(({ id }) => id), photos.map(({ takenAt }) => takenAt)]
  await sql`
    update photos set created_at = moved.at, finished_at = moved.at + interval '3 seconds',
      counted_month = date_trunc('month', moved.at at time zone 'utc')::date
    from unnest(${ids}::text[], ${times}::timestamptz[]) as moved (id, at) where photos.id = moved.id`.execute(tx)
  await sql`delete from usage_months where user_id in (select user_id from photos where id = any(${ids}::text[]))`.execute(
    tx,
  )
  await sql`
    insert into usage_months (user_id, month, uploads)
    select user_id, counted_month, count(*) from photos where state <> 'failed' and id = any(${ids}::text[])
    group by user_id, counted_month`.execute(tx)
}

async function addActivity(tx: Db, hours: readonly ActivityHour[], accounts: DemoAccounts): Promise<void> {
  const column = <Key extends keyof ActivityHour>(key: Key): ActivityHour[Key][] => hours.map((one) => one[key])
  await sql`
    insert into photo_activity (photo_id, user_id, hour, scans, views, downloads, requests)
    select * from unnest(${column('photoId')}::text[], ${hours.map(({ owner }) => accounts[owner].id)}::text[],
      ${column('hour')}::timestamptz[], ${column('scans')}::int[], ${column('views')}::int[],
      ${column('downloads')}::int[], ${column('requests')}::int[])`.execute(tx)
}

/** The columns of an email in each state. Queued ones have `.example` recipients, to which nothing is ever sent. */
const emailStates: Record<DemoPhotoRequest['state'], { state: 'sent' | 'failed' | 'queued'; failure: string | null }> =
  {
    sent: { state: 'sent', failure: null },
    failed: { state: 'failed', failure: 'This address does not exist.' },
    waiting: { state: 'queued', failure: null },
    unconfirmed: {
      state: 'queued',
      failure:
        'This email waits until you confirm your email address. You can resend the confirmation email in Settings.',
    },
  }

async function addRequest(tx: Db, request: DemoPhotoRequest, userId: string): Promise<void> {
  const { photoId, email, at, state } = request
  const [id, emailId, key] = [newId(), newId(), mailboxKey(email)]
  const { state: emailState, failure } = emailStates[state]
  const dueAt = sql<Date>`case ${state} when 'waiting' then now() + interval '50 minutes'
    when 'unconfirmed' then ${at}::timestamptz + interval '60 days' else ${at}::timestamptz end`
  await sql`
    insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, payload, state, failure, awaits_verification,
      created_at, due_at, give_up_at, attempts, sent_at)
    values (${emailId}, 'photo', ${userId}, ${photoId}, ${email}, ${key}, ${JSON.stringify({ requestId: id })}, ${emailState},
      ${failure}, ${state === 'unconfirmed'}, ${at}, ${dueAt}, ${dueAt} + make_interval(hours => ${emailLimits.giveUpHours}),
      ${emailState === 'queued' ? 0 : 1}, ${state === 'sent' ? sql`${at}::timestamptz + interval '2 seconds'` : null})`.execute(
    tx,
  )
  await sql`
    insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version, requested_at)
    values (${id}, ${photoId}, ${userId}, ${emailId}, ${email}, ${key}, ${requestConsent.version}, ${at})`.execute(tx)
}

interface Report {
  photo: DemoPhoto | undefined
  reason: string
  note: string | null
  hours: number
  decision: 'hide' | 'keep' | null
}

/** Reports by guests and the owners' decisions; one has no decision yet. */
function reportsAbout(photos: readonly DemoPhoto[]): Report[] {
  const of = (owner: string): DemoPhoto[] =>
    photos
      .filter((photo) => photo.owner === owner)
      .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
  const [studio, photographer] = [of('studio'), of('photographer')]
  const note = 'That is me on the left. I would rather not be online, thank you.'
  return [
    { photo: studio[1], reason: 'me', note, hours: 14, decision: null },
    {
      photo: studio[5],
      reason: 'other',
      note: 'The flash was too bright, could you take it down?',
      hours: 3,
      decision: 'keep',
    },
    { photo: studio.at(-2), reason: 'child', note: null, hours: 20, decision: 'hide' },
    {
      photo: photographer.at(-1),
      reason: 'me',
      note: 'Please only share this one with the family.',
      hours: 30,
      decision: 'hide',
    },
  ]
}

/** Sets `email_id` as if the owner had been notified, so that no email is queued. */
async function addReport(
  tx: Db,
  { photo, reason, note, hours, decision }: Report,
  accounts: DemoAccounts,
): Promise<void> {
  if (!photo) return
  const at = sql<Date>`least(${photo.takenAt}::timestamptz + make_interval(hours => ${hours}), now() - interval '1 hour')`
  await sql`
    insert into photo_reports (id, photo_id, user_id, reason, note, reported_at, decision, decided_at, email_id)
    values (${newId()}, ${photo.id}, ${accounts[photo.owner].id}, ${reason}, ${note}, ${at}, ${decision},
      ${decision && sql`${at} + interval '40 minutes'`}, ${newId()})`.execute(tx)
  if (decision === 'hide')
    await sql`update photos set hidden_at = ${at} + interval '40 minutes' where id = ${photo.id}`.execute(tx)
}

const devices = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
]

/** Replaces this command's sessions with sessions of devices, whose tokens are discarded. */
async function addSessions(tx: Db, accounts: DemoAccounts): Promise<void> {
  await sql`delete from sessions where user_id = any(${idsOf(accounts)}::text[])`.execute(tx)
  for (const { id } of [accounts.studio, accounts.photographer, accounts.host])
    for (const [days, device] of devices.entries())
      await sql`
        insert into sessions (token_hash, user_id, user_agent, created_at, last_used_at)
        values (${hashOf(newSecret())}, ${id}, ${device}, now() - make_interval(days => ${4 + 9 * days}),
          now() - make_interval(hours => ${3 + 40 * days}))`.execute(tx)
}

/** Deletes the emails queued during the fill, and their jobs: they are about events that now look long past. */
async function deleteQueuedEmails(tx: Db, accounts: DemoAccounts): Promise<void> {
  const ids = idsOf(accounts)
  await sql`select graphile_worker.remove_job('email:' || id) from emails
    where kind <> 'photo' and user_id = any(${ids}::text[])`.execute(tx)
  await sql`delete from emails where kind <> 'photo' and user_id = any(${ids}::text[])`.execute(tx)
}

interface DemoHistory {
  photos: readonly DemoPhoto[]
  /** Photos that failed, which guests never saw. */
  damaged: readonly DemoPhoto[]
  accounts: DemoAccounts
  now: Date
}

/** Backdates photos and adds guest activity, requests, reports, support messages and sessions, in one transaction. */
export async function addHistory(db: Db, { photos, damaged, accounts, now }: DemoHistory): Promise<void> {
  const random = createRandom(20_26)
  const inOrder = photos.toSorted((one, other) => one.takenAt.getTime() - other.takenAt.getTime())
  const requests = markPendingRequests(inOrder.flatMap((photo) => guestRequestsOf(photo, random, now)))
  const hours = countRequests(
    inOrder.flatMap((photo) => activityOf(photo, random, now)),
    requests,
  )
  await db.transaction().execute(async (tx) => {
    await backdatePhotos(tx, [...inOrder, ...damaged])
    await addActivity(tx, hours, accounts)
    for (const request of requests) await addRequest(tx, request, accounts[request.owner].id)
    for (const report of reportsAbout(inOrder)) await addReport(tx, report, accounts)
    await addSupportMessages(tx, accounts)
    await addSessions(tx, accounts)
    await deleteQueuedEmails(tx, accounts)
  })
}
