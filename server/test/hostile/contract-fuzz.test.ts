import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import type { InjectedResponse } from '../../http/http-types.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { contractProblemOf } from '../contract-answers.ts'
import { validValues, validFields, invalidValues, invalidFields, type Fields } from '../contract-inputs.ts'
import { likelyTextsOf, createContractFixture, type CallerName, type ContractFixture } from '../contract-fixture.ts'
import { startServer, type TestServer } from '../harness.ts'
import { repetitions, logWithSeed, seed } from '../statistics.ts'
import { multipartForm } from '../test-data.ts'

/** Seeds of earlier runs that found something about an endpoint; they are repeated every time. */
const regressionSeeds: Record<string, string[]> = { 'POST /subscriptions/verify-session': ['aebd52d6'] }
const log: string[] = []
const seen = new Map<number, number>()
let server: TestServer
let contractFixture: ContractFixture
const photo = await jpeg({ width: 64, height: 48 })

beforeAll(async () => {
  server = await startServer(
    { LOG_LEVEL: 'error' },
    { out: { write: (line) => log.push(line) }, resolveWebhookHost: async () => ['93.184.215.14'] },
  )
  contractFixture = await createContractFixture(server)
})
afterAll(() => server.close())

/** What is sent to an endpoint. Texts may contain names of things of the world. */
interface Input {
  caller: CallerName
  params: Fields
  query: Fields
  body: unknown
  /** Which of the parts does not fit its schema. */
  wrong: 'query' | 'body' | 'nothing'
}

/** Callers who are let in, mostly. */
function callersOf(endpoint: Endpoint): Arbitrary<CallerName> {
  const access = accessOf(endpoint)
  const kinds = access.flatMap((kind): CallerName[] => (kind === 'public' ? ['nobody'] : [kind]))
  const others = fc.constantFrom<CallerName>('nobody', 'user', 'operator', 'key', 'admin')
  return fc.oneof({ arbitrary: fc.constantFrom(...kinds), weight: 9 }, { arbitrary: others, weight: 1 })
}

/** Bodies that no schema describes: files, and bytes that a signature should be over. */
function otherBodies({ upload, rawBody }: Endpoint): Arbitrary<unknown> {
  if (upload) return fc.constantFrom(photo, photo.subarray(0, 200), Buffer.from('no image'), Buffer.alloc(0))
  return rawBody ? fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) : fc.constant(undefined)
}

const nothing = fc.constant<Fields>({})

function fittingInputs(endpoint: Endpoint): Arbitrary<Input> {
  const { params, query, body, form } = endpoint
  const likelyTexts = likelyTextsOf(endpoint.path)
  const bodies = body && (form ? validFields(body, likelyTexts, false) : validValues(body, likelyTexts))
  return fc.record({
    caller: callersOf(endpoint),
    params: params ? validFields(params, likelyTexts, false) : nothing,
    query: query ? validFields(query, likelyTexts, true).map(withoutWait) : nothing,
    body: bodies ?? otherBodies(endpoint),
    wrong: fc.constant('nothing' as const),
  })
}

/** Photos are not processed here, so a call that waits for that would wait in vain. */
const withoutWait = (query: Fields): Fields => ('wait' in query ? { ...query, wait: '0' } : query)

/** Undefined for an endpoint whose schemas nothing fails to fit. */
function wrongInputs(endpoint: Endpoint): Arbitrary<Input> | undefined {
  const { query, body, form } = endpoint
  const likelyTexts = likelyTextsOf(endpoint.path)
  const queries = query && invalidFields(query, likelyTexts, true)
  const bodies = body && (form ? invalidFields(body, likelyTexts, false) : invalidValues(body, likelyTexts))
  const right = fittingInputs(endpoint)
  const replaced = (part: 'query' | 'body', parts: Arbitrary<unknown>): Arbitrary<Input> =>
    fc.tuple(right, parts).map(([input, wrong]) => ({ ...input, [part]: wrong, wrong: part }))
  const choices = [queries && replaced('query', queries), bodies && replaced('body', bodies)]
  const made = choices.filter((choice) => choice !== undefined)
  return made.length > 0 ? fc.oneof(...made) : undefined
}

