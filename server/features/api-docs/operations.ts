import type { TObject, TSchema } from 'typebox'
import type {
  ApiBody,
  ApiExample,
  ApiOperation,
  ApiParameter,
  ApiPath,
  ApiResponse,
} from '@keepsnap/contract/api-docs.ts'
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { exampleOf, exampleValues } from '@keepsnap/contract/examples.ts'
import { limits, rates, windowOf } from '@keepsnap/contract/limits.ts'
import { publicCalls, type PublicCall, type PublicCallId } from '@keepsnap/contract/public-api.ts'
import { codeSamples } from './code-samples.ts'
import type { ReplyExamples } from './examples.ts'
import { refusalExample, refusalsOf, type ApiRefusalCode } from './refusals.ts'
import { schemaWriter } from './schemas.ts'

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
export function openApiPaths(context: { origin: string; replies: ReplyExamples }): Record<string, ApiPath> {
  const paths: Record<string, ApiPath> = {}
  for (const call of publicCalls) {
    const path = templateOf(call.endpoint.path)
    const method = call.endpoint.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: operation(call, context) }
  }
  return paths
}
