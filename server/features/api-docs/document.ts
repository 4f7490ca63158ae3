import type { ApiDocument, ApiLimits } from '@keepsnap/contract/api-docs.ts'
import { customerApiLimits, limits, rates, webhookLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { productName } from '@keepsnap/contract/product.ts'
import { replyExamples } from './examples.ts'
import { openApiPaths } from './operations.ts'
import { refusalCodes, refusalExample } from './refusals.ts'
import { schemaComponents } from './schemas.ts'
import { verificationSamples } from './verification-samples.ts'
import { webhookOperations } from './webhook-operations.ts'

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
