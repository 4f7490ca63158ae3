import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { TObject, TSchema } from 'typebox'
import {
  type ApiBody,
  type ApiDocument,
  apiDocument,
  type ApiExample,
  type ApiLimits,
  type ApiOperation,
  type ApiParameter,
  type ApiPath,
  type ApiResponse,
  type JsonSchema,
  type WebhookEvent,
  WebhookTestEvent,
} from '@keepsnap/contract/integrations.ts'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { faultStatus } from '@keepsnap/contract/errors.ts'
import { customerApiLimits, limits, rates, webhookLimits, windowOf } from '@keepsnap/contract/limits.ts'
import {
  eventDescriptions,
  type PublicCall,
  type PublicCallId,
  publicCalls,
  publicSchemas,
} from '@keepsnap/contract/public-api.ts'
import { exampleOf, exampleValues } from '@keepsnap/contract/examples.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { productName } from '@keepsnap/contract/site.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isGzipAccepted, matchesTag } from '../../platform/http/request-headers.ts'
import { jsonPolicy } from '../../platform/http/connections.ts'
import type { Serve } from '../../platform/http/serve.ts'
import {
  codeSamples,
  eventExamples,
  type ReplyExamples,
  replyExamples,
  verificationSamples,
  type ApiRefusalCode,
  refusalExample,
  refusalsOf,
  refusalCodes,
} from './openapi-examples.ts'

/** Schemas that clients get as types of their own, with the descriptions of their fields. */
const named: typeof publicSchemas = {
  ...publicSchemas,
  WebhookTestEvent: { schema: WebhookTestEvent, fields: eventDescriptions['webhook.test'] },
}

/** Writes schemas of the contract with references to those that have a name. */
const schemaWriter = createSchemaWriter(new Map(Object.entries(named).map(([name, { schema }]) => [schema, name])))

const refusalSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    description: 'Why a call was refused.',
    required: ['code', 'detail'],
    properties: {
      code: {
        type: 'string',
        enum: Object.keys(faultStatus).filter((code) => code !== 'invalid'),
        description: 'For programs.',
      },
      detail: { type: 'string', description: 'For people: what was wrong and what to do.' },
    },
  },
  ValidationError: {
    type: 'object',
    description: 'Which fields are wrong.',
    required: ['code', 'detail'],
    properties: {
      code: { type: 'string', const: 'invalid', description: 'For programs.' },
      detail: {
        type: 'array',
        description: 'One entry for each field that is wrong.',
        items: {
          type: 'object',
          required: ['loc', 'msg'],
          properties: {
            loc: {
              type: 'array',
              description: 'The path to the field, such as query, limit.',
              items: { type: ['string', 'integer'] },
            },
            msg: { type: 'string', description: 'What is wrong with it.' },
          },
        },
      },
    },
  },
}

/** The `components.schemas` of the OpenAPI document. */
const schemaComponents = (): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    Object.entries(named).map(([name, one]) => [name, schemaWriter.define(one.schema, one.fields)]),
  ),
  ...refusalSchemas,
})

/** Descriptions of fields, by their paths. */
type FieldDescriptionMap = Readonly<Record<string, string>>

/** The names of the schemas that others refer to with `$ref`. */
type NamedSchemas = ReadonlyMap<TSchema, string>

const timeName = /(_at|_end|^timestamp|_until)$/
const urlName = /(^|_)url$/

/** The format of a string, inferred from the name of its field. */
function formatOf(name: string): string | undefined {
  if (timeName.test(name)) return 'date-time'
  if (urlName.test(name)) return 'uri'
  return name === 'email' ? 'email' : undefined
}

/** Simplifies `anyOf`: constants become `enum`, and null becomes a second `type`. */
function simplifyUnion(options: JsonSchema[]): JsonSchema {
  const types = new Set(options.map(({ type }) => type))
  const constants = options.flatMap((one) => (one.const === undefined ? [] : [one.const]))
  if (constants.length === options.length && types.size === 1)
    return { ...(options[0]?.type && { type: options[0].type }), enum: constants }
  const [first, second, ...others] = options
  const isNullable = first && !first.$ref && typeof first.type === 'string' && second?.type === 'null' && !others.length
  if (!isNullable) return { anyOf: options }
  const { type = '', ...rest } = first
  return { type: [type, 'null'].flat(), ...rest, ...(rest.enum && { enum: [...rest.enum, null] }) }
}

/**
 * A schema of the contract as the document shows it: with references to named schemas, formats, and descriptions. Throws
 * for a field without a description.
 */