const resolveIn = (value: unknown): unknown =>
  typeof value === 'string' ? contractFixture.resolve(value) : value instanceof Buffer ? value : mapped(value)
const mapped = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(resolveIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolveIn(one)]))
}

/** A path segment or value of a query; dots alone would lead to another path. */
const encoded = (text: string): string =>
  encodeURIComponent(contractFixture.resolve(text).toWellFormed().replace(/^\.+$/, 'x'))
const asForm = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')

/** The body of a request and its type. */
function payloadOf(endpoint: Endpoint, body: unknown): { headers: Record<string, string>; body?: unknown } {
  if (body === undefined) return { headers: {} }
  if (endpoint.upload) return multipartForm(body as Buffer) // made by `otherBodies`
  // Of an endpoint that takes both, JSON: a form is answered with a page.
  if (endpoint.form === true)
    return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: asForm(body as Fields) } // made by `fittingFields`
  const headers = { 'content-type': 'application/json' }
  return { headers, body: endpoint.rawBody ? body : JSON.stringify(resolveIn(body)) }
}

async function send(endpoint: Endpoint, { caller, params, query, body }: Input): Promise<InjectedResponse> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encoded(params[name] ?? '') || 'x')
  const payload = payloadOf(endpoint, body)
  return server.request({
    method: endpoint.method,
    url: Object.keys(query).length > 0 ? `${path}?${asForm(query)}` : path,
    ...payload,
    headers: { ...payload.headers, ...contractFixture.headers[caller] },
  })
}

let calls = 0
/** Sends one input, and throws when the answer is not as the contract says. */
async function judge(endpoint: Endpoint, input: Input): Promise<void> {
  // The limits are tested elsewhere; here they would hide what is behind them.
  if (calls % 8 === 0) await server.app.deps.pool.query('truncate rate_hits')
  calls += 1
  if (!(await contractFixture.allExist())) {
    await contractFixture.cleanUp()
    contractFixture = await createContractFixture(server)
  }
  const answer = await send(endpoint, input)
  seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1)
  const problem = contractProblemOf(endpoint, answer, input.wrong === 'nothing')
  if (problem !== undefined)
    throw new Error(`${problem}; it answered ${answer.statusCode}: ${answer.body.slice(0, 500)}`)
}

const called = ({ method, path }: Endpoint): string => `${method} ${path}`
const numberOf = (text: string): number => createHash('sha256').update(text).digest().readInt32LE()

/** Draws inputs by each seed; the failure, if any, names what was drawn, as short as it can be. */
async function failureOf(endpoint: Endpoint, inputs: Arbitrary<Input>): Promise<string | undefined> {
  const property = fc.asyncProperty(inputs, (input) => judge(endpoint, input))
  for (const each of [seed, ...(regressionSeeds[called(endpoint)] ?? [])]) {
    const run = { seed: numberOf(`${each}/${called(endpoint)}`), numRuns: repetitions(3, 200) }
    const result = await fc.check(property, run)
    if (result.failed) return `seed ${each}: ${String(result.errorInstance)}\n${fc.defaultReportMessage(result)}`
  }
  return undefined
}

describe.each(endpoints.map((one): [string, Endpoint] => [called(one), one]))('%s', (_, endpoint) => {
  test('answers inputs that fit its schemas as it declares, and never fails', async () => {
    expect(await failureOf(endpoint, fittingInputs(endpoint))).toBeUndefined()
  }, 600_000)

  const wrong = wrongInputs(endpoint)
  if (!wrong) return
  test('refuses inputs that do not fit its schemas', async () => {
    expect(await failureOf(endpoint, wrong)).toBeUndefined()
  }, 600_000)
})

test('and no call logged an error', () => {
  const statuses = [...seen].toSorted(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`)
  logWithSeed(`contract fuzzing: ${calls} calls: ${statuses.join(', ')}`)
  expect(log).toEqual([])
})
