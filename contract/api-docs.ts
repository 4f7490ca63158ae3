import { endpoint } from './endpoint.ts'
import type { FaultCode } from './errors.ts'

/** The OpenAPI document, as JSON of `ApiDocument`. Cached; 304 for an `If-None-Match` that matches. */
export const apiDocument = endpoint({
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  summary: 'Get the description of the public API in OpenAPI 3.1.',
  reply: 'bytes',
})

/** A JSON Schema (2020-12) as the document has them, or a reference to one of `components.schemas`. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: (string | number | boolean | null)[]
  const?: string | number | boolean
  format?: string
  description?: string
  default?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: boolean
}
interface Reference {
  $ref: string
}
/** A value with a sentence about it; of a refusal, `description` says what to do. */
export interface ApiExample {
  summary: string
  description?: string
  value: unknown
}
/** A parameter of the path or the query, or a header. */
export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required?: boolean
  schema: JsonSchema
  example?: unknown
}
interface ApiMedia {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, ApiExample | Reference>
  encoding?: Record<string, { contentType: string }>
}
/** The body of a request, by media type. */
export interface ApiBody {
  description: string
  required: true
  content: Record<string, ApiMedia>
}
/** A header of responses. */
export interface ApiHeader {
  description: string
  schema: JsonSchema
  example: unknown
}
/** A response with its headers and its body. */
export interface ApiResponse {
  description: string
  headers?: Record<string, Reference | ApiHeader>
  content?: { 'application/json': ApiMedia }
}
/** A piece of a program. */
export interface CodeSample {
  lang: 'Shell' | 'TypeScript'
  label: string
  source: string
}
/** A call, or the request that a webhook receives. */
export interface ApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  /** Alternatives; none for a public call. */
  security: Record<string, []>[]
  parameters: ApiParameter[]
  requestBody?: ApiBody
  /** By status. */
  responses: Record<string, ApiResponse>
  /** Complete programs, with `servers[0].url` as the address of the API. */
  'x-codeSamples'?: CodeSample[]
}
/** Numbers of the documentation. */
export interface ApiLimits {
  authenticationPerMinute: number
  photosPerMinute: number
  adminPerMinute: number
  /** Of an account, in any `uploadMinutes`. */
  uploads: number
  uploadMinutes: number
  pageMax: number
  idempotencyHours: number
  webhookTimeoutSeconds: number
  webhookRetryHours: number
  webhookSecretOverlapHours: number
}
/** Operations by their method, in lower case. */
export type ApiPath = Partial<Record<'get' | 'post' | 'put' | 'delete', ApiOperation>>

/** The OpenAPI 3.1 document of the public API, with the parts that the page /api-docs shows. */
export interface ApiDocument {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, ApiPath>
  /** By type of event. */
  webhooks: Record<string, { post: ApiOperation }>
  /** The limits that people want to know. */
  'x-limits': ApiLimits
  /** How the receiver of a webhook checks its signature. */
  'x-webhookVerification': CodeSample[]
  components: {
    securitySchemes: Record<string, { type: 'apiKey'; in: 'header'; name: string; description: string }>
    /** Those of rate limits. */
    headers: Record<string, ApiHeader>
    schemas: Record<string, JsonSchema>
    /** One for each refusal; the summary says when it happens, the description what to do. */
    examples: Partial<Record<FaultCode, ApiExample>>
  }
}