function createSchemaWriter(names: NamedSchemas) {
  const write = (schema: TSchema, fields: FieldDescriptionMap, at: readonly string[]): JsonSchema => {
    const name = names.get(schema)
    return name === undefined ? writeInline(schema, fields, at) : { $ref: `#/components/schemas/${name}` }
  }
  const writeField = (schema: TSchema, fields: FieldDescriptionMap, at: readonly string[]): JsonSchema => {
    const description = fields[at.join('.')]
    if (description === undefined) throw new Error(`the field ${at.join('.')} of the public API has no description`)
    const written = write(schema, fields, at)
    const format = [written.type].flat().includes('string') && !written.enum ? formatOf(at.at(-1) ?? '') : undefined
    return { ...written, ...(format && { format }), description }
  }
  const writeInline = (schema: TSchema, fields: FieldDescriptionMap, at: readonly string[]): JsonSchema => {
    const parts = schema as { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] } // of such schemas
    const options: JsonSchema = { ...schema }
    if (parts.anyOf) return simplifyUnion(parts.anyOf.map((one) => write(one, fields, at)))
    if (parts.items) return { ...options, items: write(parts.items, fields, at) }
    if (!parts.properties) return options
    const written = Object.entries(parts.properties).map(([name, field]) => [
      name,
      writeField(field, fields, [...at, name]),
    ])
    return { ...options, properties: Object.fromEntries(written) }
  }
  return {
    write: (schema: TSchema, fields: FieldDescriptionMap = {}): JsonSchema => write(schema, fields, []),
    /** The schema itself, where `write` gives a reference to it. */
    define: (schema: TSchema, fields: FieldDescriptionMap): JsonSchema => writeInline(schema, fields, []),
  }
}

type NamedCall = PublicCall & { id: PublicCallId }

const imageTypes = 'image/jpeg, image/png, image/gif, image/webp, image/avif, image/tiff, image/heic'
const statusTexts: Record<string, string> = {
  200: 'Success.',
  201: 'The photo is stored.',
  400: 'The request could not be read.',
  401: 'The key was not accepted.',
  403: 'The plan does not allow it.',
  404: 'Not found.',
  409: 'The state does not allow it.',
  413: 'Too large.',
  415: 'Not an image.',
  422: 'A field or header is wrong.',
  429: 'Too many calls.',
  500: 'A mistake of ours.',
  503: 'Busy, or being updated.',
}

/** Alternatives: a key is sent in one of two headers. */
function securityOf({ endpoint }: PublicCall): ApiOperation['security'] {
  const access = accessOf(endpoint)
  if (access.includes('public')) return []
  return access.includes('admin') ? [{ adminKey: [] }, { adminKeyShort: [] }] : [{ apiKey: [] }, { apiKeyShort: [] }]
}

const idempotencyKey = (endpoint: Endpoint): ApiParameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  description: `Any text of yours. The same text within ${limits.idempotencyHours} hours gives the same photo, so that a retry never makes a second one; the answer then has the header Idempotent-Replayed: true. With another file it is refused.`,
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyChars },
  example: exampleOf(endpoint).idempotencyKey,
})

/** Path and query parameters; throws for one without a description. */
function parametersIn(place: 'path' | 'query', call: PublicCall): ApiParameter[] {
  const part = place === 'path' ? 'params' : 'query'
  const schema: TSchema | undefined = call.endpoint[part]
  const { properties = {} } = (schema ?? {}) as Partial<TObject> // parameters are objects
  return Object.entries(properties).map(([name, property]) => {
    const known = call.parameters?.[name]
    if (!known) throw new Error(`the parameter ${name} of ${call.id} has no description`)
    const written = schemaWriter.write(property)
    return {
      name,
      in: place,
      description: known.description,
      ...(place === 'path' && { required: true }),
      schema: known.default === undefined ? written : { ...written, default: known.default },
      example: exampleOf(call.endpoint)[part]?.[name],
    }
  })
}

const uploadBody: ApiBody = {
  description: 'A form with one file.',
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: {
          file: {
            type: 'string',
            format: 'binary',
            description:
              'JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC, up to the file size of the plan. Its content counts, not its name.',
          },
        },
      },
      encoding: { file: { contentType: imageTypes } },
    },
  },
}

