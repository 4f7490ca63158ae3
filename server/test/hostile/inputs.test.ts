/** What every endpoint refuses, and whether its answers are as the contract declares, from the examples of the contract. */
import type { TObject } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { type Example, exampleValues } from '@keepsnap/contract/examples.ts'
import { contractProblemOf, fits, fitsSchema } from '../contract-answers.ts'
import {
  allows,
  bearer,
  called,
  type ExampleAccount,
  type ExampleServer,
  filled,
  makeExampleAccount,
  requestOf,
  shown,
  startExampleServer,
} from '../example-server.ts'
import { makeOperator, makeUser } from '../test-data.ts'
import { isRecord, logWithSeed, repetitions, seededRandom, type SeededRandom } from '../statistics.ts'
import { hashTables } from '../consistency-check.ts'

let example: ExampleServer
/** Names of all columns of our tables. */
let columns: string[]

beforeAll(async () => {
  example = await startExampleServer()
  const { rows } = await query<{ name: string }>(
    "select distinct column_name as name from information_schema.columns where table_schema = 'public' order by 1",
  )
  columns = rows.map(({ name }) => name)
})
afterAll(() => example.server.close())

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  example.server.app.deps.pool.query<Row>(text, values)
const fieldsOf = (schema: unknown): TObject['properties'] => (schema as TObject).properties // inputs of the contract are objects
const parts = ['params', 'query', 'body'] as const
type Part = (typeof parts)[number]
type Fields = Record<string, unknown>

/** A request that is wrong in one respect. */
interface Mistake {
  what: string
  /** Instead of these parts of the example. */
  change: { [Name in Part]?: unknown }
  /** The content type, if it is not that of the endpoint. */
  type?: string
  status: number
  detail?: unknown
}

const wrongTexts = ['', '-1', '1.5', 'x', '\0', 'x'.repeat(1025), '9'.repeat(20)]
const wrongValues = [null, true, -1, 1.5, '', '\0', 'x'.repeat(1025), [], {}]

/** Fields left out, or with values that the schema refuses. */
function wrongFields(part: Part, endpoint: Endpoint, right: Fields): Mistake[] {
  const isText = part !== 'body' || endpoint.form === true
  const tried = Object.keys(fieldsOf(endpoint[part])).flatMap((field, at): Fields[] => {
    const { [field]: value, ...without } = right
    const all = [...wrongValues, [value], { value }]
    // All of them in the record run, otherwise a fourth: the same validator reads every field.
    const some = all.filter((_, n) => isRecord || (n + at) % 4 === 0)
    return [without, ...(isText ? wrongTexts : some).map((one) => ({ ...right, [field]: one }))]
  })
  // An empty parameter is another path.
  const sent =
    part === 'params' ? tried.filter((fields) => !Object.values({ ...right, ...fields }).includes('')) : tried
  return sent.flatMap((fields) => {
    if (fits(endpoint, part, fields) || (part === 'params' && Object.keys(fields).length < Object.keys(right).length))
      return []
    const isNoUrl = part === 'params' || (part === 'query' && Object.values(fields).includes('\0'))
    // There, a page answers whatever follows.
    const isPage = isNoUrl && endpoint.method === 'GET' && endpoint.path.startsWith('/stop/')
    return {
      what: JSON.stringify(fields).slice(0, 200),
      change: { [part]: fields },
      status: isPage ? 404 : isNoUrl ? 400 : 422,
    }
  })
}

const unknownFields = [
  'is_admin',
  'is_active',
  'subscription_tier',
  'password_hash',
  'user_id',
  'id',
  'isAdmin',
  '$set',
  '',
]
const typesOfForms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']

