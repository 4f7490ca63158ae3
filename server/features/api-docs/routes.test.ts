import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ApiDocument } from '@keepsnap/contract/api-docs.ts'
import { publicUrl, useServer } from '../../test/harness.ts'

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
