import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rates, supportLimits } from '@keepsnap/contract/limits.ts'
import { newClientAddress, serverForThisTest, startServer, type TestServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { grantPlan, makeUser, type TestUser } from '../../test/test-data.ts'

const support = 'help@foto.example.com'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ SUPPORT_EMAIL: support })
})
beforeEach(async () => {
  await server.app.deps.pool.query('delete from support_messages')
  await server.app.deps.pool.query("delete from emails where kind like 'support-%'")
})
afterAll(() => server.close())

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
const send = (body: unknown, { user, from, headers }: Options = {}) =>
  server.request({
    method: 'POST',
    url: '/support',
    body,
    token: user?.token,
    ...(from !== undefined && { from }),
    ...(headers && { headers }),
  })
const sendForm = (fields: Record<string, string>, options: Options = {}) =>
  send(new URLSearchParams(fields).toString(), {
    ...options,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const stored = async () =>
  (await server.app.deps.pool.query<Record<string, unknown>>('select * from support_messages order by created_at')).rows
/** The language of the newest confirmation. */
const confirmationLanguage = async (): Promise<unknown> =>
  (
    await server.app.deps.pool.query<{ language: unknown }>(
      "select payload->>'language' as language from emails where kind = 'support-received' order by created_at desc limit 1",
    )
  ).rows[0]?.language
const queued = async (kind: string): Promise<number> =>
  (await server.app.deps.pool.query('select 1 from emails where kind = $1', [kind])).rowCount ?? 0
const newestTo = async (address: string) => {
  await server.work()
  return (await emailsTo(server, address)).at(-1)!
}

describe('a message', () => {
  test('is stored, mailed to support with the sender to reply to, and confirmed without any text of the sender', async () => {
    const body = message({ name: 'Zoë "Zo", the <b>booth</b>', subject: 'Schermo & <i>codice</i> €5' })
    const answer = await send(body)
    expect([answer.statusCode, answer.json()]).toEqual([200, { detail: 'Your message has been sent.' }])
    expect(await stored()).toMatchObject([
      {
        name: body.name,
        email: body.email,
        subject: body.subject,
        message: body.message,
        state: 'open',
        user_id: null,
      },
    ])

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
    const body = { ...message(), website: 'https://spam.example' }
    expect((await send(body)).json()).toEqual({ detail: 'Your message has been sent.' })
    expect(await stored()).toMatchObject([{ state: 'suspected', filled_honeypot: true }])
    expect((await newestTo(support)).subject).toBe('[Suspected spam] The screen is dark')
    expect(await emailsTo(server, body.email)).toEqual([])
  })

  test('is kept whatever a bot writes into the honeypot', async () => {
    for (const website of ['x'.repeat(5000), 'a\0b'])
      expect((await send(message({ website }))).json()).toEqual({ detail: 'Your message has been sent.' })
    expect((await stored()).map(({ state }) => state)).toEqual(['suspected', 'suspected'])
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
    await server.request({ method: 'POST', url: '/support?lang=fr', body: message() })
    expect(await confirmationLanguage()).toBe('fr')
    await server.request({ method: 'POST', url: '/support?lang=xx', body: message() })
    expect(await confirmationLanguage()).toBe('en')
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
    await server.app.deps.pool.query('delete from support_messages')
    const before = (await emailsTo(server, support)).length
    await server.work()
    expect(await emailsTo(server, support)).toHaveLength(before)
  })
})

describe('fields', () => {
  test('are all required, and each refusal has its sentence', async () => {
    const answer = await send({})
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      {
        code: 'invalid',
        detail: [
          { loc: ['body', 'name'], msg: 'Please enter your name' },
          { loc: ['body', 'email'], msg: 'Please enter your email address' },
          { loc: ['body', 'subject'], msg: 'Please enter a subject' },
          { loc: ['body', 'message'], msg: 'Please write a message' },
        ],
      },
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
    ['email', 'half an address', 'marjolein@fotohuis', 'The address is missing its ending, such as .com'],
    ['email', 'two addresses', 'a@b.example, c@d.example', 'Please enter one address only'],
    ['email', 'a header', 'a@b.example\r\nBcc: c@d.example', 'Please enter one address only'],
    [
      'email',
      'a domain that is too long in ASCII',
      `a@${'ü'.repeat(64)}.example`,
      "This doesn't look like an email address",
    ],
  ])('%s: %s is refused', async (field, _, value, msg) => {
    const answer = await send(message({ [field]: value }))
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', field], msg }] },
    ])
  })

  test('may be as long as the limits say, in characters of several bytes', async () => {
    const longest = {
      name: 'é'.repeat(supportLimits.nameChars),
      subject: '写'.repeat(supportLimits.subjectChars),
      message: '写'.repeat(supportLimits.messageChars),
    }
    expect((await send(message(longest))).statusCode).toBe(200)
    expect((await sendForm(message({ ...longest, name: 'x' }))).statusCode).toBe(200)
    expect(await stored()).toMatchObject([longest, { message: longest.message }])
  })

  test('with NUL, of other types, unknown ones and huge bodies are refused before they reach the database', async () => {
    for (const body of [
      message({ name: 'a\0b' }),
      { ...message(), name: ['Ann'] },
      { ...message(), is_priority: true },
    ])
      expect((await send(body)).statusCode).toBe(422)
    expect((await send(message({ message: 'a'.repeat(70_000) }))).statusCode).toBe(413)
    expect((await sendForm(message({ message: 'a'.repeat(70_000) }))).statusCode).toBe(413)
    expect((await send('x', { headers: { 'content-type': 'text/plain' } })).statusCode).toBe(415)
    expect(await stored()).toEqual([])
  })
})

