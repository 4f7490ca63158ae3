import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { supportLimits } from '@keepsnap/contract/limits.ts'
import type { SupportMessage, SupportSummary } from '@keepsnap/contract/operator-support.ts'
import type { OperatorOverview } from '@keepsnap/contract/operators.ts'
import { newClientAddress, serverForThisTest, useServer } from '../../test/harness.ts'
import {
  addSupportMessage,
  callOperator,
  grantPlan,
  makeOperator,
  makeUser,
  type TestUser,
  validPassword,
} from '../../test/test-data.ts'
import { emailsTo } from '../../test/outbox.ts'
import { cleanUpSupport } from './support-form.ts'

const support = 'help@foto.example.com'
let operator: TestUser
const server = useServer({ SUPPORT_EMAIL: support })
beforeAll(async () => {
  operator = await makeOperator(server)
})
beforeEach(() =>
  query("delete from support_messages; delete from emails where kind like 'support-%'; delete from audit_log"),
)

const query = (text: string, values?: unknown[]) => server.app.deps.pool.query(text, values)
const accepted = { detail: 'Your message has been sent.' }
interface Options {
  user?: Pick<TestUser, 'token'>
  from?: string
  headers?: Record<string, string>
}
let sent = 0
/** A message that is different each time. */
const message = (more: Record<string, string> = {}) => ({
  name: 'Marjolein Vandenbroucke',
  email: `ann${(sent += 1)}@example.com`,
  subject: 'The screen is dark',
  message: 'It was light before.\nWhat now?',
  ...more,
})
const send = (body: unknown, { user, ...more }: Options = {}) =>
  server.request({ method: 'POST', url: '/support', body, token: user?.token, ...more })
const statusOf = async (...call: Parameters<typeof send>) => (await send(...call)).statusCode
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const sendForm = (fields: Record<string, string>, options: Options = {}) =>
  send(new URLSearchParams(fields).toString(), { ...options, headers: formType })
const stored = async () => (await query('select * from support_messages order by created_at')).rows
/** The language of the newest confirmation. */
const confirmationLanguage = async (): Promise<unknown> =>
  (await query("select payload from emails where kind = 'support-received' order by created_at desc")).rows[0]?.payload
    .language
const queued = async (kind: string): Promise<number> =>
  (await query('select from emails where kind = $1', [kind])).rowCount ?? 0
const newestTo = async (address: string) => {
  await server.work()
  return (await emailsTo(server, address)).at(-1)!
}

