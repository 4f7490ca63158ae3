import { Ajv, type ValidateFunction } from 'ajv'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { type ErrorBody, faultStatus } from '@keepsnap/contract/errors.ts'
import type { InjectedResponse } from '../platform/http/http-types.ts'

const ajvOptions = { strict: false, allErrors: false } as const
const [ajv, convertingAjv] = [new Ajv(ajvOptions), new Ajv({ ...ajvOptions, coerceTypes: true })]

/** Whether a value fits a schema of the contract. */
export const fitsSchema = (schema: object, value: unknown): boolean => ajv.validate(schema, value)

/** Whether a part of a request fits its schema. The fields of a query are text, which is converted as the server does. */
export function fits(endpoint: Endpoint, part: 'params' | 'query' | 'body', value: unknown): boolean {
  const schema = endpoint[part]
  if (!schema) return true
  return part === 'query' ? convertingAjv.validate(schema, structuredClone(value)) : fitsSchema(schema, value)
}

/** A schema whose objects have no other fields than the declared ones. */
function withoutOtherFields(schema: object): object {
  const copy = JSON.parse(JSON.stringify(schema)) as unknown // what TypeBox adds besides is not part of JSON Schema
  const close = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const one of Object.values(value)) close(one)
    if ('type' in value && value.type === 'object' && 'properties' in value && !('additionalProperties' in value))
      Object.assign(value, { additionalProperties: false })
  }
  close(copy)
  return copy as object // a copy of an object
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** What is wrong with the body of a refusal; undefined when it has the shape of `ErrorBody`. */
function problemOfErrorBody(status: number, { code, detail, ...others }: ErrorBody): string | undefined {
  if (Object.keys(others).length > 0) return `it has other fields: ${Object.keys(others).join(', ')}`
  if (faultStatus[code] !== status) return `the code ${code} does not belong to ${status}`
  if (code !== 'invalid') return isText(detail) ? undefined : 'it has no sentence'
  const isList = Array.isArray(detail) && detail.length > 0
  return isList && detail.every(({ loc, msg }) => Array.isArray(loc) && isText(msg)) ? undefined : 'it names no field'
}

function problemOfRefusal(
  endpoint: Endpoint,
  { statusCode: status, headers, body }: InjectedResponse,
): string | undefined {
  const waits = status === 429 || status === 503
  if (waits && !/^[1-9]\d*$/.test(String(headers['retry-after']))) return 'it has no Retry-After'
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') return 'it has no WWW-Authenticate'
  const type = String(headers['content-type'])
  if (endpoint.reply === 'bytes' && type.startsWith('text/html'))
    return body.startsWith('<!doctype html>') ? undefined : 'it is half a page'
  if (!type.startsWith('application/json')) return `its type is ${type}`
  if (headers['cache-control'] !== 'no-store') return 'it may be stored'
  return problemOfErrorBody(status, JSON.parse(body) as ErrorBody) // each field is looked at
}

const validators = new WeakMap<object, ValidateFunction>()
const bytesStatuses = new Set([200, 206, 302, 303, 304])

function problemOfSuccess(
  { reply, status = 200, cacheMaxAgeSeconds }: Endpoint,
  answer: InjectedResponse,
): string | undefined {
  if (reply === 'bytes')
    return bytesStatuses.has(answer.statusCode) ? undefined : 'its status is none of files and pages'
  if (answer.statusCode !== status) return `its status is not ${status}`
  const { 'cache-control': caching, etag } = answer.headers
  // With an ETag, a browser may keep what it asks about each time.
  const isAskedAbout = caching === 'private, no-cache' && etag !== undefined
  if (cacheMaxAgeSeconds === undefined && caching !== 'no-store' && !isAskedAbout) return 'it may be stored'
  if (status === 204) return answer.body === '' ? undefined : 'it has a body'
  const isDeclared = validators.get(reply) ?? ajv.compile(withoutOtherFields(reply))
  validators.set(reply, isDeclared)
  return isDeclared(JSON.parse(answer.body)) ? undefined : `it is not as declared: ${JSON.stringify(isDeclared.errors)}`
}

/** The fields of a rate limit; they are there when the call was counted. */
function problemOfRateFields({ rate }: Endpoint, { headers }: InjectedResponse): string | undefined {
  const { ratelimit: left, 'ratelimit-policy': policy } = headers
  if (left === undefined && policy === undefined) return undefined
  const isWellFormed = /^"\w+";r=\d+;t=[1-9]\d?(, "\w+";r=\d+;t=[1-9]\d?)*$/.test(String(left))
  return isWellFormed && (rate === undefined || String(policy).includes(`"${rate}";`))
    ? undefined
    : `${String(policy)} ${String(left)}`
}

/**
 * What is wrong with an answer to a call of an endpoint; undefined when it is as the contract says. `isFitting`: the input
 * fits the schemas, so that the call may succeed.
 */
export function contractProblemOf(
  endpoint: Endpoint,
  answer: InjectedResponse,
  isValidInput: boolean,
): string | undefined {
  const { statusCode: status } = answer
  if (status >= 500) return 'it is a server error'
  if (status >= 400) return problemOfRefusal(endpoint, answer) ?? problemOfRateFields(endpoint, answer)
  if (!isValidInput) return 'what does not fit the schema was accepted'
  return problemOfSuccess(endpoint, answer) ?? problemOfRateFields(endpoint, answer)
}

/** What an endpoint that is not public answers to callers without a valid credential: status and body. */
export function refusalOf(endpoint: Endpoint): [status: number, body: { code: string; detail: string }] {
  const access = accessOf(endpoint)
  if (access.includes('user')) return [401, { code: 'unauthorized', detail: 'Please sign in.' }]
  if (access.includes('operator')) return [404, { code: 'not_found', detail: 'There is nothing at this URL.' }]
  return [401, { code: 'unauthorized', detail: 'Invalid or missing API key' }]
}