describe('limits', () => {
  test('a client can send five a minute', async () => {
    const from = newClientAddress()
    for (let index = 0; index < rates.support.perMinute; index += 1)
      expect((await send(message(), { from })).statusCode).toBe(200)
    const refused = await send(message(), { from })
    expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'rate_limited' }])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(message())).statusCode).toBe(200)
  })

  /** As if so many messages had been sent within the last hour; `client`: a pseudonym. */
  const addMessages = (count: number, { client = 'others', honeypot = false, emailed = false } = {}) =>
    server.app.deps.pool.query(
      `insert into support_messages (id, name, email, mailbox, subject, message, is_priority, filled_honeypot, state, client,
         is_emailed, is_confirmed)
       select 'message ' || gen_random_uuid(), 'Ann', 'x@example.com', 'x@example.com', 'x', 'x', false, $2, 'open', $3, $4, $4
       from generate_series(1, $1)`,
      [count, honeypot, client, emailed],
    )

  test('a client can send twenty a day', async () => {
    const from = newClientAddress()
    const client = server.app.deps.tokens.clientPseudonym(from)
    await addMessages(supportLimits.perClientDay - 1, { client })
    expect((await send(message(), { from })).statusCode).toBe(200)
    const refused = await send(message(), { from })
    expect([refused.statusCode, refused.json()]).toEqual([
      429,
      { code: 'rate_limited', detail: 'Too many messages from your network today. Please try again tomorrow.' },
    ])
  })

  test('all clients together have a limit, which spam of bots does not use up', async () => {
    await addMessages(supportLimits.perDay, { honeypot: true })
    expect((await send(message())).statusCode).toBe(200)
    await addMessages(supportLimits.perDay)
    const refused = await send(message())
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toMatchObject([
      503,
      { code: 'unavailable' },
      '3600',
    ])
  })

  test('a flood of visitors closes the form for no account, and one of accounts for no plan with priority support', async () => {
    const [user, customer] = [await makeUser(server), await makeUser(server)]
    await grantPlan(server, customer, 'pro_monthly')
    await addMessages(supportLimits.perDay, { emailed: true })
    expect((await send(message())).statusCode).toBe(503)
    expect((await send(message(), { user })).statusCode).toBe(200)
    await server.app.deps.pool.query('update support_messages set user_id = $1', [user.id])
    expect((await send(message(), { user })).statusCode).toBe(503)
    expect((await send(message(), { user: customer })).statusCode).toBe(200)
    expect((await stored()).at(-1)).toMatchObject({ is_priority: true, is_emailed: true, is_confirmed: true })
  })

  test('over the emails of an hour, messages are in the inbox alone', async () => {
    await addMessages(supportLimits.emailsPerHour, { emailed: true })
    expect((await send(message())).statusCode).toBe(200)
    expect((await stored()).at(-1)).toMatchObject({ state: 'open', is_emailed: false, is_confirmed: false })
    expect([await queued('support-message'), await queued('support-received')]).toEqual([0, 0])
  })

  test('an address gets three confirmations an hour, of all clients, also with tags; the answers stay the same', async () => {
    const addresses = [
      'Eva@example.com',
      'eva@example.com',
      'eva+a@example.com',
      'eva+b@example.com',
      'eva@EXAMPLE.com',
    ]
    const answers = []
    for (const email of addresses) answers.push(await send(message({ email, message: `I am ${email}` })))
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      addresses.map(() => [200, '{"detail":"Your message has been sent."}']),
    )
    expect([await queued('support-message'), await queued('support-received')]).toEqual([5, 3])
  })

  test('emails with photos and links to the address count as well', async () => {
    const { pool } = server.app.deps
    for (const [index, kind] of (['photo', 'reset', 'verify'] as const).entries())
      await pool.query(
        `insert into emails (id, kind, recipient, recipient_key, payload, due_at, give_up_at)
         values ($1, $2, 'mia@example.com', 'mia@example.com', '{}', now(), now() + interval '1 day')`,
        [`count ${index}`, kind],
      )
    await send(message({ email: 'mia@example.com' }))
    expect([await queued('support-message'), await queued('support-received')]).toEqual([1, 0])
    await pool.query("delete from emails where id like 'count %'")
  })
})

