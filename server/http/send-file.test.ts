import { mkdtemp, open, realpath, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { timesOpen } from '../test/consistency-check.ts'
import { sendFile } from './send-object.ts'

const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => at % 251))
let dir: string
let server: Server
/** The size that the response announces. */
let announcedBytes: number
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'keepsnap-send-'))
  await writeFile(join(dir, 'file'), bytes)
  announcedBytes = bytes.length
  server = createServer((req, res) => {
    const [start = 0, end = announcedBytes - 1] = req.url!.slice(1).split('-').filter(Boolean).map(Number)
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
const download = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ port: (server.address() as AddressInfo).port, path, agent: false }, resolve).on('error', reject)
  })

test.each(['/', '/0-0', '/5-999999', '/131071-131072', '/999999-999999'])(
  'ten concurrent downloads of %s receive the right bytes, although they share buffers',
  async (path) => {
    const [start = 0, end = bytes.length - 1] = path.slice(1).split('-').filter(Boolean).map(Number)
    const answers = await Promise.all(Array.from({ length: 10 }, async () => buffer(await download(path))))
    for (const answer of answers) expect(answer.equals(bytes.subarray(start, end + 1))).toBe(true)
  },
)

test('the connection is closed when the file is shorter than announced', async () => {
  announcedBytes = bytes.length + 1
  await expect(buffer(await download('/'))).rejects.toThrow('aborted')
})

test('the file is closed when the client disconnects', async () => {
  const path = join(await realpath(dir), 'file')
  // More than the buffers of the connections can take.
  announcedBytes = 100 * 1024 * 1024
  await truncate(path, announcedBytes)
  const answers = await Promise.all(Array.from({ length: 10 }, async () => download('/')))
  expect(timesOpen(path)).toBe(10)
  for (const answer of answers) answer.destroy()
  await expect.poll(() => timesOpen(path)).toBe(0)
})