/** Bodies that no handler may see: of other types, too large, broken, or with unknown fields and prototypes. */
function wrongBodies(endpoint: Endpoint, right: Fields, isTried: (column: string) => boolean): Mistake[] {
  const { body: schema, form } = endpoint
  const json = JSON.stringify(right)
  const others = form === true ? ['application/json'] : form ? [] : typesOfForms
  const mistakes = [...others, 'text/plain', 'application/xml'].map((type): Mistake => ({
    what: type,
    change: { body: json },
    type,
    status: 415,
  }))
  const [first = ''] = Object.keys(right)
  mistakes.push({ what: 'a large body', change: { body: { ...right, [first]: 'x'.repeat(70_000) } }, status: 413 })
  if (form === true) return mistakes
  const refuse = (status: number, bodies: unknown[], detail?: unknown): void =>
    void mistakes.push(
      ...bodies.map((body) => ({ what: JSON.stringify(body).slice(0, 200), change: { body }, status, detail })),
    )
  const fields = [...unknownFields, ...columns.filter(isTried)].filter((field) => !(field in fieldsOf(schema)))
  for (const [at, field] of fields.entries()) {
    const value = [true, 'pro', null, { is_admin: true }, [1]][at % 5]
    refuse(422, [{ ...right, [field]: value }], [{ loc: ['body', field], msg: 'Unknown field' }])
  }
  const withText = (extra: string): string => `${json.slice(0, -1)},${extra}}`
  const prototypes = [
    '"__proto__":{"is_admin":true}',
    '"constructor":{"prototype":{"is_admin":true}}',
    '"\\u005f_proto__":{}',
  ]
  refuse(400, prototypes.map(withText))
  refuse(422, ['"prototype":{}', '"toString":1', `${JSON.stringify(first)}:["x"]`].map(withText))
  const broken = [json.slice(0, -1), `${json},`, '\ufeff{', '{"a":'.repeat(8_000), "{'a':1}", 'NaN']
  refuse(400, broken, 'The body is not valid JSON.')
  refuse(
    422,
    [[right], { body: right }, json, 1, null, true].map((body) => JSON.stringify(body)),
  )
  return mistakes
}

const withInput = endpoints.filter(({ params, query: search, body }) => params || search || body)
/** Drawing the pictures takes seconds; server/features/web-pages tests them. */
const isDrawn = ({ path }: Endpoint): boolean => path === '/preview/:name'

describe('what the contract does not allow is refused, and changes nothing', () => {
  test.each(shown(withInput))('%s', async (_, endpoint) => {
    const right = filled(endpoint, example.owner.values)
    // In the record run every column of our tables, otherwise one of thirty, so that every column is tried at some endpoint.
    const at = endpoints.indexOf(endpoint)
    const isTried = (column: string): boolean => isRecord || columns.indexOf(column) % 30 === at % 30
    const mistakes = parts.flatMap((part) =>
      endpoint[part] ? wrongFields(part, endpoint, (right[part] ?? {}) as Fields) : [],
    )
    const { body, query: search } = endpoint
    if (search && 'additionalProperties' in search)
      mistakes.push({ what: 'a query with x', change: { query: { ...right.query, x: '1' } }, status: 422 })
    if (body) mistakes.push(...wrongBodies(endpoint, right.body as Fields, isTried))
    expect(mistakes.length).toBeGreaterThan(0)
    const before = await hashTables(example.server)
    for (const { what, change, type, status, detail } of mistakes) {
      const headers = { ...example.headersFor(endpoint), ...(type && { 'content-type': type }) }
      const answer = await example.send(requestOf(endpoint, { ...right, ...change } as Example, headers)) // wrong on purpose
      const problem = contractProblemOf(endpoint, answer, false)
      const received = detail === undefined ? undefined : answer.json<{ detail: unknown }>().detail
      expect([what, answer.statusCode, problem, received]).toEqual([what, status, undefined, detail])
    }
    expect('is_admin' in {}).toBe(false)
    expect(await hashTables(example.server)).toEqual(before)
  })

  test('uploads are taken as multipart forms only', async () => {
    for (const endpoint of endpoints.filter(({ upload }) => upload)) {
      const { url, method, headers } = requestOf(endpoint, {}, example.headersFor(endpoint))
      for (const type of ['application/json', 'image/jpeg', 'application/x-www-form-urlencoded']) {
        const answer = await example.send({ method, url, headers: { ...headers, 'content-type': type }, body: '{}' })
        expect([type, answer.statusCode, contractProblemOf(endpoint, answer, false)]).toEqual([type, 415, undefined])
      }
    }
  })

  test('additional fields of forms are ignored, as OAuth says, and so are bodies where none is expected', async () => {
    const extra = Object.fromEntries(columns.map((column) => [column, 'true']))
    const user = async (id: string) => (await query('select * from users where id = $1', [id])).rows[0]
    const { values } = await makeExampleAccount(example.server)
    const before = await user(values.user)
    for (const one of endpoints.filter(({ form }) => form === true)) {
      const right = filled(one, values)
      const request = requestOf(one, { ...right, body: { ...extra, ...(right.body as Fields) } })
      expect([called(one), (await example.send(request)).statusCode]).toEqual([called(one), 200])
    }
    expect(await user(values.user)).toEqual(before)
    const other = await makeUser(example.server)
    const body = { ...extra, is_admin: true, granted_plan: 'pro_yearly' }
    const endings = new Set(['POST /logout', 'DELETE /user/sessions'])
    for (const one of endpoints.filter(({ method, body: none, upload }) => method !== 'GET' && !none && !upload)) {
      if (endings.has(called(one)) || !allows(one, 'user')) continue
      const { statusCode } = await example.send(
        requestOf(one, { ...filled(one, exampleValues), body }, bearer(other.token)),
      )
      expect([called(one), statusCode < 500]).toEqual([called(one), true])
    }
    expect(await user(other.id)).toMatchObject({ is_admin: false, granted_plan: null, email: other.email })
  })
})

