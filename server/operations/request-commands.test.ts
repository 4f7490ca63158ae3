import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AddressDetails, FoundPhoto, OperatorEmail } from '@keepsnap/contract/operator-support.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../images/test/sample-images.ts'
import { newId } from '../lib/ids.ts'
import { startServer, type TestServer } from '../test/harness.ts'
import { addSupportMessage, callOperator, makeOperator, makeUser, type TestUser, upload } from '../test/test-data.ts'
import { emailsTo } from '../test/outbox.ts'
import { UsageError } from './command.ts'
import { requestCommands } from './request-commands.ts'

let server: TestServer
let operator: TestUser
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  operator = await makeOperator(server)
})
afterAll(() => server.close())
beforeEach(() => query('delete from audit_log'))

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.app.deps.pool.query<Row>(text, values)).rows
const questions: string[] = []
/** Runs a command beside the server; `answer` is what the operator says to its question. */
function run(name: string, args: string[], answer = false): Promise<string> {
  const { config, log } = server.app.deps
  const confirm = async (question: string): Promise<boolean> => {
    questions.push(question)
    return answer
  }
  return requestCommands[name]!(args)({ config, log, db: server.db, confirm })
}
const onPage = (path: string, body?: Record<string, unknown>) =>
  callOperator(server, operator, path, body && { reason: 'Ticket 7', ...body })
const audit = () =>
  query(
    // Without reads on /admin, which features/operators/operators.test.ts examines.
    `select actor_kind, action, reason, subject_id, outcome, detail from audit_log
     where action not like 'look up %' order by at, id`,
  )
/** An entry of the log. */
const entry = (
  by: 'command' | 'operator',
  action: string,
  subject: string | null,
  reason: string | null = 'Ticket 7',
) => ({
  actor_kind: by,
  action,
  reason,
  subject_id: subject,
  outcome: 'done',
  detail: null,
})
const reason = ['--reason', 'Ticket 7']

/** A user with a photo that guests can open. */
async function withPhoto(): Promise<{ user: TestUser; photo: Photo }> {
  const user = await makeUser(server)
  const { id } = (await upload(server, user, await jpeg({ width: 64, height: 48 }))).json<Photo>()
  await server.work()
  const answer = await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })
  return { user, photo: answer.json<Photo>() }
}
const askForPhoto = async (photo: string, email: string): Promise<void> => {
  await server.request({ method: 'POST', url: `/photos/${photo}/request-email`, body: { email } })
  await server.work()
}
const report = (photo: string, note = 'Please remove it.') =>
  server.request({ method: 'POST', url: `/photos/${photo}/report`, body: { reason: 'me', note } })

test.each([
  ['find-email', [], 'find-email ADDRESS'],
  ['find-email', ['ann'], 'ADDRESS is one email address'],
  ['find-email', ['a@b.co', '--send-again'], 'find-email ADDRESS'],
  ['find-photo', [], 'find-photo TEXT'],
  ['find-photo', ['one', 'two'], 'find-photo TEXT'],
  ['export-account', ['a@b.co'], 'export-account EMAIL DIR'],
  ['export-account', ['ann', '/tmp'], 'needs the email address of an account'],
  ['delete-account', ['a@b.co'], 'TEXT says why'],
  ['delete-account', ['a@b.co', '--reason', ' '], 'delete-account EMAIL --reason TEXT [--yes]'],
  ['delete-account', ['a@b.co', '--reason', '\u200b'], 'TEXT says why'],
  ['delete-account', ['a@b.co', '--reason', '--yes'], 'delete-account EMAIL --reason TEXT [--yes]'],
  ['find-email', ['a@b.co', '--reason', 'x'.repeat(501)], 'in up to 500 characters'],
  ['export-account', ['a@b.co', 'folder', '--reason', '.'], 'TEXT says why'],
  ['delete-account', ['a@b.co', '--now', ...reason], 'delete-account EMAIL --reason TEXT [--yes]'],
  ['delete-photo', ['x'], 'TEXT says why'],
  ['erase-guest', ['a@b.co'], 'TEXT says why'],
  ['erase-guest', ['a@b.co,c@d.co', ...reason], 'ADDRESS is one email address'],
])('%s %j is refused before the database is read', (command, args, message) => {
  expect(() => requestCommands[command]!(args)).toThrow(message)
  expect(() => requestCommands[command]!(args)).toThrow(UsageError)
})