describe('a message', () => {
  test('is stored, mailed to support with the sender to reply to, and confirmed without any text of the sender', async () => {
    const body = message({ name: 'Zoë "Zo", the <b>booth</b>', subject: 'Schermo & <i>codice</i> €5' })
    const answer = await send(body)
    expect([answer.statusCode, answer.json()]).toEqual([200, accepted])
    expect(await stored()).toMatchObject([{ ...body, state: 'open', user_id: null }])

    const email = await newestTo(support)
    expect(email).toMatchObject({ subject: body.subject, replyTo: [{ name: body.name, address: body.email }] })
    expect(email.to).toEqual([{ name: '', address: support }])
    expect(email.from).toMatchObject({ address: 'photos@photos.test' })
    expect(email.text).toContain('> It was light before.\n> What now?')
    expect(email.html).toContain('Schermo &amp; &lt;i&gt;codice&lt;/i&gt; €5')

    const confirmation = await newestTo(body.email)
    expect(confirmation).toMatchObject({
      subject: 'We have received your message',
      replyTo: [{ name: '', address: support }],
    })
    const content = `${confirmation.subject}${confirmation.text}${confirmation.html}`
    for (const text of ['Zo', 'booth', 'Schermo', 'It was light', 'What now', body.email])
      expect([text, content.includes(text)]).toEqual([text, false])
  })

  test('of a plan with priority support is marked; the session decides, never the address', async () => {
    const [pro, free] = [await makeUser(server), await makeUser(server)]
    await grantPlan(server, pro, 'pro_monthly')
    await send(message({ subject: 'of Pro' }), { user: pro })
    await send(message({ subject: 'of Free' }), { user: free })
    await send(message({ subject: 'of a visitor with the address of Pro', email: pro.email }))
    await send(message({ subject: 'of an old session' }), { user: { token: 'x'.repeat(43) } })
    expect(await stored()).toMatchObject([
      { subject: 'of Pro', user_id: pro.id, is_priority: true },
      { subject: 'of Free', user_id: free.id, is_priority: false },
      { subject: 'of a visitor with the address of Pro', user_id: null, is_priority: false },
      { subject: 'of an old session', user_id: null, is_priority: false },
    ])
    await server.work()
    const subjects = (await emailsTo(server, support)).map(({ subject }) => subject)
    expect(subjects).toEqual(expect.arrayContaining(['[Priority] of Pro', 'of Free']))
    await grantPlan(server, pro, 'free')
    await send(message({ subject: 'of Pro that was' }), { user: pro })
    expect((await stored()).at(-1)).toMatchObject({ is_priority: false })
  })

  test('with the honeypot filled in is kept and marked, answered the same, and not confirmed', async () => {
    const websites = ['https://spam.example', 'x'.repeat(5000), 'a\0b']
    const bodies = websites.map((website) => message({ website }))
    for (const body of bodies) expect((await send(body)).json()).toEqual(accepted)
    const suspected = { state: 'suspected', filled_honeypot: true }
    expect(await stored()).toMatchObject([suspected, suspected, suspected])
    expect((await newestTo(support)).subject).toBe('[Suspected spam] The screen is dark')
    for (const { email } of bodies) expect(await emailsTo(server, email)).toEqual([])
  })

  test('in any script keeps its characters, and no line of a name or subject becomes a header', async () => {
    const evil = 'Ann\r\nBcc: victim@example.com\u202e'
    const arabic = 'الشاشة مظلمة\nماذا الآن؟ 🎉'
    await send(message({ name: evil, subject: `שלום\r\nX-Evil: 1\u2028`, message: arabic }))
    expect(await stored()).toMatchObject([
      { name: 'Ann Bcc: victim@example.com', subject: 'שלום X-Evil: 1', message: arabic },
    ])
    const email = await newestTo(support)
    expect(email.subject).toBe('שלום X-Evil: 1')
    expect(email.bcc).toBeUndefined()
    expect(email.headers.some(({ key }) => key.startsWith('x-evil'))).toBe(false)
    expect(email.text).toContain('> الشاشة مظلمة\n> ماذا الآن؟ 🎉')
  })

  test('is confirmed in the language of the page, or else of the browser', async () => {
    await send(message(), { headers: { 'accept-language': 'nl-BE, en;q=0.5' } })
    expect(await confirmationLanguage()).toBe('nl')
    for (const [asked, used] of [
      ['fr', 'fr'],
      ['xx', 'en'],
    ]) {
      await server.request({ method: 'POST', url: `/support?lang=${asked}`, body: message() })
      expect(await confirmationLanguage()).toBe(used)
    }
  })

  test('that comes twice, also at once, is stored once', async () => {
    const body = message()
    const answers = await Promise.all([send(body), send(body), send({ ...body, message: `${body.message}  ` })])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await stored()).toHaveLength(1)
    await send({ ...body, message: 'Something else' })
    expect(await stored()).toHaveLength(2)
  })

  test('is not mailed any more once it is deleted', async () => {
    await send(message())
    await query('delete from support_messages')
    const before = (await emailsTo(server, support)).length
    await server.work()
    expect(await emailsTo(server, support)).toHaveLength(before)
  })
})

