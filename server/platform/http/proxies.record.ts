import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { maxFileBytes, plans } from '@keepsnap/contract/plans.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { freePort, scratchFolder } from '../../test/child-processes.ts'
import { grantPlan, makeUser, multipartForm, type TestUser } from '../../test/test-data.ts'
import { photoFile } from '../../test/photo-actions.ts'
import { type Certificates, createCertificates, proxies, siteName } from '../../test/proxies.ts'

const formOverheadBytes = 64 * 1024
const largestFile = Math.max(...Object.values(plans).map(maxFileBytes))
const cleanups: (() => void | Promise<void>)[] = []
const cleanup = (work: () => void | Promise<void>): void => void cleanups.unshift(work)
let server: TestServer
let certificates: Certificates
let folder: string
const ports: Record<string, { http: number; https: number }> = {}

beforeAll(async () => {
  folder = scratchFolder(cleanup)
  certificates = await createCertificates(folder)
  for (const name of Object.keys(proxies)) ports[name] = { http: await freePort(), https: await freePort() }
  const origins = Object.values(ports).map(({ https }) => `https://${siteName}:${https}`)
  server = await startServer({
    PUBLIC_URL: `https://${siteName}`,
    ALLOWED_ORIGINS: origins.join(','),
    TRUSTED_PROXIES: '127.0.0.1',
  })
  cleanup(() => server.close())
})
afterAll(async () => {
  for (const work of cleanups) await work()
})

/** Everything that one proxy needs for a test. */
interface Site {
  url: string
  /** An answer, as curl got it. */
  curl(args: readonly string[]): Promise<{ status: number; version: string; head: string; body: Buffer }>
  log(): string
}

async function openSite(name: keyof typeof proxies, upstream: string): Promise<Site> {
  const dir = scratchFolder(cleanup)
  const { http, https } = ports[name] ?? { http: 0, https: 0 }
  const program = proxies[name](cleanup, { dir, certificates, httpPort: http, httpsPort: https, upstream })
  const url = `https://${siteName}:${https}`
  const resolve = [http, https].flatMap((port) => ['--resolve', `${siteName}:${port}:127.0.0.1`])
  const curl: Site['curl'] = async (args) => {
    const output = join(dir, 'answer')
    const flags = ['--silent', '--show-error', '--cacert', certificates.ca, '--dump-header', '-', '--output', output]
    const head = await new Promise<string>((done, fail) =>
      execFile(
        'curl',
        [...flags, ...resolve, '--write-out', '%{http_code} %{http_version}', ...args],
        (error, stdout, stderr) => (error ? fail(new Error(stderr, { cause: error })) : done(stdout)),
      ),
    )
    const [status = '', version = ''] = (head.split('\n').at(-1) ?? '').split(' ')
    return { status: Number(status), version, head, body: readFileSync(output) }
  }
  const isUp = (): Promise<boolean> =>
    curl([`${url}/health`, '--max-time', '2']).then(
      ({ status }) => status === 200,
      () => false,
    )
  for (const end = Date.now() + 20_000; !(await isUp()); await delay(50))
    if (Date.now() > end) throw new Error(`${name} does not answer: ${program.stderr()}`)
  const accessLog = join(dir, 'access.log')
  const log = (): string =>
    [...program.lines, program.stderr(), existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : ''].join('\n')
  return { url, curl, log }
}

/** A file with the form of an upload, and the arguments that send it. */
function uploadArgs(user: TestUser, fileBytes: number): string[] {
  const { body, headers } = multipartForm(Buffer.concat([photoFile, Buffer.alloc(fileBytes - photoFile.length)]))
  const file = join(folder, `body-${fileBytes}`)
  writeFileSync(file, body)
  return [
    '--data-binary',
    `@${file}`,
    '--header',
    `authorization: Bearer ${user.token}`,
    '--header',
    `content-type: ${headers['content-type']}`,
    '--header',
    'expect:',
  ]
}

const answerIn = (answer: Buffer): { code?: string; id?: string } => JSON.parse(answer.toString()) // of the contract