const oddTexts = [
  '',
  ' ',
  '\0',
  '__proto__',
  '../../etc/passwd',
  "' or 1=1 --",
  '%00',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\ud800',
  '\u202egnp.exe',
  '\r\nx-injected: 1',
  '9'.repeat(40),
  'a@b.cc',
  'https://user:x@127.0.0.1:1/?a#b',
  'Europe/Brussels',
  '2026-02-30',
]
const oddNumbers = [0, 1, -1, 1.5, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]

/** The part of JSON Schema that decides which values a field may have. */
interface FieldSchema {
  anyOf?: { const?: unknown }[]
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** A value that clients rarely send; two of three fit the schema. */
function oddValue(random: SeededRandom, schema: FieldSchema): unknown {
  const { anyOf = [], maxLength = 0, minimum, maximum } = schema
  const longest = ['x'.repeat(maxLength), '\u{1f600}'.repeat(maxLength / 2)]
  const own = [...anyOf.map((one) => one.const), ...longest, minimum, maximum].filter((one) => one !== undefined)
  const all = [...own, ...oddTexts, ...oddNumbers, true, false, null, [], {}]
  const fitting = all.filter((one) => fitsSchema(schema, one))
  return random.pick(fitting.length > 0 && !random.oneIn(3) ? fitting : all)
}
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** An example of which some fields are replaced or left out. */
function oddExample(random: SeededRandom, endpoint: Endpoint, right: Example): Example {
  const odd: Fields = { ...right }
  for (const part of parts.filter((one) => endpoint[one])) {
    const fields: Fields = { ...(right[part] as object) }
    for (const [field, schema] of Object.entries(fieldsOf(endpoint[part]))) {
      if (!random.oneIn(part === 'params' ? 5 : 3)) continue
      if (part !== 'params' && random.oneIn(4)) delete fields[field]
      else fields[field] = oddValue(random, schema)
      // Dots alone, or nothing, would be another path.
      if (part === 'params') fields[field] = asText(fields[field]).toWellFormed().replace(/^\.*$/, 'x')
    }
    const isText = part === 'query' || (part === 'body' && endpoint.form === true)
    odd[part] = isText ? Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, asText(one)])) : fields
  }
  // Photos are not processed here, so a call that waits for that would wait in vain.
  if (right.query && 'wait' in right.query) odd['query'] = { wait: 0 }
  return odd
}

