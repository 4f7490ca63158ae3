import { sql } from 'kysely'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { requestConsent } from '@keepsnap/contract/guests.ts'
import type { Db } from '../platform/db/connect.ts'
import { mailboxKey } from '../lib/email-address.ts'
import { hashOf, newId, newSecret } from '../lib/ids.ts'
import { createRandom, type DemoAccounts, people, type PersonName, type Random } from './demo-accounts.ts'
import { type DemoPhoto, isTonight } from './demo-photos.ts'

interface ActivityHour {
  photoId: string
  owner: PersonName
  hour: Date
  scans: number
  views: number
  downloads: number
  requests: number
}

interface DemoPhotoRequest {
  photoId: string
  owner: PersonName
  email: string
  at: Date
  state: 'sent' | 'failed' | 'waiting' | 'unconfirmed'
}

const hourMs = 3_600_000
const firstNames =
  'anna ben chloe daan elif femke giulia hugo ines jonas katrien lars maya noah olivia paul quinn rosa sofie tijs uma victor wout yasmin zoe'.split(
    ' ',
  )
const hosts = ['post.example', 'mail.example', 'inbox.example', 'brievenbus.example']

/** How many guests of an owner scan a photo in its first hours, and how many request it by email, on average. */
const scansOf: Record<PersonName, number> = { studio: 11, photographer: 7, host: 3, newcomer: 0, closed: 4 }
const requestsOf: Record<PersonName, number> = { studio: 3.2, photographer: 2.4, host: 1.2, newcomer: 0, closed: 0 }

/** A number near an average. */
const around = (random: Random, average: number): number => Math.round(average * random.between(0.45, 1.6))

/** The share of interest left after some hours: most on the evening itself, a little on evenings of the next week. */
function interestAfter(hours: number, hourOfDay: number): number {
  const isDay = hourOfDay >= 8 && hourOfDay <= 21
  if (hours < 5) return 1 / (1 + hours * 0.7)
  if (hours < 24) return isDay ? 0.13 : 0.01
  return isDay && hourOfDay >= 16 ? 0.16 / (hours / 24) : 0.012
}

/** What guests did with a photo in the ten days after it was taken, up to now. */
function activityOf({ id, owner, takenAt }: DemoPhoto, random: Random, now: Date): ActivityHour[] {
  const popularity = scansOf[owner] * random.between(0.35, 1.9)
  const firstHour = Math.floor(takenAt.getTime() / hourMs)
  const hours: ActivityHour[] = []
  for (let passed = 0; passed < 240; passed += 1) {
    const hour = new Date((firstHour + passed) * hourMs)
    if (hour > now) break
    const scans = around(random, popularity * interestAfter(passed, hour.getUTCHours()))
    if (scans === 0) continue
    const views = Math.round(scans * random.between(0.7, 1))
    const downloads = Math.round(views * random.between(0.25, 0.6))
    hours.push({ photoId: id, owner, hour, scans, views, downloads, requests: 0 })
  }
  return hours
}

/** The requests of guests for a photo: soon after they saw it, or the day after. */
function guestRequestsOf({ id, owner, takenAt }: DemoPhoto, random: Random, now: Date): DemoPhotoRequest[] {
  return Array.from({ length: around(random, requestsOf[owner]) }, () => {
    const hours = random.chance(0.7) ? random.between(0.05, 3) : random.between(11, 26)
    const email = `${random.pick(firstNames)}.${String.fromCharCode(97 + random.integer(0, 25))}@${random.pick(hosts)}`
    const at = new Date(Math.min(takenAt.getTime() + hours * hourMs, now.getTime() - random.between(2, 40) * 60_000))
    return { photoId: id, owner, email, at, state: random.chance(0.05) ? 'failed' : 'sent' } as const
  })
}

/** Marks the host's newest requests as held until the address is confirmed, and the studio's newest as still queued. */
function markPendingRequests(requests: readonly DemoPhotoRequest[]): DemoPhotoRequest[] {
  const newest = requests.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  const newestOf = (owner: PersonName, count: number) => newest.filter((one) => one.owner === owner).slice(0, count)
  const [unconfirmed, waiting] = [newestOf('host', 3), newestOf('studio', 2)]
  return requests.map((request) => {
    if (unconfirmed.includes(request)) return { ...request, state: 'unconfirmed' }
    return waiting.includes(request) ? { ...request, state: 'waiting' } : request
  })
}

/** Adds the requests to the hours in which they were made. */
function countRequests(hours: ActivityHour[], requests: readonly DemoPhotoRequest[]): ActivityHour[] {
  const byHour = new Map(hours.map((one) => [`${one.photoId} ${one.hour.getTime()}`, one]))
  for (const { photoId, owner, at } of requests) {
    const hour = new Date(Math.floor(at.getTime() / hourMs) * hourMs)
    const key = `${photoId} ${hour.getTime()}`
    const counted = byHour.get(key) ?? { photoId, owner, hour, scans: 1, views: 1, downloads: 0, requests: 0 }
    byHour.set(key, { ...counted, requests: counted.requests + 1 })
  }
  return [...byHour.values()]
}

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

const failures: Record<DemoPhotoRequest['state'], string | null> = {
  sent: null,
  failed: 'This address does not exist.',
  waiting: null,
  unconfirmed:
    'This email waits until you confirm your email address. You can resend the confirmation email in Settings.',
}