describe('fields', () => {
  test('are all required, and each refusal has its sentence', async () => {
    const { detail } = (await send({})).json<{ detail: { loc: string[]; msg: string }[] }>()
    expect(detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)).toEqual([
      'body.name: Please enter your name',
      'body.email: Please enter your email address',
      'body.subject: Please enter a subject',
      'body.message: Please write a message',
    ])
    expect(await stored()).toEqual([])
  })

  test.each([
    ['name', 'too many characters', 'a'.repeat(supportLimits.nameChars + 1), 'Please use at most 100 characters'],
    ['name', 'invisible characters', '\u200b \u00a0', 'Please enter your name'],
    ['subject', 'too many characters', 'a'.repeat(supportLimits.subjectChars + 1), 'Please use at most 150 characters'],
    [
      'message',
      'too many characters',
      'a'.repeat(supportLimits.messageChars + 1),
      'Please use at most 5000 characters',
    ],
    ['message', 'white space', ' \r\n\t', 'Please write a message'],
    ['email', 'a header', 'a@b.example\r\nBcc: c@d.example', 'Please enter one address only'],
    [
      'email',
      'a domain that is too long in ASCII',
      `a@${'ü'.repeat(63)}.example`,
      "This doesn't look like an email address",
    ],
  ])('%s: %s is refused', async (field, _, value, msg) => {
    const answer = await send(message({ [field]: value }))
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', field], msg }] },
    ])
  })

  test('may be as long as the limits say, in characters of several bytes; huge bodies and NUL are refused', async () => {
    const longest = {
      name: 'é'.repeat(supportLimits.nameChars),
      subject: '写'.repeat(supportLimits.subjectChars),
      message: '写'.repeat(supportLimits.messageChars),
    }
    expect(await statusOf(message(longest))).toBe(200)
    expect((await sendForm(message({ ...longest, name: 'x' }))).statusCode).toBe(200)
    expect(await stored()).toMatchObject([longest, { message: longest.message }])
    const huge = message({ message: 'a'.repeat(70_000) })
    expect([await statusOf(huge), (await sendForm(huge)).statusCode]).toEqual([413, 413])
    expect(await statusOf(message({ name: 'a\0b' }))).toBe(422)
    expect(await stored()).toHaveLength(2)
  })
})

