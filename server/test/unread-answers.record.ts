import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { createCertificates, proxies } from './proxies.ts'
import { jpeg } from '../images/test/sample-images.ts'
import { freePort, type Program, scratchFolder, startProgram } from './child-processes.ts'
import { cloneDatabase } from './cloned-database.ts'
import { publicUrl } from './harness.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { logWithSeed } from './statistics.ts'
import { connect } from '../platform/db/connect.ts'
import { createLog } from '../platform/process/log.ts'
import type { ReadingClients, ReadingOutcome } from './reading-clients.ts'

const attackSeconds = Number(process.env['KEEPSNAP_ATTACK_SECONDS'] ?? 600)
const attackClients = Number(process.env['KEEPSNAP_ATTACK_CLIENTS'] ?? 4_000)
const fullBytes = 8 * 1024 * 1024
const baseline = process.env['KEEPSNAP_BASELINE']
/** This version, and an earlier one if there is one. */
const versions: [name: string, root: string | undefined][] = [
  ...(baseline ? [['before', baseline] as [string, string]] : []),
  ['now', undefined],
]

interface Prepared {
  /** The full image of a photo, 8 MB. */
  imagePath: string
  /** The page of its guest. */
  pagePath: string
  start(options?: { env?: Record<string, string>; before?: string[] }): Promise<ServerProcess>
}

/** A data folder with one photo. */
async function prepare(root: string | undefined): Promise<Prepared> {
  const { database, drop } = await cloneDatabase({ isBare: root !== undefined })
  onTestFinished(drop)
  const dir = scratchFolder(onTestFinished)
  const start: Prepared['start'] = (options = {}) =>
    startServerProcess(onTestFinished, { database, dir, command: ['serve'], ...(root && { root }), ...options })
  const { address, child, ended } = await start()
  const headers = { 'content-type': 'application/json' }
  const account = JSON.stringify({ email: 'owner@example.com', password: 'Correct.Horse.9' })
  const registered = await fetch(`${address}/register`, { method: 'POST', headers, body: account })
  const { access_token: token } = (await registered.json()) as { access_token: string } // what the contract says
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(await jpeg())], { type: 'image/jpeg' }), 'a.jpg')
  const authorization = `Bearer ${token}`
  await fetch(`${address}/photos/upload`, { method: 'POST', headers: { authorization }, body: form })
  const photo = async (): Promise<Photo | undefined> =>
    ((await (await fetch(`${address}/photos`, { headers: { authorization } })).json()) as Photo[])[0] // the same
  await expect.poll(async () => (await photo())?.processing_complete, { timeout: 60_000 }).toBe(true)
  const imageUrl = (await photo())?.b2_url ?? ''
  child.kill('SIGTERM')
  await ended
  const { db, close } = connect(database, createLog('silent'), 1)
  const { full_key: key, code } = await db
    .updateTable('photos')
    .set({ full_bytes: fullBytes })
    .returning(['full_key', 'code'])
    .executeTakeFirstOrThrow()
  await close()
  const [kind = '', name = ''] = key?.split('/') ?? []
  writeFileSync(join(dir, 'files', kind, name.slice(0, 2), name), Buffer.alloc(fullBytes, 1))
  return { imagePath: imageUrl.replace(publicUrl, ''), pagePath: `/d/${code}`, start }
}

function startClients(clients: ReadingClients, before: string[] = []): Program {
  const script = join(import.meta.dirname, 'reading-clients.ts')
  return startProgram(onTestFinished, [...before, process.execPath, script, JSON.stringify(clients)])
}

const megabytesOf = ({ pid }: Program): number =>
  Math.round(Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
const descriptorsOf = ({ pid }: Program): number => readdirSync(`/proc/${pid}/fd`).length

/** Loads a page for some seconds, as one guest after the other; the slow end of the times, and what was not answered by 200. */
async function loadPages(url: string, seconds: number): Promise<{ p95: number; failed: number; count: number }> {
  const times: number[] = []
  let failed = 0
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await delay(50)) {
    const began = performance.now()
    const status = await fetch(url, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(20_000) }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    )
    if (status !== 200) failed += 1
    times.push(performance.now() - began)
  }
  return {
    p95: Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0),
    failed,
    count: times.length,
  }
}

interface Figures {
  quiet: number
  p95: number
  failed: number
  megabytes: number
  descriptors: number
  secondsUntilBack: number
}

/** Attacks for a while, then lets the clients stay there silently until the descriptors are back. */
async function attack(server: Program, pageUrl: string, clients: ReadingClients): Promise<Figures> {
  const quiet = await loadPages(pageUrl, 10)
  const [megabytesBefore, descriptorsBefore] = [megabytesOf(server), descriptorsOf(server)]
  const attackers = startClients(clients)
  let [megabytes, descriptors] = [0, 0]
  const sampler = setInterval(() => {
    megabytes = Math.max(megabytes, megabytesOf(server) - megabytesBefore)
    descriptors = Math.max(descriptors, descriptorsOf(server) - descriptorsBefore)
  }, 500)
  const { p95, failed } = await loadPages(pageUrl, attackSeconds)
  const endedAt = Date.now()
  // They keep what they have, and open nothing more.
  attackers.child.kill('SIGSTOP')
  while (descriptorsOf(server) > descriptorsBefore + 10 && Date.now() - endedAt < 300_000) await delay(500)
  const secondsUntilBack = Math.round((Date.now() - endedAt) / 1000)
  attackers.child.kill('SIGKILL')
  clearInterval(sampler)
  return { quiet: quiet.p95, p95, failed, megabytes, descriptors, secondsUntilBack }
}

