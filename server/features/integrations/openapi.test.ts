import { stripTypeScriptTypes } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Webhook } from 'standardwebhooks'
import Schema from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import {
  type ApiDocument,
  type ApiExample,
  type JsonSchema,
  webhookEventTypes,
} from '@keepsnap/contract/integrations.ts'
import { accessOf } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { fileTooLargeMessage, monthlyQuotaRefusal, storageQuotaRefusal } from '../plans/usage.ts'
import { publicUrl, useServer } from '../../test/harness.ts'
import { createApiDocument } from './openapi.ts'
import { lintApiDocument, nestedObjects, pathOperationsOf, resolveReference } from './test/lint.ts'
import { verificationSamples } from './openapi-examples.ts'

describe('document', () => {
  const text = JSON.stringify(createApiDocument('https://photos.example'))
  const document = JSON.parse(text) as ApiDocument // what was just written
  const calls = pathOperationsOf(document)
  test('an independent validator accepts the document as OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(text))).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
    expect((await new Validator().validate({ ...JSON.parse(text), info: {} })).valid).toBe(false)
  })

  test('it has the calls of the specification, all calls for keys, and the events of webhooks', () => {
    const names = calls.map(([name]) => name)
    expect(names).toEqual([
      'POST /api/upload',
      'GET /api/photos',
      'GET /api/photos/latest',
      'GET /user/me',
      'GET /health',
      'GET /api/admin/users',
      'GET /api/admin/stats',
      'GET /api/admin/users/{user_id}',
    ])
    const forKeys = endpoints
      .filter((endpoint) => accessOf(endpoint).some((kind) => kind === 'key' || kind === 'admin'))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(names).toEqual(expect.arrayContaining(forKeys))
    expect(Object.keys(document.webhooks)).toEqual([...webhookEventTypes, 'webhook.test'])
  })

  test('operations, parameters, fields, errors and components are complete', () => {
    expect(lintApiDocument(document)).toEqual([])
  })

  /** Whether a value follows a schema of the document, whose references are inlined for TypeBox, a checker of JSON Schema 2020-12. */
  function follows(schema: JsonSchema, value: unknown): boolean {
    const inline = (part: unknown): unknown => {
      if (Array.isArray(part)) return part.map(inline)
      if (typeof part !== 'object' || part === null) return part
      if ('$ref' in part) return inline(resolveReference(document, String(part.$ref)))
      return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, inline(one)]))
    }
    return Schema.Compile(inline(schema) as JsonSchema).Check(value) // a schema again
  }
  test('every example follows its schema', () => {
    const checks: { where: string; schema: JsonSchema; value: unknown }[] = []
    for (const [path, part] of nestedObjects(document)) {
      if (typeof part['schema'] !== 'object') continue
      const schema = part['schema'] as JsonSchema // of a parameter, a header or a body
      const where = path.join('.')
      if ('example' in part) checks.push({ where, schema, value: part['example'] })
      const examples = Object.values((part['examples'] ?? {}) as Record<string, ApiExample | { $ref: string }>) // of a body
      for (const example of examples) {
        const { value } = '$ref' in example ? (resolveReference(document, example.$ref) as ApiExample) : example // the lint checks that it exists
        checks.push({ where, schema, value })
      }
    }
    expect(checks.length).toBeGreaterThan(70)
    expect(checks.filter(({ schema, value }) => !follows(schema, value))).toEqual([])
    expect(follows({ $ref: '#/components/schemas/Photo' }, { id: 1 })).toBe(false)
    expect(follows({ $ref: '#/components/schemas/Health' }, { status: 'ok', timestamp: 'today' })).toBe(false)
  })

  test('examples of errors have the messages that the server sends', () => {
    const detailOf = (code: keyof typeof document.components.examples): unknown =>
      (document.components.examples[code]?.value as { detail?: unknown } | undefined)?.detail // `{ code, detail }`
    const plan = plans.pro_yearly
    expect(detailOf('quota_photos')).toBe(monthlyQuotaRefusal(plan).detail)
    expect(detailOf('quota_storage')).toBe(storageQuotaRefusal(plan).detail)
    expect(detailOf('too_large')).toBe(fileTooLargeMessage(plan))
    expect(detailOf('unauthorized')).toBe('Invalid or missing API key')
    expect(detailOf('forbidden')).toBe('API access not available with your current subscription')
    expect(detailOf('rate_limited')).toBe('Rate limit exceeded')
  })

  test('samples are written for the server of the document, with the key of the call', () => {
    const samples = calls.map(([name, one]) => [name, one['x-codeSamples']?.map(({ source }) => source) ?? []] as const)
    const described = samples.map(([name, [curl = '', typeScript = '']]) => {
      const url = `https://photos.example${name.split(' ')[1]?.replace(/\{.*/, '') ?? ''}`
      return [name, curl.includes(url) && typeScript.includes(`"${url}`), /\bKEEPSNAP_\w+/.exec(curl)?.[0]]
    })
    expect(described).toEqual(
      calls.map(([name]) => {
        const customerKey = name === 'GET /health' ? undefined : 'KEEPSNAP_KEY'
        return [name, true, name.includes('/admin/') ? 'KEEPSNAP_ADMIN_KEY' : customerKey]
      }),
    )
    expect(Object.fromEntries(samples)['POST /api/upload']).toEqual([
      `curl -H "X-API-Key: $KEEPSNAP_KEY" \\
     -F "file=@IMG_4374.jpg" \\
     https://photos.example/api/upload`,
      `import { openAsBlob } from "node:fs";

const form = new FormData();
form.set("file", await openAsBlob("IMG_4374.jpg"), "IMG_4374.jpg");

const response = await fetch("https://photos.example/api/upload", {
  method: "POST",
  body: form,
  headers: { "X-API-Key": process.env.KEEPSNAP_KEY! },
});
if (!response.ok) throw new Error(await response.text());
const photo = await response.json();`,
    ])
  })

  type Check = (headers: Headers, body: string, secret: string) => boolean
  const secretOf = (character: string): string => `whsec_${Buffer.from(character.repeat(32)).toString('base64')}`
  const [secret, previousSecret] = [secretOf('n'), secretOf('p')]
  const [id, body] = ['msg_1', '{"type":"photo.ready"}']
  /** The headers of an event that was sent some seconds ago, as the reference library signs it. */
  function signed(secrets: string[], secondsAgo = 0): Headers {
    const sentAt = new Date(Date.now() - secondsAgo * 1000)
    return new Headers({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, sentAt, body)).join(' '),
    })
  }
  test('the TypeScript sample accepts genuine events, also by the previous secret, and refuses all others', async () => {
    const source = verificationSamples.find(({ lang }) => lang === 'TypeScript')?.source ?? ''
    const url = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(source))}`
    const { isGenuine } = (await import(url)) as { isGenuine: Check } // the export of the sample
    expect(isGenuine(signed([secret]), body, secret)).toBe(true)
    expect(isGenuine(signed([previousSecret, secret]), body, secret)).toBe(true)
    expect(isGenuine(signed([secret]), `${body} `, secret)).toBe(false)
    expect(isGenuine(signed([previousSecret]), body, secret)).toBe(false)
    expect(isGenuine(signed([secret], 600), body, secret)).toBe(false)
    expect(isGenuine(new Headers(), body, secret)).toBe(false)
  })
})

describe('routes', () => {
  const server = useServer()

  const getDocument = (headers: Record<string, string> = {}) =>
    server.request({ method: 'GET', url: '/openapi.json', headers })

  test('the document names this server, and is answered with 304 to clients that have it', async () => {
    const answer = await getDocument()
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
    })
    expect(answer.json<ApiDocument>().servers[0]?.url).toBe(publicUrl)
    const again = await getDocument({ 'if-none-match': String(answer.headers.etag) })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', answer.headers.etag])
    expect((await getDocument({ 'if-none-match': '"another"' })).statusCode).toBe(200)
  })

  test('it is compressed for clients that accept gzip', async () => {
    const [plain, compressed] = [await getDocument(), await getDocument({ 'accept-encoding': 'gzip, br' })]
    expect([plain.headers['content-encoding'], compressed.headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(String(gunzipSync(compressed.rawPayload))).toBe(plain.body)
    expect(compressed.headers.vary).toContain('accept-encoding')
  })
})
