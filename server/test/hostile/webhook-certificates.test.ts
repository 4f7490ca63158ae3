import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createWebhookSender, type DeliveryAttempt } from '../../ports/webhooks/webhook-sender.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsnap-certificates-'))
const file = (name: string): string => join(folder, name)
const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const trusted = getCACertificates('default')

beforeAll(() => {
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority')
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
async function sendTo(certificate: {
  key: Buffer
  cert: Buffer
}): Promise<{ attempt: DeliveryAttempt; names: unknown[] }> {
  const names: unknown[] = []
  const server = createServer(certificate, (request, response) => {
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
  const { attempt, names } = await sendTo(certificateFor('hooks.example.com', 'authority'))
  expect(attempt).toMatchObject({ status: 204, error: null })
  expect(names).toEqual(['hooks.example.com', expect.stringMatching(/^hooks\.example\.com:\d+$/)])
})

test.each<[string, string, 'authority' | 'itself']>([
  ['of another host', 'other.example.com', 'authority'],
  ['that nobody has signed', 'hooks.example.com', 'itself'],
])('a certificate %s gets nothing', async (_, host, signedBy) => {
  const { attempt, names } = await sendTo(certificateFor(host, signedBy))
  expect(attempt).toMatchObject({ status: null, error: expect.stringMatching(/certificate .* is not valid/) })
  expect(names).toEqual([])
})