const tell = (what: string, { quiet, p95, failed, megabytes, descriptors, secondsUntilBack }: Figures): void =>
  logWithSeed(
    `${what}: page p95 ${p95} ms (quiet ${quiet} ms), ${failed} failed; memory +${megabytes} MB; descriptors +${descriptors}, back after ${secondsUntilBack} s`,
  )

/** What is beyond the limits of this version. */
const excesses = ({ quiet, p95, failed, megabytes, secondsUntilBack }: Figures): string[] =>
  Object.entries({
    'pages failed': failed > 0,
    'pages slow': p95 > 2 * quiet + 200,
    memory: megabytes > 150,
    descriptors: secondsUntilBack > 200,
  }).flatMap(([what, isExceeded]) => (isExceeded ? [what] : []))

test.each(versions)(`${attackClients} answers that nobody reads, direct, %s`, async (name, root) => {
  const { imagePath, pagePath, start } = await prepare(root)
  const server = await start()
  const { hostname, port } = new URL(server.address)
  const clients = {
    host: hostname,
    port: Number(port),
    path: imagePath,
    from: '127.0.0.2',
    count: attackClients,
    bytes: fullBytes,
    reads: false,
  }
  const figures = await attack(server, `${server.address}${pagePath}`, clients)
  tell(`${attackClients} unread answers, direct, ${name}`, figures)
  expect(name === 'now' ? excesses(figures) : []).toEqual([])
})

test.each(versions)('4 connections with 100 streams each that nobody reads, behind HAProxy, %s', async (name, root) => {
  const { imagePath, pagePath, start } = await prepare(root)
  const server = await start({ env: { PUBLIC_URL: publicUrl } })
  const dir = scratchFolder(onTestFinished)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const certificates = await createCertificates(dir)
  const proxy = proxies.haproxy(onTestFinished, {
    dir,
    certificates,
    httpPort,
    httpsPort,
    upstream: new URL(server.address).host,
  })
  await delay(3_000)
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  onTestFinished(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])
  const clients = {
    host: '127.0.0.1',
    port: httpsPort,
    path: imagePath,
    from: '127.0.0.2',
    count: 4,
    streams: 100,
    bytes: fullBytes,
    reads: false,
  }
  const figures = await attack(server, `https://127.0.0.1:${httpsPort}${pagePath}`, clients)
  tell(`4 x 100 unread streams behind HAProxy, ${name}`, figures)
  expect(proxy.stderr()).toBe('')
  expect(name === 'now' ? excesses(figures) : []).toEqual([])
})

/** A network of its own for the server, and one for clients, with a line between them that has little room for waiting bytes. */
function createLine(name: string, n: number, rate: string): { server: string[]; clients: string[]; host: string } {
  const ip = (words: string): void => void execFileSync('ip', words.split(' '))
  const [ours, theirs] = [`ks-${name}-s`, `ks-${name}-c`]
  for (const one of [ours, theirs]) {
    ip(`netns add ${one}`)
    onTestFinished(() => ip(`netns del ${one}`))
    ip(`-n ${one} link set lo up`)
    for (const setting of ['tcp_rmem=4096 16384 65536', 'tcp_wmem=4096 16384 65536'])
      execFileSync('ip', ['netns', 'exec', one, 'sysctl', '-q', '-w', `net.ipv4.${setting}`])
  }
  ip(`link add ks${n}s netns ${ours} type veth peer name ks${n}c netns ${theirs}`)
  for (const [namespace, device, address] of [
    [ours, `ks${n}s`, `10.99.${n}.1`],
    [theirs, `ks${n}c`, `10.99.${n}.2`],
  ]) {
    ip(`-n ${namespace} addr add ${address}/24 dev ${device}`)
    ip(`-n ${namespace} link set ${device} up`)
  }
  execFileSync('tc', `-n ${ours} qdisc add dev ks${n}s root tbf rate ${rate} burst 16kb latency 400ms`.split(' '))
  const inside = (namespace: string): string[] => ['ip', 'netns', 'exec', namespace]
  return { server: inside(ours), clients: inside(theirs), host: `10.99.${n}.1` }
}

test.each([
  ['300 phones behind one address on 50 Mbit/s', 300, '50mbit', 1],
  ['a phone on 64 kbit/s', 1, '64kbit', 2],
])('%s get their whole photos of 8 MB', async (what, count, rate, n) => {
  const { imagePath, start } = await prepare(undefined)
  const line = createLine(rate, n, rate)
  const port = 3_000
  await start({ env: { HOST: line.host, PORT: String(port) }, before: line.server })
  const began = performance.now()
  const clients = startClients(
    { host: line.host, port, path: imagePath, count, bytes: fullBytes, reads: true },
    line.clients,
  )
  await expect.poll(() => clients.lines.length, { timeout: 3_000_000, interval: 1_000 }).toBe(1)
  const outcome = JSON.parse(clients.lines[0] ?? '') as ReadingOutcome // of the program
  const seconds = Math.round((performance.now() - began) / 1000)
  logWithSeed(
    `${what}: ${outcome.whole} of ${count} whole, ${outcome.cut} cut, ${outcome.refused} refused, in ${seconds} s; longest time without a byte ${outcome.longestGapMs} ms`,
  )
  expect(outcome).toMatchObject({ whole: count, cut: 0, refused: 0 })
})