describe('limits', () => {
  /** As if so many messages had been sent within the last hour; `client`: a pseudonym. */
  const addMessages = (
    count: number,
    { client = 'others', networks = null as string[] | null, honeypot = false, emailed = false } = {},
  ) =>
    server.app.deps.pool.query(
      `insert into support_messages (id, name, email, mailbox, subject, message, is_priority, filled_honeypot, state, client,
         is_emailed, is_confirmed, networks)
       select 'message ' || gen_random_uuid(), 'Ann', 'x@example.com', 'x@example.com', 'x', 'x', false, $2, 'open', $3, $4, $4, $5
       from generate_series(1, $1)`,
      [count, honeypot, client, emailed, networks],
    )
  test('a client can send twenty a day; the form says why a message was refused, and keeps it', async () => {
    const from = newClientAddress()
    await addMessages(supportLimits.perClientDay - 1, { client: server.app.deps.tokens.clientPseudonym(from) })
    expect(await statusOf(message(), { from })).toBe(200)
    const refused = await send(message(), { from })
    const detail = 'Too many messages from your network today. Please try again tomorrow.'
    expect([refused.statusCode, refused.json()]).toEqual([429, { code: 'rate_limited', detail }])
    const page = await sendForm(message({ message: 'Keep this' }), { from })
    expect(page.statusCode).toBe(429)
    for (const part of ['Too many messages from your network today.', 'Keep this']) expect(page.body).toContain(part)
  })

  test('all /64 networks of a /56 can send four times as many, those of a /48 ten times', async () => {
    const pseudonymOf = server.app.deps.tokens.clientPseudonym
    const [first, second] = [pseudonymOf('2001:db8:9:100::/56'), pseudonymOf('2001:db8:9:200::/56')]
    const whole = pseudonymOf('2001:db8:9::/48')
    await addMessages(4 * supportLimits.perClientDay - 1, { networks: [first, whole] })
    const from = (network: string) => statusOf(message(), { from: `2001:db8:9:${network}::1` })
    expect([await from('101'), await from('102'), await from('201')]).toEqual([200, 429, 200])
    await addMessages(6 * supportLimits.perClientDay - 1, { networks: [second.replace(/^./, '_'), whole] })
    expect([await from('301'), await statusOf(message(), { from: '2001:db8:a:1::1' })]).toEqual([429, 200])
  })

  test('all clients together have a limit, which spam of bots does not use up', async () => {
    await addMessages(supportLimits.perDay, { honeypot: true })
    expect(await statusOf(message())).toBe(200)
    await addMessages(supportLimits.perDay)
    const refused = await send(message())
    expect([refused.statusCode, refused.json()]).toMatchObject([503, { code: 'unavailable' }])
    expect(refused.headers['retry-after']).toBe('3600')
  })

  test('a flood of visitors closes the form for no account, and one of accounts for no plan with priority support', async () => {
    const [user, customer] = [await makeUser(server), await makeUser(server)]
    await grantPlan(server, customer, 'pro_monthly')
    await addMessages(supportLimits.perDay, { emailed: true })
    expect(await statusOf(message())).toBe(503)
    expect(await statusOf(message(), { user })).toBe(200)
    await query('update support_messages set user_id = $1', [user.id])
    expect(await statusOf(message(), { user })).toBe(503)
    expect(await statusOf(message(), { user: customer })).toBe(200)
    expect((await stored()).at(-1)).toMatchObject({ is_priority: true, is_emailed: true, is_confirmed: true })
  })

  test('over the emails of an hour, messages are in the inbox alone', async () => {
    await addMessages(supportLimits.emailsPerHour, { emailed: true })
    expect(await statusOf(message())).toBe(200)
    expect((await stored()).at(-1)).toMatchObject({ state: 'open', is_emailed: false, is_confirmed: false })
    expect([await queued('support-message'), await queued('support-received')]).toEqual([0, 0])
  })

  test('an address gets three confirmations an hour, of all clients, also with tags; the answers stay the same', async () => {
    for (const email of ['Eva@example.com', 'eva+a@example.com', 'eva+b@example.com', 'eva@EXAMPLE.com']) {
      const answer = await send(message({ email, message: `I am ${email}` }))
      expect([answer.statusCode, answer.json()]).toEqual([200, accepted])
    }
    expect([await queued('support-message'), await queued('support-received')]).toEqual([4, 3])
  })

  test('emails with photos and links to the address count as well', async () => {
    for (const [index, kind] of (['photo', 'reset', 'verify'] as const).entries())
      await query(
        `insert into emails (id, kind, recipient, recipient_key, payload, due_at, give_up_at)
         values ($1, $2, 'mia@example.com', 'mia@example.com', '{}', now(), now() + interval '1 day')`,
        [`count ${index}`, kind],
      )
    await send(message({ email: 'mia@example.com' }))
    expect([await queued('support-message'), await queued('support-received')]).toEqual([1, 0])
    await query("delete from emails where id like 'count %'")
  })
})

describe('the form without JavaScript', () => {
  test('is answered with a page that repeats the address', async () => {
    const answer = await sendForm({ ...message({ message: 'Line one\r\nLine two' }), website: '' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers['cache-control']).toBe('no-store')
    for (const part of ['Message sent', '@example.com']) expect(answer.body).toContain(part)
    expect(await stored()).toMatchObject([{ message: 'Line one\nLine two', state: 'open' }])
  })

  test('shows what was entered again, with what is wrong beside each field', async () => {
    const answer = await sendForm(message({ name: '"><script>x</script>', email: 'marjolein@fotohuis', message: '' }))
    expect(answer.statusCode).toBe(422)
    for (const part of [
      'The address is missing its ending, such as .com',
      'Please write a message',
      'value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"',
      'action="/support?lang=en"',
    ])
      expect(answer.body).toContain(part)
    expect(answer.body).not.toContain('<script>x')
    const long = await sendForm(message({ name: 'n'.repeat(2_000), message: `Keep this ${'m'.repeat(30_000)}` }))
    expect([long.statusCode, long.body]).toEqual([422, expect.stringContaining('Keep this')])
    expect(await stored()).toEqual([])
  })

  test('is answered in the language of the page that had the form, also when it is sent again', async () => {
    const form = (fields: Record<string, string>) =>
      server.request({
        method: 'POST',
        url: '/support?lang=nl',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'fr' },
      })
    const refused = await form(message({ message: '' }))
    expect(refused.headers['content-language']).toBe('nl')
    expect(refused.body).toContain('Schrijf een bericht')
    expect(refused.body).toContain('action="/support?lang=nl"')
    const sent = await form(message())
    expect(sent.body).toContain('<html lang="nl"')
    expect(sent.body).toContain('href="/support?lang=nl"')
    expect(await confirmationLanguage()).toBe('nl')
  })
})

