import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '../test/webhook-receiver.ts'
import { createWebhookSender, type DeliveryAttempt } from './webhooks.ts'

const publicAddress = '93.184.215.14'
const request = { headers: { 'content-type': 'application/json' }, body: '{}' }

/** Listens on every address of the machine and counts connections: nothing may reach it. */
let canary: { port: number; connections: number }
beforeAll(async () => {
  canary = { port: 0, connections: 0 }
  const server = createServer((socket) => {
    canary.connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  canary.port = (server.address() as AddressInfo).port
  return () => void server.close()
})

const refusedAddresses = `
  127.0.0.1 127.8.9.10 0.0.0.0 0.1.2.3 ::1 :: 10.1.2.3 172.16.0.1 172.31.255.254 192.168.1.20 fc00::1
  fd12:3456::1 fec0::1 169.254.169.254 169.254.1.1 fe80::1 100.64.0.1 100.100.100.200 168.63.129.16
  fd00:ec2::254 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808
  64:ff9b:1::7f00:1 2002:7f00:1:: 2001::7f00:1 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.9
  192.88.99.1 224.0.0.1 240.0.0.1 255.255.255.255 ff02::1 100::1 2001:db8::1 4000::1`
  .trim()
  .split(/\s+/)
  .concat('not an address', '')

/** However an address of this machine, or of its network, can be written in a URL. */
const refusedHosts = `127.0.0.1 127.1 0x7f000001 2130706433 0177.0.0.1 127.0.0.1. ①②⑦.0.0.1 [::1] [::]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::127.0.0.1] 0 0.0.0.0 169.254.169.254`.split(/\s+/)

describe('addresses that are not on the internet', () => {
  const outside = /not on the internet/
  const senderTo = (...addresses: string[]) =>
    createWebhookSender({ allowedHosts: ['booth.lan'], resolveHost: () => Promise.resolve(addresses) })

  test('are refused whatever name leads to them, however a URL writes them, and nothing connects there', async () => {
    const answersTo = async (sender: ReturnType<typeof senderTo>, host: string) => {
      const url = `https://${host}:${canary.port}/`
      return [await sender.problemOf(url), (await sender.send({ ...request, url })).error]
    }
    const refused = [expect.stringMatching(outside), expect.stringMatching(outside)]
    for (const address of refusedAddresses)
      for (const sender of [senderTo(address), senderTo(publicAddress, address)])
        expect([address, await answersTo(sender, 'hooks.example.com')]).toEqual([address, refused])
    const resolving = createWebhookSender({ allowedHosts: ['printer.lan'] })
    for (const host of refusedHosts) expect([host, await answersTo(resolving, host)]).toEqual([host, refused])
    // Addresses of this machine itself, whatever network they are in.
    for (const { address } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
      expect(await senderTo(address).problemOf('https://hooks.example.com/')).toMatch(outside)
    expect(canary.connections).toBe(0)
  })

  test('and so are URLs of other kinds; public addresses and hosts of the settings are accepted', async () => {
    const sender = senderTo(publicAddress, '2606:2800:21f:cb07:6820:80da:af6b:8b2c')
    const problems: [url: string, sentence: RegExp][] = [
      ['http://hooks.example.com/', /https/],
      ['ftp://hooks.example.com/', /https/],
      ['file:///etc/passwd', /https/],
      ['javascript:alert(1)', /https/],
      ['https://user:secret@hooks.example.com/', /user name/],
      ['hooks.example.com', /whole URL/],
      ['https://', /whole URL/],
    ]
    for (const [url, sentence] of problems) expect(await sender.problemOf(url)).toMatch(sentence)
    expect(await sender.problemOf('https://hooks.example.com/a?b=c')).toBeUndefined()
    const local = senderTo('192.168.1.20')
    for (const url of ['http://booth.lan:8080/', 'http://BOOTH.lan./'])
      expect(await local.problemOf(url)).toBeUndefined()
    expect(await local.problemOf('https://other.lan/')).toMatch(outside)
  })
})

describe('the connection', () => {
  test('goes to the address that was checked, and the name is looked up once', async () => {
    const checked = await receiverForThisTest('127.0.0.1')
    const other = await receiverForThisTest('127.0.0.2', checked.port)
    let lookups = 0
    const resolveHost = () => Promise.resolve([++lookups === 1 ? '127.0.0.1' : '127.0.0.2'])
    const sender = createWebhookSender({ allowedHosts: ['booth.lan'], resolveHost })
    expect(await sender.send({ ...request, url: `http://booth.lan:${checked.port}/in` })).toMatchObject({ status: 204 })
    expect([checked.received.length, other.received.length, lookups]).toEqual([1, 0, 1])
    expect(checked.received[0]!.headers.host).toBe(`booth.lan:${checked.port}`)
  })

  test('goes to the next address when one refuses', async () => {
    const receiver = await receiverForThisTest('127.0.0.1')
    const sender = createWebhookSender({
      allowedHosts: ['booth.lan'],
      resolveHost: () => Promise.resolve(['127.0.0.3', '127.0.0.1']),
    })
    expect(await sender.send({ ...request, url: `http://booth.lan:${receiver.port}/` })).toMatchObject({ status: 204 })
  })
})

async function receiverForThisTest(host: string, port = 0): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver(host, port)
  onTestFinished(() => receiver.close())
  return receiver
}

/** Sends to a receiver that speaks TCP as it likes. Less time than in production only where all of it must pass. */
async function sendTo(
  onConnection: (socket: Socket) => void,
  { protocol = 'http', timeoutMs = 10_000 } = {},
): Promise<DeliveryAttempt> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).resume()
    socket.on('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sender = createWebhookSender({ allowedHosts: ['127.0.0.1'], timeoutMs })
  const attempt = await sender.send({ ...request, url: `${protocol}://127.0.0.1:${port}/` })
  // The connection is closed whatever the receiver does.
  await expect.poll(() => sockets.size, { interval: 5 }).toBe(0)
  await new Promise((resolve) => server.close(resolve))
  return attempt
}

/** Sends to a receiver whose answer does not end; again with more time if a busy machine has read nothing of it. */
async function sendUntilAnswered(onConnection: (socket: Socket) => void): Promise<DeliveryAttempt> {
  for (let timeoutMs = 1_000; ; timeoutMs *= 5) {
    const attempt = await sendTo(onConnection, { timeoutMs })
    if (attempt.response || timeoutMs > 20_000) return attempt
  }
}

const head = 'HTTP/1.1 200 OK\r\n'
/** Writes on until the connection is closed. */
function writeEndlessly(socket: Socket, text: string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once('drain', write)
  }
  write()
}
const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 20)
  socket.on('close', () => clearInterval(timer))
}