test('the emails to an address are found with state, reason and next try, and sent again', async () => {
  const { user, photo } = await withPhoto()
  await askForPhoto(photo.id, 'Anna+booth@guest.test')
  const details = (await onPage('emails?address=anna%2Bbooth@guest.test')).json<AddressDetails>()
  expect(details).toMatchObject({ total: 1, requests: 1, support_messages: 0, unsubscribed: false, account: null })
  const [sent] = details.emails
  const account = { id: user.id, username: user.email.split('@')[0] }
  expect(sent).toMatchObject({ kind: 'photo', recipient: 'Anna+booth@guest.test', state: 'sent', attempts: 1, account })
  expect(await run('find-email', ['anna@guest.test'])).toMatch(
    new RegExp(
      `^1 email to anna@guest.test:\\n  ${sent!.id}  photo to Anna\\+booth@guest.test, 20.* UTC: sent at 20.*\\n1 photo request, 0 messages`,
    ),
  )
  const id = sent!.id
  await query(
    `update emails set state = 'queued', failure = 'The mail server could not be found.', due_at = now() + interval '1 hour',
       attempts = 3, give_up_at = now() + interval '2 days' where id = $1`,
    [id],
  )
  expect(await run('find-email', ['anna@guest.test'])).toMatch(
    /: waiting, next try 20.* UTC \(3 attempts\) - The mail server could not be found\./,
  )
  const queued = await onPage(`emails/${id}/send`, {})
  expect(queued.json<OperatorEmail>()).toMatchObject({ state: 'waiting', reason: null, attempts: 0 })
  await server.work()
  const stateOf = async () => (await query<{ state: string }>('select state from emails where id = $1', [id]))[0]?.state
  expect(await stateOf()).toBe('sent')
  await query(`update emails set state = 'failed', failure = 'The mailbox is full.' where id = $1`, [id])
  expect(await run('find-email', ['anna@guest.test', '--send-again', id, ...reason])).toMatch(
    /^The email \w+ is sent now/,
  )
  await server.work()
  expect(await stateOf()).toBe('sent')
  const action = 'send email again (photo)'
  expect(await audit()).toEqual([entry('operator', action, user.id), entry('command', action, user.id)])

  await query(`update emails set leased_until = now() + interval '1 minute', state = 'queued' where id = $1`, [id])
  expect((await onPage(`emails/${id}/send`, {})).statusCode).toBe(409)
  await expect(run('find-email', ['anna@guest.test', '--send-again', id])).rejects.toThrow('is being sent')
  await expect(run('find-email', ['ben@guest.test', '--send-again', id])).rejects.toThrow('there is no email')
  expect((await onPage(`emails/${newId()}/send`, {})).statusCode).toBe(404)
  expect((await onPage('emails?address=anna')).statusCode).toBe(422)
  expect(await run('find-email', [user.email])).toContain(
    `An account has this address: ${account.username} (${user.id}).`,
  )
})