describe('answers are as the contract declares', () => {
  const actions = endpoints.filter((one) => allows(one, 'operator') && one.body && 'reason' in fieldsOf(one.body))

  test.each(shown(actions))('%s needs the password of the last minutes, and a reason', async (_, endpoint) => {
    const { token } = await makeOperator(example.server, { isConfirmed: false })
    const right = filled(endpoint, example.owner.values)
    const before = await hashTables(example.server)
    const answer = await example.send(requestOf(endpoint, right, bearer(token)))
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      { code: 'password_required', detail: 'Please enter your password to go on.' },
    ])
    expect(await hashTables(example.server)).toEqual(before)
    for (const reason of ['', ' \n ']) {
      const body = { ...(right.body as Fields), reason }
      expect(
        (await example.send(requestOf(endpoint, { ...right, body }, example.headersFor(endpoint)))).statusCode,
      ).toBe(422)
    }
  })

  /** Examples that need another state: photos that were removed, or payments at Stripe. */
  const refusedExamples: Record<string, number> = {
    'GET /stop/*': 404,
    'POST /user/removed-photos/restore': 404,
    'POST /subscriptions/portal': 409,
    'POST /payments/webhook': 400,
    // Screens show another event.
    'POST /helper/hold': 409,
  }
  /** Those that come before other changes, and after them, in this order. */
  const early = ['POST /verify-email', 'POST /subscriptions/verify-session']
  const late = [
    'POST /helper/hide',
    'POST /user/events/:id/helpers/:helper_id/allow-device',
    'POST /user/events/:id/helpers/:helper_id/undo',
    'DELETE /e/:code/mine/:token',
    'POST /photos/move',
    'PUT /photos/:id',
    'POST /photos/bulk',
    'DELETE /photos/:id/decision',
    'DELETE /photos/:id',
    'POST /user/events/:id/helpers/:helper_id/link',
    'POST /user/events/:id/helpers/:helper_id/end',
    'POST /user/event-helpers/revocation',
    'DELETE /user/events/:id/helpers/:helper_id',
    'DELETE /user/events/:id',
    'DELETE /api/keys/:id',
    'POST /subscriptions/refund',
    'POST /api/operator/support/:id/delete',
    'POST /api/operator/guests/erase',
    'DELETE /api/webhooks/:id',
    'POST /api/keys/revocation',
    'POST /api/webhooks/revocation',
    'POST /reset-password',
  ]
  /** Those that end what others need, or need what others end. */
  const alone = new Set([
    'POST /user/verification',
    'POST /logout',
    'POST /user/password',
    'DELETE /user/sessions',
    'DELETE /user',
    'POST /api/operator/users/:user_id/refund',
    'POST /api/operator/users/:user_id/deactivate',
    'POST /api/operator/photos/:id/retry',
    'POST /api/operator/photos/:id/delete',
    'POST /api/operator/users/:user_id/delete',
    'POST /api/operator/withdrawals/:id/accept',
  ])
  /** The log must not name whom they delete. */
  const nameless = new Set(['POST /api/operator/users/:user_id/delete', 'POST /api/operator/guests/erase'])
  /** A payment that is declined, a code that is signed, a link that is looked at, a preview, a decision that is not the last one, what is deleted or closed already. */
  const unchanging = [
    '/demo-checkout/:id',
    '/user/test-code',
    // Counted in memory.
    '/photos/:id/visits',
    '/e/:code/visits',
    '/e/:code/p/:token/visits',
    '/reset-password/check',
    '/subscriptions/change/preview',
    '/photos/:id/decision',
    '/api/keys/revocation',
    '/api/webhooks/revocation',
    '/user/event-grants/revocation',
    '/user/event-helpers/revocation',
    // The device has begun already, and the owner has decided.
    '/helper/session',
    '/helper/review',
    '/withdraw/:token',
  ]

  /** Reads of people's data by operators, which the audit log has once an hour. */
  const auditedReads = new Set([
    'GET /api/operator/users',
    'GET /api/operator/users/:user_id',
    'GET /api/operator/emails',
    'GET /api/operator/photos',
    'GET /api/operator/support/:id',
    'GET /api/operator/invoices/:id',
  ])

  test('to every example: reads change nothing, changes are done, and the audit log has those of operators', async () => {
    const { owner, operator, server } = example
    const rank = (one: Endpoint): number => {
      const at = late.indexOf(called(one))
      if (one.method === 'GET') return 0
      return early.includes(called(one)) ? 1 : at < 0 ? 2 : 3 + at
    }
    let before = await hashTables(server)
    const expectedEntries: object[] = []
    for (const endpoint of endpoints.filter((one) => !isDrawn(one)).toSorted((a, b) => rank(a) - rank(b))) {
      const name = called(endpoint)
      const account = alone.has(name) ? await makeExampleAccount(server) : { ...owner }
      // The owner pays already.
      if (name === 'POST /subscriptions/checkout') account.token = (await makeUser(server)).token
      if (account.token !== owner.token) before = await hashTables(server)
      const request = requestOf(endpoint, filled(endpoint, account.values), example.headersFor(endpoint, account))
      const answer = await example.send(request)
      const after = await hashTables(server)
      // Activity of guests is counted in memory and written from time to time.
      const isChanged = (table: string): boolean =>
        after[table] !== before[table] && !/^public\.(photo|event)_activity$/.test(table)
      const changed = Object.keys(after).filter(isChanged).join()
      const status = refusedExamples[name] ?? endpoint.status ?? 200
      expect([name, answer.statusCode, contractProblemOf(endpoint, answer, true)]).toEqual([name, status, undefined])
      const isRead = endpoint.method === 'GET' || status >= 400
      const isAudited = allows(endpoint, 'admin') || auditedReads.has(name)
      const isRight = isRead ? changed === (isAudited ? 'public.audit_log' : '') : changed !== ''
      expect([name, changed, isRight || unchanging.includes(endpoint.path)]).toEqual([name, changed, true])
      if (actions.includes(endpoint)) expectedEntries.push({ user_id: nameless.has(name) ? null : account.values.user })
      before = after
    }
    const { rows } = await query(
      `select user_id from audit_log
      where actor_name = $1 and reason = 'A complaint by email' and outcome = 'done' order by at`,
      [operator.email],
    )
    expect(rows).toEqual(expectedEntries)
    expect(rows).toHaveLength(actions.length)
  })

  /** An account for calls that have effects. */
  let account: ExampleAccount | undefined
  const isWhole = async ({ token, values }: ExampleAccount): Promise<boolean> => {
    const { user, apiKey, webhook, photo, failedPhoto, event } = values
    const { rowCount } = await query(
      `select from users where id = $1 and is_active and current_plan(users) = 'pro_yearly'
         and exists (select from sessions where token_hash = sha256(convert_to($2, 'utf8')))
         and exists (select from api_keys where id = $3) and exists (select from webhooks where id = $4)
         and exists (select from events where id = $6 and deleted_at is null)
         and (select count(*) from photos where id = any($5) and deleted_at is null) = 2`,
      [user, token, apiKey, webhook, [photo, failedPhoto], event],
    )
    return rowCount === 1
  }
  /** Seeds that found something about an endpoint; they are repeated every time. */
  const regressionSeeds: Record<string, string[]> = { 'POST /subscriptions/verify-session': ['aebd52d6'] }

  test.each(shown(withInput.filter((one) => !isDrawn(one))))(
    '%s: to odd inputs',
    async (name, endpoint) => {
      for (const seed of [undefined, ...(regressionSeeds[name] ?? [])]) {
        const random = seededRandom(`odd inputs of ${name}`, seed)
        for (let n = 0; n < repetitions(1, 400); n++) {
          if (!account || !(await isWhole(account))) account = await makeExampleAccount(example.server)
          const odd = oddExample(random, endpoint, filled(endpoint, account.values))
          const answer = await example.send(requestOf(endpoint, odd, example.headersFor(endpoint, account)))
          const isValid = endpoint.rawBody ?? parts.every((part) => fits(endpoint, part, odd[part] ?? {}))
          expect([odd, answer.statusCode, contractProblemOf(endpoint, answer, isValid)]).toEqual([
            odd,
            answer.statusCode,
            undefined,
          ])
        }
      }
    },
    600_000,
  )
})

test('and no call logged an error', () => {
  logWithSeed('odd inputs of every endpoint')
  expect(example.log).toEqual([])
})