describe('receivers that answer badly', () => {
  test('a redirect is not followed', async () => {
    const target = await receiverForThisTest('127.0.0.1')
    for (const status of [301, 302, 303, 307, 308]) {
      const attempt = await sendTo((socket) =>
        socket.end(`HTTP/1.1 ${status} Moved\r\nLocation: ${target.url}\r\nContent-Length: 0\r\n\r\n`),
      )
      expect(attempt).toMatchObject({ status, error: null })
    }
    expect(target.received).toEqual([])
  })

  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['sends headers slowly without end', (socket) => void (socket.write(head), drip(socket, 'X-A: b\r\n'))],
    ['sends provisional answers without end', (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('one that %s is abandoned in time', async (_, onConnection) => {
    const attempt = await sendTo(onConnection, { timeoutMs: 250 })
    expect(attempt).toMatchObject({ status: null, response: null, error: 'There was no answer within 10 seconds.' })
    expect(attempt.durationMs).toBeLessThan(9_000)
  })

  test('one that sends its body slowly is abandoned in time, and does not count as one that accepted', async () => {
    const attempt = await sendUntilAnswered(
      (socket) => void (socket.write(`${head}Content-Length: 900\r\n\r\n`), drip(socket, 'x')),
    )
    expect(attempt).toMatchObject({ status: 200, error: 'The answer did not end within 10 seconds.' })
    expect(attempt.response).toMatch(/^x+$/)
  })

  test('of an endless body 1 KB is read', async () => {
    const attempt = await sendTo(
      (socket) => void (socket.write(`${head}\r\n`), writeEndlessly(socket, 'a\0é'.repeat(20_000))),
    )
    expect(attempt).toMatchObject({ status: 200, error: null })
    expect(Buffer.byteLength(attempt.response!)).toBeLessThanOrEqual(1024 + 2)
    expect(attempt.response).not.toContain('\0')
  })

  test.each<[string, RegExp, (socket: Socket) => void]>([
    [
      'sends endless headers',
      /failed \(HPE_HEADER_OVERFLOW\)/,
      (socket) => void (socket.write(head), writeEndlessly(socket, `X: ${'y'.repeat(9_000)}\r\n`)),
    ],
    ['does not speak HTTP', /failed \(HPE_/, (socket) => socket.end('SSH-2.0-OpenSSH_10.0\r\n')],
    ['closes the connection', /closed the connection/, (socket) => socket.destroy()],
    [
      'answers with another protocol',
      /closed the connection/,
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ],
  ])('one that %s is reported to its owner', async (_, sentence, onConnection) => {
    expect(await sendTo(onConnection)).toMatchObject({ status: null, error: expect.stringMatching(sentence) })
  })

  test('one that cuts its answer off does not count as one that accepted', async () => {
    const attempt = await sendTo((socket) => socket.end(`${head}Content-Length: 900\r\n\r\nhalf`))
    expect(attempt).toMatchObject({
      status: 200,
      response: 'half',
      error: expect.stringMatching(/closed the connection/),
    })
  })

  test('https to a server without TLS and a refused connection are reported', async () => {
    expect((await sendTo((socket) => socket.write(head), { protocol: 'https' })).error).toMatch(/failed|closed/)
    const gone = await startWebhookReceiver()
    await gone.close()
    const sender = createWebhookSender({ allowedHosts: ['127.0.0.1'] })
    expect((await sender.send({ ...request, url: gone.url })).error).toBe(
      `127.0.0.1:${gone.port} refused the connection.`,
    )
  })

  test('a name server that does not answer takes no longer than an attempt may', async () => {
    const sender = createWebhookSender({ allowedHosts: [], resolveHost: () => new Promise(() => {}), timeoutMs: 50 })
    expect((await sender.send({ ...request, url: 'https://slow.example.com/' })).error).toMatch(/no answer within/)
    expect(await sender.problemOf('https://slow.example.com/')).toMatch(/could not be checked in time/)
    const failing = createWebhookSender({ allowedHosts: [], resolveHost: () => Promise.reject(new Error('SERVFAIL')) })
    expect(await failing.problemOf('https://slow.example.com/')).toMatch(/could not be looked up/)
  })
})

describe('certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsnap-certificates-'))
  const file = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const trusted = getCACertificates('default')

  beforeAll(() => {
    openssl(
      'req',
      '-x509',
      ...newKey,
      ...'-keyout ca.key -out ca.pem -days 2'.split(' '),
      '-subj',
      '/CN=Test authority',
    )
    setDefaultCACertificates([...trusted, readFileSync(file('ca.pem'), 'utf8')])
  })
  afterAll(() => {
    setDefaultCACertificates(trusted)
    rmSync(folder, { recursive: true })
  })

  /** Makes a certificate for a host, signed by the authority that this process trusts or by its own key. */
  function certificateFor(host: string, signedBy: 'authority' | 'itself') {
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
    const issuer = signedBy === 'authority' ? ['-CA', 'ca.pem', '-CAkey', 'ca.key'] : []
    openssl('req', '-x509', ...newKey, ...subject, ...issuer, '-keyout', 'host.key', '-out', 'host.pem', '-days', '2')
    return { key: readFileSync(file('host.key')), cert: readFileSync(file('host.pem')) }
  }

  /** Sends to https://hooks.example.com, where a server has this certificate; tells which names it was asked for. */
  async function sendWith(certificate: {
    key: Buffer
    cert: Buffer
  }): Promise<{ attempt: DeliveryAttempt; names: unknown[] }> {
    const names: unknown[] = []
    const server = createTlsServer(certificate, (request, response) => {
      names.push('servername' in request.socket && request.socket.servername, request.headers.host)
      response.writeHead(204).end()
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // of a TCP server
    const resolveHost = () => Promise.resolve(['127.0.0.1'])
    const sender = createWebhookSender({ allowedHosts: ['hooks.example.com'], resolveHost })
    const url = `https://hooks.example.com:${port}/keepsnap`
    return { attempt: await sender.send({ url, headers: {}, body: '{}' }), names }
  }

  test('a receiver with a valid certificate is asked for by its name', async () => {
    const { attempt, names } = await sendWith(certificateFor('hooks.example.com', 'authority'))
    expect(attempt).toMatchObject({ status: 204, error: null })
    expect(names).toEqual(['hooks.example.com', expect.stringMatching(/^hooks\.example\.com:\d+$/)])
  })

  test.each<[string, string, 'authority' | 'itself']>([
    ['of another host', 'other.example.com', 'authority'],
    ['that nobody has signed', 'hooks.example.com', 'itself'],
  ])('a certificate %s gets nothing', async (_, host, signedBy) => {
    const { attempt, names } = await sendWith(certificateFor(host, signedBy))
    expect(attempt).toMatchObject({ status: null, error: expect.stringMatching(/certificate .* is not valid/) })
    expect(names).toEqual([])
  })
})