describe('the form without JavaScript', () => {
  test('is answered with a page that repeats the address', async () => {
    const body = message({ message: 'Line one\r\nLine two' })
    const answer = await sendForm({ ...body, website: '' })
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(answer.body).toContain('Message sent')
    expect(answer.body).toContain('@example.com')
    expect(await stored()).toMatchObject([{ message: 'Line one\nLine two', state: 'open' }])
  })

  test('shows what was entered again, with what is wrong beside each field', async () => {
    const answer = await sendForm(message({ name: '"><script>x</script>', email: 'marjolein@fotohuis', message: '' }))
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toContain('The address is missing its ending, such as .com')
    expect(answer.body).toContain('Please write a message')
    expect(answer.body).toContain('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"')
    expect(answer.body).not.toContain('<script>x')
    expect(answer.body).toContain('action="/support?lang=en"')
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

  test('keeps a text that is far too long, and says so beside it', async () => {
    const answer = await sendForm(message({ name: 'n'.repeat(2_000), message: `Keep this ${'m'.repeat(30_000)}` }))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('Keep this')
  })

  test('says why a message was refused, and keeps it', async () => {
    const from = newClientAddress()
    const client = server.app.deps.tokens.clientPseudonym(from)
    await server.app.deps.pool.query(
      `insert into support_messages (id, name, email, mailbox, subject, message, is_priority, filled_honeypot, state, client,
         is_emailed, is_confirmed)
       select 'message ' || n, 'Ann', 'x@example.com', 'x', 'x', 'x', false, false, 'open', $1, false, false
       from generate_series(1, 20) n`,
      [client],
    )
    const answer = await sendForm(message({ message: 'Keep this' }), { from })
    expect(answer.statusCode).toBe(429)
    expect(answer.body).toContain('Too many messages from your network today.')
    expect(answer.body).toContain('Keep this')
  })

  test('works as multipart form, too', async () => {
    const boundary = 'form'
    const parts = Object.entries(message()).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    expect((await send(`${parts.join('')}--${boundary}--\r\n`, { headers })).statusCode).toBe(200)
    expect(await stored()).toHaveLength(1)
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