/** Emails that are still queued have recipients under `.example`, to which nothing is ever sent. */
async function addRequest(tx: Db, request: DemoPhotoRequest, userId: string): Promise<void> {
  const { photoId, email, at, state } = request
  const [id, emailId, key] = [newId(), newId(), mailboxKey(email)]
  const isQueued = state === 'waiting' || state === 'unconfirmed'
  const dueAt = sql<Date>`case ${state} when 'waiting' then now() + interval '50 minutes'
    when 'unconfirmed' then ${at}::timestamptz + interval '60 days' else ${at}::timestamptz end`
  await sql`
    insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, payload, state, failure, awaits_verification,
      created_at, due_at, give_up_at, attempts, sent_at)
    values (${emailId}, 'photo', ${userId}, ${photoId}, ${email}, ${key}, ${JSON.stringify({ requestId: id })},
      ${isQueued ? 'queued' : state}, ${failures[state]}, ${state === 'unconfirmed'}, ${at}, ${dueAt}, ${dueAt} + make_interval(hours => ${emailLimits.giveUpHours}),
      ${isQueued ? 0 : 1}, ${state === 'sent' ? sql`${at}::timestamptz + interval '2 seconds'` : null})`.execute(tx)
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

/** Reports by guests and the owners' decisions; one has no decision yet. `photos`: in the order in which they were taken. */
function reportsAbout(photos: readonly DemoPhoto[]): Report[] {
  const studio = photos.filter(({ owner }) => owner === 'studio')
  const photographer = photos.filter(({ owner }) => owner === 'photographer')
  const note = 'That is me on the left. I would rather not be online, thank you.'
  const flash = 'The flash was too bright, could you take it down?'
  const family = 'Please only share this one with the family.'
  return [
    { photo: studio.at(-2), reason: 'me', note, hours: 14, decision: null },
    { photo: studio.at(-6), reason: 'other', note: flash, hours: 3, decision: 'keep' },
    { photo: studio[1], reason: 'child', note: null, hours: 20, decision: 'hide' },
    { photo: photographer[0], reason: 'me', note: family, hours: 30, decision: 'hide' },
  ]
}

/** Sets `email_id` as if the owner had been notified, so that no email is queued. */
async function addReport(tx: Db, report: Report, accounts: DemoAccounts): Promise<void> {
  const { photo, reason, note, hours, decision } = report
  if (!photo) return
  const at = sql<Date>`least(${photo.takenAt}::timestamptz + make_interval(hours => ${hours}), now() - interval '1 hour')`
  await sql`
    insert into photo_reports (id, photo_id, user_id, reason, note, reported_at, decision, decided_at, email_id)
    values (${newId()}, ${photo.id}, ${accounts[photo.owner].id}, ${reason}, ${note}, ${at}, ${decision},
      ${decision && sql`${at} + interval '40 minutes'`}, ${newId()})`.execute(tx)
  if (decision === 'hide')
    await sql`update photos set hidden_at = ${at} + interval '40 minutes' where id = ${photo.id}`.execute(tx)
}

interface SupportMessage {
  from: PersonName | { name: string; email: `${string}.example` }
  subject: string
  message: string
  daysAgo: number
  isAnswered: boolean
}

const messages: readonly SupportMessage[] = [
  {
    from: 'studio',
    subject: 'Second booth from Saturday on',
    message:
      'We rent out a second booth from Saturday on. Can both upload with the same key, or does each need its own?',
    daysAgo: 1,
    isAnswered: false,
  },
  {
    from: { name: 'Greta Maes', email: 'greta.maes@city-hall.example' },
    subject: 'A party for 400 people',
    message:
      'We plan a party for about 400 people in June. Which plan do we need, and does it work in our own network?',
    daysAgo: 2,
    isAnswered: false,
  },
  {
    from: 'photographer',
    subject: 'Invoice with our VAT number',
    message: 'Could the next invoice show the VAT number of my company? Thank you.',
    daysAgo: 9,
    isAnswered: true,
  },
  {
    from: 'host',
    subject: 'How do guests find their photo again?',
    message:
      'My aunt closed the page before she saved her photo. Can she open it again without the code on the screen?',
    daysAgo: 5,
    isAnswered: true,
  },
]

/** Writes messages to support, as if all emails about them had been sent. */
async function addSupportMessages(tx: Db, accounts: DemoAccounts): Promise<void> {
  for (const { from, subject, message, daysAgo, isAnswered } of messages) {
    const account = typeof from === 'string' ? { ...people[from], id: accounts[from].id } : null
    const { name, email } = typeof from === 'string' ? { name: people[from].username, email: people[from].email } : from
    await sql`
      insert into support_messages (id, user_id, name, email, mailbox, subject, message, is_priority, filled_honeypot, state,
        is_emailed, is_confirmed, created_at, answered_at)
      values (${newId()}, ${account?.id ?? null}, ${name}, ${email}, ${mailboxKey(email)}, ${subject}, ${message},
        ${account?.paidPlan != null}, false, ${isAnswered ? 'answered' : 'open'}, true, true,
        now() - make_interval(days => ${daysAgo}, hours => 3),
        ${isAnswered ? sql`now() - make_interval(days => ${daysAgo}) + interval '2 hours'` : null})`.execute(tx)
  }
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
    // They have photos of evenings that are over.
    for (const report of reportsAbout(inOrder.filter((photo) => !isTonight(photo, now))))
      await addReport(tx, report, accounts)
    await addSupportMessages(tx, accounts)
    await addSessions(tx, accounts)
    await deleteQueuedEmails(tx, accounts)
  })
}