test('messages are kept for as long as the limits say, and clients for a day', async () => {
  const { answeredDays, suspectedDays, openDays } = supportLimits
  const kept = [
    await addSupportMessage(server),
    await addSupportMessage(server, { days: openDays - 1 }),
    await addSupportMessage(server, { state: 'answered', days: answeredDays - 1 }),
    await addSupportMessage(server, { state: 'suspected', days: suspectedDays - 1 }),
  ]
  await addSupportMessage(server, { days: openDays + 1 })
  await addSupportMessage(server, { state: 'answered', days: answeredDays + 1 })
  const spam = await addSupportMessage(server, { state: 'suspected', days: suspectedDays + 1 })
  await query(
    `insert into emails (id, kind, recipient, recipient_key, payload, due_at, give_up_at)
     values ($1, 'support-message', 'help@example.com', 'help@example.com', '{}', now(), now() + interval '1 day')`,
    [spam],
  )
  // One that was sent long ago and answered only now stays.
  const answeredNow = await addSupportMessage(server, { state: 'answered', days: openDays + 1 })
  await query('update support_messages set answered_at = now() where id = $1', [answeredNow])
  await cleanUpSupport(server.db)
  const rows = await stored()
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([...kept, answeredNow]))
  expect(rows.filter(({ client }) => client !== null)).toMatchObject([{ id: kept[0] }])
  expect(await queued('support-message')).toBe(0)
})