test('a photo is found by id, code, link, signed address and the link of an email, also when it is deleted', async () => {
  const { user, photo } = await withPhoto()
  await askForPhoto(photo.id, 'finder@guest.test')
  const [email] = await emailsTo(server, 'finder@guest.test')
  const grant = /http:\/\/photos\.test\/g\/[\w-]+/.exec(email?.text ?? '')?.[0] ?? ''
  const code = new URL(photo.qr_code_url).pathname.split('/').at(-1)!.replace('.png', '')
  const texts = [photo.id, code, `http://photos.test/d/${code}?download=1`, photo.qr_code_url, photo.b2_url!]
  const links = [...texts, photo.thumbnail_url!, grant, `http://photos.test/request-photo/${photo.id}`]
  const findOnPage = async (text: string) =>
    (await onPage(`photos?${new URLSearchParams({ text }).toString()}`)).json<{ photos: FoundPhoto[] }>().photos
  for (const text of [...links, `see <${photo.b2_url!}> please`])
    expect([text, (await findOnPage(text)).map(({ id }) => id)]).toEqual([text, [photo.id]])
  expect(await findOnPage(photo.id)).toEqual([
    {
      id: photo.id,
      filename: photo.filename,
      owner: { id: user.id, username: user.email.split('@')[0] },
      state: 'ready',
      error_message: null,
      uploaded_at: expect.stringMatching(/Z$/),
      processed_at: expect.stringMatching(/Z$/),
      hidden_at: null,
      hidden_by_operator: false,
      deleted_at: null,
      reports: 0,
    },
  ])
  expect(await run('find-photo', [photo.b2_url!])).toMatch(
    new RegExp(
      `^Photo ${photo.id}: ready\\nOwner: .* \\(${user.id}\\)\\nFile: .*\\nUploaded: 20.* UTC\\nProcessed: 20`,
    ),
  )
  for (const text of ['', 'x', '%', newId(), 'http://photos.test/', '0'.repeat(1000), 'é'.repeat(20)])
    expect([text, await findOnPage(text)]).toEqual([text, []])
  expect(await run('find-photo', [newId()])).toBe('No photo was found.')

  await server.request({ method: 'DELETE', url: `/photos/${photo.id}`, token: user.token })
  expect(await findOnPage(code)).toMatchObject([{ state: 'deleted', deleted_at: expect.stringMatching(/Z$/) }])
  await query('delete from photos where id = $1', [photo.id])
  expect(await findOnPage(photo.id)).toMatchObject([{ state: 'deleted', owner: null, filename: null }])
  expect(await audit()).toEqual([])
})

describe('an account', () => {
  const namesIn = (zip: Buffer): string[] => zip.toString('latin1').match(/[\w-]+\.(json|csv|jpg)/g) ?? []

  test('is exported into a folder and by a link that works for ten minutes, also when it is deactivated', async () => {
    const { user } = await withPhoto()
    await query('update users set is_active = false where id = $1', [user.id])
    const dir = join(server.dir, 'exports', 'new')
    expect(await run('export-account', [user.email, dir])).toContain(
      `Everything of ${user.email} is in ${dir}/keepsnap-`,
    )
    const [name = ''] = readdirSync(dir)
    expect(readdirSync(dir)).toHaveLength(1)
    const file = readFileSync(join(dir, name))
    expect(new Set(namesIn(file))).toEqual(new Set(namesIn(file)).union(new Set(['account.json', 'photos.csv'])))

    const link = (await onPage(`users/${user.id}/export`, {})).json<{ url: string; expires_at: string }>()
    expect(Date.parse(link.expires_at) - Date.now()).toBeLessThanOrEqual(600_000)
    const path = new URL(link.url).pathname
    const download = await server.request({ method: 'GET', url: path })
    expect([download.statusCode, download.headers['content-type'], download.headers['cache-control']]).toEqual([
      200,
      'application/zip',
      'no-store',
    ])
    expect(new Set(namesIn(download.rawPayload))).toEqual(new Set(namesIn(file)))
    const { operatorExports, testCodes } = server.app.deps.tokens
    const now = Math.floor(Date.now() / 1000)
    for (const token of [
      `${path.slice('/export/'.length)}x`,
      operatorExports.token(user.id, now - 1),
      operatorExports.token(newId(), now + 60),
      testCodes.token(user.id, now + 60),
    ])
      expect((await server.request({ method: 'GET', url: `/export/${token}` })).statusCode).toBe(404)
    expect(await audit()).toEqual([
      entry('command', 'export account', user.id, null),
      entry('operator', 'export account', user.id),
    ])
    await expect(run('export-account', [user.email, join(dir, name)])).rejects.toThrow('could not be written into ')
    await expect(run('export-account', ['nobody@example.com', dir])).rejects.toThrow('there is no account')
  })

  test('is deleted after its address was entered again, also when it is deactivated; the log keeps the reason alone', async () => {
    const [first, second] = [await withPhoto(), await withPhoto()]
    for (const { user } of [first, second]) await query('update users set is_active = false where id = $1', [user.id])
    const args = [first.user.email, ...reason]
    expect(await run('delete-account', args)).toMatch(
      /, deactivated\), with 1 photo, .*\nNothing was deleted\. To do it: .* --yes$/,
    )
    expect(await run('delete-account', args, true)).toContain(`${first.user.email} is deleted`)
    await expect(run('delete-account', args, true)).rejects.toThrow('there is no account')

    const deletion = (email: string, id = second.user.id) => onPage(`users/${id}/delete`, { email })
    expect((await deletion('other@example.com')).json()).toMatchObject({
      detail: [{ msg: 'This is not the email address of the account.' }],
    })
    expect((await deletion(operator.email, operator.id)).statusCode).toBe(409)
    expect((await deletion(second.user.email.toUpperCase())).json()).toEqual({ deleted: true })
    expect((await deletion(second.user.email)).statusCode).toBe(404)
    const refused = { ...entry('operator', 'delete account', null), outcome: 'refused', detail: expect.any(String) }
    expect(await audit()).toEqual([
      entry('command', 'delete account', null),
      refused,
      refused,
      entry('operator', 'delete account', null),
      refused,
    ])
    await server.work()
    for (const { user, photo } of [first, second]) {
      expect((await server.request({ method: 'GET', url: new URL(photo.b2_url!).pathname })).statusCode).toBe(404)
      expect(await query('select 1 from stored_objects where user_id = $1', [user.id])).toEqual([])
      expect((await emailsTo(server, user.email)).at(-1)?.subject).toContain('deleted')
    }
  })
})

