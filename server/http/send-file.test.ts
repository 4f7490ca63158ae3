import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFiles } from '../test/oracle.ts'
import { sendFile } from './send-file.ts'

const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => at % 251))
let dir: string
let server: Server
/** What is promised of the file. */
let promised: number
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'keepsnap-send-'))
  await writeFile(join(dir, 'file'), bytes)
  promised = bytes.length
  server = createServer((req, res) => {
    const [start = 0, end = promised - 1] = req.url!.slice(1).split('-').filter(Boolean).map(Number)
    res.writeHead(200, { 'content-length': end - start + 1 })
    void open(join(dir, 'file')).then((file) => sendFile(res, file, { start, end }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(dir, { recursive: true })
})
const ask = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ port: (server.address() as AddressInfo).port, path, agent: false }, resolve).on('error', reject)
  })

test.each(['/', '/0-0', '/5-999999', '/131071-131072', '/999999-999999'])(
  'many at once have each byte of %s, although buffers go from one to the next',
  async (path) => {
    const [start = 0, end = bytes.length - 1] = path.slice(1).split('-').filter(Boolean).map(Number)
    const answers = await Promise.all(Array.from({ length: 20 }, async () => buffer(await ask(path))))
    for (const answer of answers) expect(answer.equals(bytes.subarray(start, end + 1))).toBe(true)
  },
)

test('a file that is shorter than promised breaks the answer off', async () => {
  promised = bytes.length + 1
  await expect(buffer(await ask('/'))).rejects.toThrow('aborted')
})

test('a client that goes away leaves no file open', async () => {
  await buffer(await ask('/'))
  const before = openFiles()
  const answers = await Promise.all(Array.from({ length: 10 }, async () => ask('/')))
  for (const answer of answers) answer.destroy()
  await expect.poll(openFiles, { timeout: 5_000 }).toBeLessThanOrEqual(before)
})