describe('the inbox of operators', () => {
  const list = async (query = '') =>
    (await callOperator(server, operator, `support${query}`)).json<{
      messages: SupportSummary[]
      counts: object
      total: number
    }>()
  const read = (id: string) => callOperator(server, operator, `support/${id}`)
  const change = (id: string, state: string) =>
    server.request({ method: 'PUT', url: `/api/operator/support/${id}`, token: operator.token, body: { state } })
  const remove = (id: string) => callOperator(server, operator, `support/${id}/delete`, { reason: 'They asked for it' })
  const log = async () =>
    (await query('select actor_name, action, reason, outcome, user_id from audit_log order by at, id')).rows
  const outboxFiles = () => readdir(join(server.dir, 'outbox')).catch(() => [])

  test('shows those with priority first, then the newest, in pages', async () => {
    const ids = {
      old: await addSupportMessage(server, { days: 3 }),
      priority: await addSupportMessage(server, { days: 2, priority: true }),
      newest: await addSupportMessage(server),
      answered: await addSupportMessage(server, { state: 'answered', days: 1 }),
      suspected: await addSupportMessage(server, { state: 'suspected' }),
    }
    const { messages, counts, total } = await list()
    expect(messages.map(({ id }) => id)).toEqual([ids.priority, ids.newest, ids.old])
    expect([counts, total]).toEqual([{ open: 3, priority: 1, answered: 1, suspected: 1 }, 3])
    expect(messages[0]).toEqual({
      id: ids.priority,
      name: 'Ann',
      email: 'ann@example.com',
      subject: 'The screen is dark',
      excerpt: 'It was light before.',
      priority: true,
      state: 'open',
      sent_at: expect.stringMatching(/Z$/),
      answered_at: null,
    })
    expect((await list('?skip=1&limit=1')).messages.map(({ id }) => id)).toEqual([ids.newest])
    expect((await list('?state=answered')).messages).toMatchObject([
      { id: ids.answered, answered_at: expect.any(String) },
    ])
    expect((await list('?state=suspected')).messages).toMatchObject([{ id: ids.suspected }])
    const overview = (await callOperator(server, operator, 'overview')).json<OperatorOverview>()
    expect(overview.support).toEqual({ open: 3, priority: 1 })
  })

  test('shows a message whole, with the account that sent it', async () => {
    const user = await makeUser(server)
    const [own, visitors] = [await addSupportMessage(server, { owner: user.id }), await addSupportMessage(server)]
    const account = { id: user.id, email: user.email }
    expect((await read(own)).json()).toMatchObject({ message: 'It was light before.', account })
    expect((await read(visitors)).json()).toMatchObject({ account: null })
    for (const id of ['x', 'A'.repeat(22)]) expect((await read(id)).statusCode).toBe(404)
  })

  test('logs once that a message was answered, reopened and suspected', async () => {
    const user = await makeUser(server)
    const id = await addSupportMessage(server, { owner: user.id })
    const changed = async (state: string) => (await change(id, state)).json<SupportMessage>()
    const answered = await changed('answered')
    expect([answered.state, answered.answered_at]).toEqual(['answered', expect.any(String)])
    // Again has no further effect.
    expect(await changed('answered')).toEqual(answered)
    expect(await changed('open')).toMatchObject({ state: 'open', answered_at: null })
    expect(await changed('suspected')).toMatchObject({ state: 'suspected' })
    const done = { actor_name: operator.email, reason: null, outcome: 'done', user_id: user.id }
    expect(await log()).toEqual([
      { ...done, action: 'mark support message as answered' },
      { ...done, action: 'reopen support message' },
      { ...done, action: 'mark support message as suspected' },
    ])
    expect((await change('A'.repeat(22), 'open')).statusCode).toBe(404)
  })

  test('deletes a message with the email about it, which is logged', async () => {
    await send(message({ subject: 'Delete me' }))
    await server.work()
    const { id } = (await list()).messages[0]!
    expect(await outboxFiles()).toContain(`${id}.eml`)
    expect((await remove(id)).json()).toEqual({ deleted: true })
    await server.work()
    expect(await outboxFiles()).not.toContain(`${id}.eml`)
    expect([(await read(id)).statusCode, (await remove(id)).statusCode]).toEqual([404, 404])
    const action = { action: 'delete support message', reason: 'They asked for it', outcome: 'done', user_id: null }
    expect(await log()).toMatchObject([action])
  })

  test('has no messages of a deleted account, nor their emails, nor what the log said about them', async () => {
    const user = await makeUser(server)
    await send(message({ subject: 'Mine' }), { user })
    const visitors = await addSupportMessage(server)
    await server.work()
    const { id } = (await list()).messages.find(({ subject }) => subject === 'Mine')!
    await change(id, 'suspected')
    expect(await outboxFiles()).toContain(`${id}.eml`)
    const deletion = { method: 'DELETE', url: '/user', token: user.token, body: { password: validPassword } } as const
    expect((await server.request(deletion)).statusCode).toBe(204)
    await server.work()
    expect((await list()).messages.map((one) => one.id)).toEqual([visitors])
    expect((await list('?state=suspected')).messages).toEqual([])
    expect(await outboxFiles()).not.toContain(`${id}.eml`)
    expect(await log()).toMatchObject([{ action: 'mark support message as suspected', user_id: null }])
  })
})

test('without an address for support, a real mail server gets no email for the sample one', async () => {
  const unset = await serverForThisTest({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'photos@photos.test' })
  await unset.request({ method: 'POST', url: '/support', body: message() })
  const { rows } = await unset.app.deps.pool.query<{ kind: string }>(
    "select kind from emails where kind like 'support-%'",
  )
  expect(rows).toEqual([{ kind: 'support-received' }])
})