const header = (name: string): { $ref: string } => ({ $ref: `#/components/headers/${name}` })
const rateHeaders = { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimit-Policy') }
const retryHeader = { 'Retry-After': header('Retry-After') }
const nextBefore = {
  description: 'The value of before for the next page; without it, this page is the last.',
  schema: { type: 'string' },
  example: exampleValues.photo,
}
const waitStatuses = new Set(['409', '429', '503'])

function refusalResponse(call: PublicCall, status: string, codes: readonly ApiRefusalCode[]): ApiResponse {
  const details: NonNullable<PublicCall['details']> = call.details ?? {}
  const exampleOf = (code: ApiRefusalCode): ApiExample | { $ref: string } =>
    details[code] === undefined ? { $ref: `#/components/examples/${code}` } : refusalExample(code, details[code])
  const headers = {
    ...(call.endpoint.rate && status === '429' && rateHeaders),
    ...(waitStatuses.has(status) && retryHeader),
  }
  return {
    description: statusTexts[status] ?? '',
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${status === '422' ? 'ValidationError' : 'Error'}` },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  }
}

function descriptionOf({ endpoint, description }: PublicCall): string | undefined {
  const rate = endpoint.rate && `At most ${windowOf(rates[endpoint.rate]).calls} calls a minute per key.`
  return [description, rate].filter(Boolean).join(' ') || undefined
}

function operation(call: NamedCall, { origin, replies }: { origin: string; replies: ReplyExamples }): ApiOperation {
  const { endpoint } = call
  const { status = 200, reply } = endpoint
  const description = descriptionOf(call)
  // Every public call answers with JSON.
  const schema = schemaWriter.write(reply)
  const success: ApiResponse = {
    description: statusTexts[status] ?? '',
    ...(endpoint.rate && {
      headers: { ...rateHeaders, ...('before' in (call.parameters ?? {}) && { 'X-Next-Before': nextBefore }) },
    }),
    content: { 'application/json': { schema, example: replies[call.id] } },
  }
  const refusals = Array.from(refusalsOf(call), ([code, codes]) => [code, refusalResponse(call, code, codes)])
  return {
    operationId: call.id,
    tags: [call.group],
    summary: endpoint.summary,
    ...(description && { description }),
    security: securityOf(call),
    parameters: [
      ...parametersIn('path', call),
      ...parametersIn('query', call),
      ...(endpoint.idempotent ? [idempotencyKey(endpoint)] : []),
    ],
    ...(endpoint.upload && { requestBody: uploadBody }),
    responses: { [status]: success, ...Object.fromEntries(refusals) },
    'x-codeSamples': codeSamples(call, origin),
  }
}

/** The path of an endpoint as OpenAPI writes it. */
const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** The `paths` of the OpenAPI document. */
function openApiPaths(context: { origin: string; replies: ReplyExamples }): Record<string, ApiPath> {
  const paths: Record<string, ApiPath> = {}
  for (const call of publicCalls) {
    const path = templateOf(call.endpoint.path)
    const method = call.endpoint.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: operation(call, context) }
  }
  return paths
}

const seconds = webhookLimits.timeoutMs / 1000

const events: Record<WebhookEvent['type'], { id: string; schema: string; summary: string; description?: string }> = {
  'photo.ready': {
    id: 'photoReady',
    schema: 'PhotoReadyEvent',
    summary: 'A photo is ready.',
    description: 'Its image, its thumbnail and both QR codes exist. GET /api/photos has their URLs.',
  },
  'photo.failed': { id: 'photoFailed', schema: 'PhotoFailedEvent', summary: 'A photo could not be processed.' },
  'photo.deleted': {
    id: 'photoDeleted',
    schema: 'PhotoDeletedEvent',
    summary: 'A photo was deleted.',
    description: 'By its owner, or because a larger plan has ended.',
  },
  'request.created': {
    id: 'requestCreated',
    schema: 'RequestCreatedEvent',
    summary: 'A guest requested a photo by email.',
    description: 'The guest’s email address is not part of it.',
  },
  'webhook.test': {
    id: 'webhookTest',
    schema: 'WebhookTestEvent',
    summary: 'Somebody pressed the test button in Settings.',
    description: 'Sent whatever events the webhook is for.',
  },
}

const signedHeaders: ApiParameter[] = [
  {
    name: 'webhook-id',
    in: 'header',
    description: 'The id of the event. Every attempt and replay has the same one: ignore ids that you have seen.',
    required: true,
    schema: { type: 'string' },
    example: 'msg_Pq4mXz8TnB2vKd6WcRy1Lf',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    description: 'When this attempt was sent, in seconds since 1970. Refuse what is older than five minutes.',
    required: true,
    schema: { type: 'string' },
    example: '1794692468',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    description:
      'v1 and the HMAC-SHA256 of id, timestamp and body in base64. While a replaced secret still counts, two signatures with a space between them.',
    required: true,
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
]

const eventOperation = (type: WebhookEvent['type']): ApiOperation => {
  const { id, schema, summary, description } = events[type]
  return {
    operationId: id,
    tags: ['Webhooks'],
    summary,
    ...(description && { description }),
    security: [],
    parameters: signedHeaders,
    requestBody: {
      description: 'What happened.',
      required: true,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example: eventExamples[type] },
      },
    },
    responses: {
      '2XX': { description: `Received. The answer has to come within ${seconds} seconds; its body does not matter.` },
      default: {
        description: `Not received, also with a redirect. The event is sent again, after a growing pause, for ${webhookLimits.retryHours} hours; then the webhook is switched off, and its owner gets an email.`,
      },
    },
  }
}

/** The `webhooks` of the OpenAPI document. */
const webhookOperations = (): ApiDocument['webhooks'] =>
  Object.fromEntries(
    (Object.keys(events) as WebhookEvent['type'][]) // the type of the object above
      .map((type) => [type, { post: eventOperation(type) }]),
  )

/** Of the API, not of the program: it grows when a call or a field is added. */
const apiVersion = '1.0.0'
const policy = `"photos";q=${rates.photos.perMinute};w=60`

const securityScheme = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const

const securitySchemes: ApiDocument['components']['securitySchemes'] = {
  apiKey: securityScheme(
    'X-API-Key',
    'A key of a customer, from Settings. It reads photos and uploads new ones, and nothing else.',
  ),
  apiKeyShort: securityScheme('api-key', 'The same key, in a header with another name.'),
  adminKey: securityScheme('X-API-Key', 'An admin key, which the operator makes with the command create-admin-key.'),
  adminKeyShort: securityScheme('api-key', 'The same admin key, in a header with another name.'),
}

const headers: ApiDocument['components']['headers'] = {
  RateLimit: {
    description:
      'What is left, after the IETF draft “RateLimit header fields for HTTP”: the name of the policy, r calls, and t seconds until there are more. An upload is counted by two policies, with a comma between them.',
    schema: { type: 'string' },
    example: '"photos";r=87;t=34',
  },
  'RateLimit-Policy': {
    description: 'The policy, after the same draft: q calls in any w seconds.',
    schema: { type: 'string' },
    example: policy,
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
}

const apiLimits: ApiLimits = {
  authenticationPerMinute: rates.auth.perMinute,
  photosPerMinute: rates.photos.perMinute,
  adminPerMinute: rates.admin.perMinute,
  uploads: rates.uploads.calls,
  uploadMinutes: rates.uploads.seconds / 60,
  pageMax: customerApiLimits.pageMax,
  idempotencyHours: limits.idempotencyHours,
  webhookTimeoutSeconds: webhookLimits.timeoutMs / 1000,
  webhookRetryHours: webhookLimits.retryHours,
  webhookSecretOverlapHours: webhookLimits.secretOverlapHours,
}

/** The OpenAPI document of a server at this origin, from the contract. */
export function createApiDocument(origin: string): ApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: `${productName} API`,
      version: apiVersion,
      summary: 'Upload photos and read them from other programs.',
      description: `API access comes with ${plans.pro_yearly.name}. Answers are JSON in UTF-8; times are ISO 8601 in UTC. Fields may be added; ignore those that you do not know.`,
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: origin, description: 'This server.' }],
    tags: [
      { name: 'Photos', description: 'Upload photos and list them.' },
      { name: 'Account', description: 'The account that a key belongs to.' },
      { name: 'Health', description: 'Whether the service is up.' },
      { name: 'Admin', description: 'For the operator of the site, with an admin key. Each call is in the audit log.' },
      {
        name: 'Webhooks',
        description:
          'Events that are sent to your own server, signed according to the Standard Webhooks specification.',
      },
    ],
    paths: openApiPaths({ origin, replies: replyExamples(origin) }),
    webhooks: webhookOperations(),
    'x-limits': apiLimits,
    'x-webhookVerification': verificationSamples,
    components: {
      securitySchemes,
      headers,
      schemas: schemaComponents(),
      examples: Object.fromEntries(refusalCodes.map((code) => [code, refusalExample(code)])),
    },
  }
}

/** Short: an update of the program can change the document. */
const cacheControl = 'public, max-age=300'

function encodeDocument(publicUrl: string) {
  const json = JSON.stringify(createApiDocument(publicUrl))
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22)
  // Weak: the same for the compressed document.
  return { json, gzipped: gzipSync(json), entityTag: `"${hash}"` }
}

/** Serves the OpenAPI document. It is the same for everybody, and is created at the first request. */
export function apiDocsRoutes(serve: Serve, { config }: Dependencies): void {
  let cached: ReturnType<typeof encodeDocument> | undefined
  serve(apiDocument, async (_, { req, reply }) => {
    const { json, gzipped, entityTag } = (cached ??= encodeDocument(config.publicUrl))
    reply.headers({ 'cache-control': cacheControl, etag: `W/${entityTag}`, vary: 'origin, accept-encoding' })
    if (matchesTag(req.headers['if-none-match'], entityTag)) {
      await reply.status(304).send()
      return undefined
    }
    reply.type('application/json; charset=utf-8').header('content-security-policy', jsonPolicy)
    await (isGzipAccepted(req.headers['accept-encoding'])
      ? reply.header('content-encoding', 'gzip').send(gzipped)
      : reply.send(json))
    return undefined
  })
}
