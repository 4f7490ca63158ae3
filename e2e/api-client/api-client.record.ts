import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleJpeg } from '../pictures.ts'
import { useSharedServer } from '../use-shared-server.ts'

/** What a generated function returns. */
interface Result {
  data?: unknown
  error?: unknown
  response: Response
}
/** A generated client: a function for each operationId. */
type GeneratedClient = Record<string, (options: Record<string, unknown>) => Promise<Result>>

let folder: string
let client: GeneratedClient
const server = useSharedServer()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsnap-api-client-'))
  const documentFile = join(folder, 'openapi.json')
  await writeFile(documentFile, await (await fetch(`${server.address}/openapi.json`)).text())
  const script = join(import.meta.dirname, 'generate.mjs')
  await promisify(execFile)(process.execPath, [script, documentFile, join(folder, 'client')], { timeout: 120_000 })
  client = (await import(pathToFileURL(join(folder, 'client/index.ts')).href)) as GeneratedClient // by its operations
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

const call = (name: string, options: Record<string, unknown> = {}): Promise<Result> => {
  const operation = client[name]
  if (!operation) throw new Error(`the generated client has no ${name}`)
  return operation({ baseUrl: server.address, ...options })
}
const dataOf = async (name: string, options?: Record<string, unknown>): Promise<unknown> => {
  const { data, error, response } = await call(name, options)
  expect([name, response.status < 300, error]).toEqual([name, true, undefined])
  return data
}

test('a client from another generator has every call, and uploads and reads photos with a key', async () => {
  const owner = await server.newUser({ plan: 'pro_yearly' })
  const created = await owner.call('POST', '/api/keys', {
    body: JSON.stringify({ name: 'generated client' }),
    headers: { 'content-type': 'application/json' },
  })
  const { key: auth } = (await created.json()) as { key: string } // what the contract says
  const file = new File([Uint8Array.from(await sampleJpeg('table-720', 720))], 'IMG_4374.jpg', { type: 'image/jpeg' })
  const headers = { 'Idempotency-Key': 'booth-7-IMG_4374' }
  const photo = await dataOf('uploadPhoto', { auth, body: { file }, headers, query: { wait: 20 } })
  expect(photo).toMatchObject({ filename: 'IMG_4374.jpg', processing_complete: true })
  // The photo of the first upload, and no second one.
  const repeated = await dataOf('uploadPhoto', { auth, body: { file }, headers })
  const page = await dataOf('listPhotos', { auth, query: { limit: 1 } })
  expect([repeated, page]).toMatchObject([photo, { photos: [photo], total: 1, skip: 0, limit: 1 }])
  expect(await dataOf('getLatestPhoto', { auth })).toMatchObject(photo as object) // checked above
  expect(await dataOf('getUser', { auth })).toMatchObject({ email: owner.email, photo_count: 1 })
  expect(await dataOf('getHealth')).toMatchObject({ status: 'ok' })
})

test('it gets the refusals of the document', async () => {
  const wrong = await call('listPhotos', { auth: 'ksnap_wrong' })
  expect([wrong.response.status, wrong.error]).toEqual([
    401,
    { code: 'unauthorized', detail: 'Invalid or missing API key' },
  ])
})

test('it reads the admin API with an admin key', async () => {
  const user = await server.newUser()
  const auth = (await server.runCommand('create-admin-key', 'generated client')).split('\n').at(-1)
  const page = await dataOf('listUsers', { auth, query: { limit: 1 } })
  expect(page).toMatchObject({ users: [{ email: user.email }], skip: 0, limit: 1 })
  const { id } = (page as { users: [{ id: string }] }).users[0] // checked above
  expect(await dataOf('getUserDetail', { auth, path: { user_id: id } })).toMatchObject({ id, subscription: null })
  expect(await dataOf('getStats', { auth })).toMatchObject({ total_users: expect.any(Number) })
})