test('a reported photo is deleted for good, also one that its owner could have restored, and no other', async () => {
  const [one, removed, other] = [await withPhoto(), await withPhoto(), await withPhoto()]
  for (const { photo } of [one, removed]) await report(photo.id)
  await query('update photos set deleted_at = now() where id = $1', [removed.photo.id])
  await query(
    `insert into photo_removals (photo_id, user_id, clock, restorable_until, by_operator)
     values ($1, $2, 'database', now() + interval '7 days', false)`,
    [removed.photo.id, removed.user.id],
  )
  expect((await onPage(`photos/${other.photo.id}/delete`, {})).statusCode).toBe(404)
  await expect(run('delete-photo', [other.photo.id, ...reason, '--yes'])).rejects.toThrow('no reported photo')
  expect(await run('delete-photo', [removed.photo.id, ...reason])).toContain('Nothing was deleted.')
  expect(await run('delete-photo', [removed.photo.id, ...reason, '--yes'])).toBe(
    `The photo ${removed.photo.id} is deleted.`,
  )
  expect((await onPage(`photos/${one.photo.id}/delete`, {})).json()).toEqual({ deleted: true })
  expect((await onPage(`photos/${one.photo.id}/delete`, {})).statusCode).toBe(404)
  await server.work()
  for (const { photo } of [one, removed]) {
    expect(await query('select 1 from stored_objects where photo_id = $1', [photo.id])).toEqual([])
    expect(await query(`select kind from erasures where id = $1`, [photo.id])).toEqual([{ kind: 'photo' }])
  }
  const action = 'delete reported photo'
  expect(await audit()).toEqual([entry('command', action, removed.photo.id), entry('operator', action, one.photo.id)])
  expect(
    (await server.request({ method: 'GET', url: `/photos/${other.photo.id}`, token: other.user.token })).statusCode,
  ).toBe(200)
})

