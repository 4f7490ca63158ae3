import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '../runtime/log.ts'
import { bareHeaders, createBareServer } from './test/bare-server.ts'

interface LogLine {
  level: number
  time: number
  msg: string
  reqId?: string
}

/** A server whose routes log and fail, and the lines of its log. */
function loggingServer(env: Record<string, string> = {}) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const server = createBareServer(env, log)
  server.post('/work', async () => {
    await nextTurn()
    log.info('in the handler')
    return {}
  })
  server.post('/bug', async () => {
    throw new Error('a bug')
  })
  return { server, log, lines: () => lines.map((line) => JSON.parse(line) as LogLine) } // pino's lines
}

test('lines of concurrent requests have the id that each response has', async () => {
  const { server, log, lines } = loggingServer()
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await server.inject({
        method: 'POST',
        url: '/work',
        headers: { ...bareHeaders, 'content-type': 'application/json' },
        payload: Readable.from(['{"a":', '1}']),
      })
      expect(answer.statusCode).toBe(200)
      return answer.headers['x-request-id']
    }),
  )
  expect(new Set(ids).size).toBe(20)
  expect(lines().map(({ reqId }) => reqId)).toEqual(expect.arrayContaining(ids))
  for (const { level, time } of lines()) expect([level, typeof time]).toEqual([30, 'number'])
  log.info('outside')
  expect(lines().at(-1)).not.toHaveProperty('reqId')
})

test('an unexpected error is answered with the id under which it is logged', async () => {
  const { server, lines } = loggingServer()
  const answer = await server.inject({ method: 'POST', url: '/bug', headers: bareHeaders })
  const id = String(answer.headers['x-request-id'])
  expect(answer.statusCode).toBe(500)
  expect(answer.json<{ detail: string }>().detail).toContain(id)
  expect(lines()).toEqual([expect.objectContaining({ reqId: id, level: 50 })])
  expect(JSON.stringify(lines()[0]).match(/"reqId"/g)).toHaveLength(1)
})

const proxyId = '7f000001-0000-4000-8000-0000abcdef01'
const idOf = async (trusted: string, remoteAddress: string, header: string | undefined): Promise<unknown> => {
  const { server } = loggingServer({ TRUSTED_PROXIES: trusted })
  const headers = { ...bareHeaders, ...(header !== undefined && { 'x-request-id': header }) }
  const answer = await server.inject({ method: 'GET', url: '/nothing', remoteAddress, headers })
  return answer.headers['x-request-id']
}
const ownId = expect.stringMatching(/^[0-9A-Za-z]{12}$/)

test('the id of a trusted proxy is kept when it has the form of one, and nobody else chooses one', async () => {
  expect(await idOf('10.0.0.0/8', '10.1.2.3', proxyId)).toBe(proxyId)
  expect(await idOf('10.0.0.0/8', '::ffff:10.1.2.3', proxyId)).toBe(proxyId)
  expect(await idOf('10.0.0.0/8', '10.1.2.3', undefined)).toEqual(ownId)
  expect(await idOf('10.0.0.0/8', '192.0.2.1', proxyId)).toEqual(ownId)
  expect(await idOf('10.0.0.0/8', '127.0.0.1', proxyId)).toEqual(ownId)
  expect(await idOf('', '127.0.0.1', proxyId)).toEqual(ownId)
  // What could break lines or fill the log is replaced.
  for (const bad of ['short', 'x'.repeat(65), 'with space in it', '{"json":"injected"}', 'ünïcödé-id'])
    expect(await idOf('10.0.0.0/8', '10.1.2.3', bad)).toEqual(ownId)
})