describe.each(['caddy', 'haproxy', 'nginx'] as const)('%s', (name) => {
  let site: Site
  let user: TestUser
  beforeAll(async () => {
    const address = new URL(await server.listen())
    site = await openSite(name, address.host)
    user = await makeUser(server)
    await grantPlan(server, user, 'pro_yearly')
  })

  test('plain http leads to https, and https speaks HTTP/2', async () => {
    const plain = await site.curl([`http://${siteName}:${ports[name]?.http}/d/secret-code?token=secret`])
    expect(plain.status).toBe(308)
    expect(plain.head).toMatch(new RegExp(`^location: https://${siteName}.*/d/secret-code\\?token=secret`, 'im'))
    const page = await site.curl([`${site.url}/health`])
    expect([page.status, page.version]).toEqual([200, '2'])
    expect(page.head).toMatch(/^strict-transport-security: /im)
  })

  test('the largest photo of any plan passes, over HTTP/2 and HTTP/1.1', async () => {
    const args = uploadArgs(user, largestFile)
    for (const version of ['--http2', '--http1.1']) {
      const { status, body } = await site.curl([version, ...args, `${site.url}/photos/upload`])
      expect([version, status, body.toString()]).toEqual([version, 201, expect.stringContaining('"id"')])
    }
  })

  test('more is refused with a sentence, by the proxy or by the program, also before it has arrived', async () => {
    const free = await makeUser(server)
    for (const version of ['--http2', '--http1.1']) {
      for (const [sender, bytes] of [
        [user, largestFile + 1],
        [user, largestFile + 2 * formOverheadBytes],
        [free, 60 * 1024 ** 2],
      ] as const) {
        const { status, body } = await site.curl([version, ...uploadArgs(sender, bytes), `${site.url}/photos/upload`])
        expect([version, bytes, status, answerIn(body).code]).toEqual([version, bytes, 413, 'too_large'])
      }
    }
  })

  test('an upload reaches the program while it arrives, and may be slow', async () => {
    const slow = await makeUser(server)
    const upload = site.curl([...uploadArgs(slow, 400_000), '--limit-rate', '20k', `${site.url}/photos/upload`])
    const states = async (): Promise<string[]> =>
      (await server.db.selectFrom('photos').select('state').where('user_id', '=', slow.id).execute()).map(
        ({ state }) => state,
      )
    await expect.poll(states, { timeout: 10_000 }).toEqual(['receiving'])
    expect((await upload).status).toBe(201)
    expect(await states()).toEqual(['queued'])
  })

  test('guests download a photo, and parts of it', async () => {
    const { body } = await site.curl([...uploadArgs(user, 200_000), `${site.url}/photos/upload`])
    await server.work()
    const id = answerIn(body).id ?? ''
    const { code } = await server.db.selectFrom('photos').select('code').where('id', '=', id).executeTakeFirstOrThrow()
    const whole = await site.curl([`${site.url}/d/${code}`])
    const part = await site.curl([`${site.url}/d/${code}`, '--range', '100-299'])
    expect([whole.status, part.status]).toEqual([200, 206])
    expect(part.head).toMatch(new RegExp(`^content-range: bytes 100-299/${whole.body.length}`, 'im'))
    expect(part.body).toEqual(whole.body.subarray(100, 300))
    const last = await site.curl([`${site.url}/d/${code}`, '--range', '-50', '--http1.1'])
    expect(last.body).toEqual(whole.body.subarray(-50))
  })

  test('WebSockets work through TLS, and the answer of a refusal comes through', async () => {
    const open = async (token: string): Promise<unknown> => {
      const socket = new WebSocket(`${site.url.replace('https', 'wss')}/ws?token=${token}`, {
        ca: readFileSync(certificates.ca),
        lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
      })
      onTestFinished(() => socket.terminate())
      return new Promise((resolve) => {
        socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString())))
        socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode))
        socket.once('error', resolve)
      })
    }
    expect(await open(user.token)).toEqual({ action: 'identified' })
    expect(await open('wrong')).toBe(401)
  })

  test('rate limits count the client, whatever address it claims', async () => {
    const guess = (n: number, client: string): Promise<number> =>
      site
        .curl([
          '--interface',
          client,
          '--header',
          `x-forwarded-for: 203.0.113.${n}`,
          '--header',
          `forwarded: for=203.0.113.${n}`,
          '--data',
          `username=${name}-${client}-${n}@example.com&password=Wrong.Password.1`,
          `${site.url}/token`,
        ])
        .then(({ status }) => status)
    // The tests before were the same client.
    await server.app.deps.pool.query('delete from rate_hits')
    const statuses: number[] = []
    for (let n = 1; n <= 12; n += 1) statuses.push(await guess(n, '127.0.0.1'))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    expect(await guess(13, '127.0.0.2')).toBe(401)
  })

  test('names that are not of this site get nothing', async () => {
    const { status, body } = await site.curl([`${site.url}/photos`, '--header', 'host: other.example.com'])
    // Caddy answers itself, with nothing.
    const answer = name === 'caddy' ? '200 nothing' : '421 misdirected'
    expect(`${status} ${body.length === 0 ? 'nothing' : answerIn(body).code}`).toBe(answer)
  })

  test('its log has the id of the answer, and no part of a URL that opens something', async () => {
    const { head } = await site.curl([
      `${site.url}/g/secret-grant?token=secret-query`,
      '--header',
      'x-request-id: mine',
    ])
    const id = /^x-request-id: (\S+)/im.exec(head)?.[1] ?? ''
    expect(id).toMatch(/^[\w-]{32,36}$/)
    await expect.poll(() => site.log()).toContain(id)
    expect(site.log()).toContain('/g')
    expect(site.log()).not.toContain('secret')
    expect(site.log()).not.toContain(user.token)
  })
})

test('HAProxy opens WebSockets over HTTP/2 too, as Chrome does when it is offered', async () => {
  const user = await makeUser(server)
  const session = connectHttp2(`https://127.0.0.1:${ports['haproxy']?.https}`, {
    ca: readFileSync(certificates.ca),
    servername: siteName,
  })
  onTestFinished(() => session.destroy())
  await once(session, 'remoteSettings')
  expect(session.remoteSettings.enableConnectProtocol).toBe(true)
  const stream = session.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':path': `/ws?token=${user.token}`,
    ':authority': `${siteName}:${ports['haproxy']?.https}`,
    'sec-websocket-version': '13',
  })
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>] // as documented for this event
  expect(headers[':status']).toBe(200)
  const [frame] = (await once(stream, 'data')) as [Buffer] // the same
  expect(frame.toString()).toContain('identified')
})