test('a guest is erased everywhere, with the files of emails, and stays unsubscribed; nobody else is', async () => {
  const { user, photo } = await withPhoto()
  const { tokens } = server.app.deps
  const hasAny = async (address: string): Promise<string[]> => {
    const tables = await query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`,
    )
    const found = await Promise.all(
      tables.map(async ({ name }) =>
        (await query(`select 1 from ${name} as row where strpos(lower(row::text), $1) > 0 limit 1`, [address])).length
          ? [name]
          : [],
      ),
    )
    return found.flat()
  }
  const fill = async (address: string): Promise<void> => {
    await askForPhoto(photo.id, address)
    await report(photo.id, `I am ${address}, remove it.`)
    await addSupportMessage(server, { email: address })
    await server.request({ method: 'POST', url: `/stop/${tokens.unsubscribe(address)}` })
  }
  await fill('gone@guest.test')
  await askForPhoto(photo.id, 'not.gone@guest.test')
  await report(photo.id, 'I am not.gone@guest.test.')
  expect(await hasAny('gone@guest.test')).toEqual(
    expect.arrayContaining([
      'public.emails',
      'public.photo_requests',
      'public.photo_reports',
      'public.support_messages',
    ]),
  )
  const before = await hasAny('not.gone@guest.test')
  expect(await run('erase-guest', ['gone@guest.test', ...reason])).toMatch(
    /^gone@guest\.test: 1 photo request, 1 email, 1 message to support\.\nNothing was deleted\./,
  )
  expect(await run('erase-guest', ['gone@guest.test', ...reason, '--yes'])).toMatch(
    /^Deleted: 1 photo request, 1 email, 1 message to support, 1 note in reports\./,
  )
  await server.work()
  expect(await hasAny(' gone@guest.test')).toEqual([])
  expect(await hasAny('"gone@guest.test')).toEqual([])
  expect(await query(`select 1 from emails where recipient = 'gone@guest.test'`)).toEqual([])
  expect(await emailsTo(server, 'gone@guest.test')).toEqual([])
  expect(await hasAny('not.gone@guest.test')).toEqual(before)
  expect(await emailsTo(server, 'not.gone@guest.test')).toHaveLength(1)
  const details = async (address: string) => (await onPage(`emails?address=${address}`)).json<AddressDetails>()
  expect(await details('gone@guest.test')).toMatchObject({
    total: 0,
    requests: 0,
    support_messages: 0,
    unsubscribed: true,
  })

  await fill('second@guest.test')
  await askForPhoto(photo.id, user.email)
  const erased = (address: string) => onPage('guests/erase', { address })
  expect((await erased('Second+tag@guest.test')).json()).toEqual({
    emails: 1,
    requests: 1,
    support_messages: 1,
    report_notes: 1,
  })
  expect(await hasAny('second@guest.test')).toEqual([])
  // Of somebody who has an account, only what they did as a guest, and no more is announced.
  expect(await details(user.email)).toMatchObject({ total: 3, guest_emails: 1 })
  expect(await run('erase-guest', [user.email, ...reason])).toContain(' 1 photo request, 1 email, 0 messages')
  expect((await erased(user.email)).json()).toMatchObject({ requests: 1 })
  expect(await details(user.email)).toMatchObject({
    total: 2,
    guest_emails: 0,
    requests: 0,
    account: { id: user.id },
  })
  expect((await erased('nobody')).statusCode).toBe(422)

  // One mailbox in several spellings, one of them stored by an earlier version.
  await fill('th.ird@googlemail.com')
  await query(
    `update photo_requests set requester_key = requester_email where requester_email = 'th.ird@googlemail.com'`,
  )
  await query(`update emails set recipient_key = recipient where recipient = 'th.ird@googlemail.com'`)
  await server.request({ method: 'POST', url: `/stop/${tokens.unsubscribe('third@gmail.com')}/undo` })
  await askForPhoto(photo.id, 'third+tag@gmail.com')
  expect(await details('third@gmail.com')).toMatchObject({
    total: 2,
    guest_emails: 2,
    requests: 2,
    support_messages: 1,
  })
  expect((await erased('t.h.i.r.d@gmail.com')).json()).toEqual({
    emails: 2,
    requests: 2,
    support_messages: 1,
    report_notes: 1,
  })
  expect(await hasAny('ird@g')).toEqual([])
  expect(await audit()).toEqual([
    entry('command', 'erase guest', null),
    entry('operator', 'erase guest', null),
    entry('operator', 'erase guest', null),
    entry('operator', 'erase guest', null),
  ])
  expect(await query(`select 1 from erasures where kind = 'guest'`)).toHaveLength(4)
})
