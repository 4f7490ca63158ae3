/**
 * Writes what users, programs and operators get into the folder `test-results/outputs`, to be compared with that of another commit
 * by `diff -r`: while code moves, nothing of it changes. Ids, times and names of built files are left out.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test, vi } from 'vitest'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { languages } from '@keepsnap/contract/languages.ts'
import type { Example } from '@keepsnap/contract/examples.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../images/test/sample-images.ts'
import { bearer, filled, requestOf, startExampleServer } from './example-server.ts'
import { connectLive } from './live-client.ts'
import { upload } from './test-data.ts'

const root = join(import.meta.dirname, '../..')
const outputs = join(root, 'test-results/outputs')

async function write(name: string, text: string): Promise<void> {
  const file = join(outputs, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Without ids, secrets, times, hashes of built files, and numbers that depend on the moment. */
const normalized = (text: string): string =>
  text
    .replaceAll(/(?<=[-.][A-Za-z0-9]*)[-.][\w-]{8}\.(js|css|woff2|webp|svg|png|jpg)\b/g, '.HASH.$1')
    .replaceAll(/(assets\/[\w.-]+?)-[\w-]{8}\.(\w+)/g, '$1-HASH.$2')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)?/g, 'TIME')
    .replaceAll(/\b\d{4}-\d\d-\d\d(?=\b|[-_])/g, 'DAY')
    .replaceAll(/\b[0-9A-Za-z_-]{43}\b/g, 'SECRET')
    .replaceAll(/(?<=[?&]s=)[\w-]{22}(?![\w-])/g, 'SIGNATURE')
    .replaceAll(/(?<=\/export\/)[\w.-]+/g, 'SECRET')
    .replaceAll(/\b(demo_\w+?_)?[0-9A-Za-z]{22}\b/g, 'ID')
    .replaceAll(/\b[0-9a-f]{32}\b/g, 'ID')
    .replaceAll(/(?<=\b(whsec_|ksnap_|ksadm_)[.]*)[\w+/=]+/g, 'SECRET')
    .replaceAll(/(?<=keepsnap-DAY-)\d{4}/g, 'HHMM')
    .replaceAll(/[\w.-]+@example\.com/g, 'ADDRESS')
    .replaceAll(/(?<=r=\d+;t=)\d+/g, 'SECONDS')
    .replaceAll(/"oldest_waiting_seconds": [\d.null]+|"waiting": \d+/g, 'WAITING')
    .replaceAll(/"remaining_ms": \d+|(?<="next": "ID\.)[\d.]+/g, 'MOMENT')
    .replaceAll(/user-[0-9a-z]{8,12}\b/g, 'USERNAME')
    .replaceAll(/sha(256|384|512)-[\w+/=]+/g, 'INTEGRITY')
    .replaceAll(/nonce-[\w+/=]+/g, 'NONCE')

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 1)
  } catch {
    return body
  }
}

const changingHeaders = [
  'date',
  'content-length',
  'etag',
  'last-modified',
  'x-request-id',
  'set-cookie',
  'server-timing',
]

/** Calls of events, which the account of the answers has none of: with one, its other answers would name it. */
const isOfEvents = /^\/(user\/(events|current-event)|photos\/move)/

/** An example without its fields about events. */
function withoutEvents(example: Example): Example {
  const cleaned = JSON.stringify(example, (key, value: unknown) => (/^event(_id)?$/.test(key) ? undefined : value))
  return JSON.parse(cleaned) as Example // an example with fewer fields
}

/** Files in a folder of the outputs. */
const written = async (folder: string): Promise<number> =>
  (await readdir(join(outputs, folder), { recursive: true })).length

beforeAll(() => rm(outputs, { recursive: true, force: true }))

test(
  'answers to the examples of every endpoint, with and without a credential, and with an unknown field',
  { timeout: 600_000 },
  async () => {
    const example = await startExampleServer(undefined, { hasEvents: false })
    const { owner, send, headersFor } = example
    const strangers = bearer('x'.repeat(43))
    const answer = async (name: string, request: Parameters<typeof send>[0]): Promise<void> => {
      const { statusCode, headers, body } = await send(request)
      const isText = /json|text|xml|javascript|svg/.test(String(headers['content-type']))
      const shownHeaders = Object.entries(headers)
        .filter(([key]) => !changingHeaders.includes(key))
        .map(([key, value]) => `${key}: ${String(value)}`)
      const text = [String(statusCode), ...shownHeaders.toSorted(), '', isText ? indented(body) : '(bytes)'].join('\n')
      await write(`answers/${name}`, `${normalized(text)}\n`)
    }
    // Those that read first: others change what they would answer.
    const ordered = endpoints
      .filter(({ path }) => !isOfEvents.test(path))
      .toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))
    for (const endpoint of ordered) {
      const name = `${endpoint.method}${endpoint.path.replaceAll(/[/:*?]/g, '_')}`
      const request = requestOf(endpoint, withoutEvents(filled(endpoint, owner.values)))
      await answer(`${name}/stranger`, { ...request, headers: { ...request.headers, ...strangers } })
      if (endpoint.query) {
        const separator = request.url.includes('?') ? '&' : '?'
        const unknown = { ...request, url: `${request.url}${separator}unknown_field=1` }
        await answer(`${name}/unknown-query`, { ...unknown, headers: { ...request.headers, ...headersFor(endpoint) } })
      }
      if (endpoint.body && !endpoint.form)
        await answer(`${name}/empty-body`, {
          ...request,
          headers: { ...request.headers, ...headersFor(endpoint), 'content-type': 'application/json' },
          body: '{}',
        })
      await answer(`${name}/example`, { ...request, headers: { ...request.headers, ...headersFor(endpoint) } })
    }
    expect(await written('answers')).toBeGreaterThan(2 * endpoints.length)
  },
)

test('what open pages of an account without events are told', { timeout: 600_000 }, async () => {
  const { owner, server } = await startExampleServer(undefined, { hasEvents: false })
  const live = await connectLive(await server.listen(), owner.token)
  const messages = [await live.next(({ action }) => action === 'latest_photo')]
  const user = { id: owner.values.user, email: owner.values.email, token: owner.token }
  const uploaded = await upload(server, user, await jpeg({ width: 900, height: 600 }))
  messages.push(await live.next(({ action }) => action === 'new_photo'))
  await server.work()
  messages.push(await live.next((message) => message.action === 'photo_update' && message.photo.processing_complete))
  const { id } = uploaded.json<Photo>()
  await server.request({ method: 'PUT', url: '/user/hold', token: owner.token, body: { photo_id: id } })
  messages.push(await live.next(({ action }) => action === 'photo_hold'))
  await server.request({ method: 'DELETE', url: `/photos/${id}`, token: owner.token })
  messages.push(await live.next(({ action }) => action === 'photo_deleted'))
  live.socket.close()
  await write('live', `${normalized(JSON.stringify(messages, null, 1))}\n`)
})

test('every email in every language', { timeout: 600_000 }, async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-13T18:00:00Z') })
  const { contextIn, sampleRenderer, samplesIn } = await import('../../scripts/email-samples.ts')
  const renderer = await sampleRenderer()
  for (const language of languages)
    for (const { name, email } of samplesIn(language)) {
      const { subject, text, html } = renderer.renderEmail(email, contextIn(language))
      await write(`emails/${language}/${name}`, `${subject}\n\n${text}\n\n${html}\n`)
    }
  vi.useRealTimers()
  expect(await written('emails')).toBeGreaterThan(100)
})

test(
  'prerendered pages, help of every command, names of metrics, types of the database',
  { timeout: 600_000 },
  async () => {
    await write('help', await outputOf('--help'))
    // What they say about their arguments; these take any, or none.
    const others = ['serve', 'work', 'migrate', 'create-admin-key', 'verify']
    const commands = [
      ...new Set([...(await outputOf('--help')).matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name]) => name!)),
    ]
    for (const command of commands.filter((name) => !others.includes(name)))
      await write(`commands/${command}`, await outputOf(command, '--no-such-option', 'a', 'b', 'c', 'd'))
    await cp(join(root, 'server/platform/db/schema.ts'), join(outputs, 'schema.ts'))
    const reference = await readFile(join(root, 'docs/reference.md'), 'utf8')
    await write('reference.md', reference)
    for (const file of await readdir(join(root, 'web/dist'), { recursive: true }))
      if (file.endsWith('.html'))
        await write(`pages/${file}`, normalized(await readFile(join(root, 'web/dist', file), 'utf8')))
    expect(commands.length).toBeGreaterThan(10)
  },
)

const run = promisify(execFile)
async function outputOf(...words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: join(root, 'test-results/no-data') }
  const { stdout, stderr } = await run(process.execPath, [join(root, 'server/main.ts'), ...words], { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return `${stdout}${stderr}`
}
