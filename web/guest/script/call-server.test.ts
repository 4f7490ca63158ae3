import { expect, test, vi } from 'vitest'
import { callServer, errorSentence } from './call-server.ts'

test('a call with a body is a POST with JSON, without one a GET', async () => {
  const fetched = vi.fn<typeof fetch>(async () => Response.json({ detail: 'ok' }, { status: 201 }))
  vi.stubGlobal('fetch', fetched)
  expect(await callServer('/a', { email: 'x' })).toEqual({ status: 201, body: { detail: 'ok' } })
  expect(fetched.mock.lastCall?.[1]).toMatchObject({ method: 'POST', body: '{"email":"x"}' })
  await callServer('/b')
  expect(fetched.mock.lastCall?.[1]).not.toHaveProperty('method')
})

test('without an answer in JSON the status is 0', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Hotel Wi-Fi</h1>'))
  expect(await callServer('/a')).toEqual({ status: 0, body: null })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await callServer('/a')).toEqual({ status: 0, body: null })
})

test.each([
  [{ detail: 'Why.' }, 'Why.'],
  [{ detail: [{ msg: 'First' }, { msg: 'Second' }] }, 'First'],
  [{ detail: [] }, ''],
  [{}, ''],
  [null, ''],
])('the sentence in %j is "%s"', (body, sentence) => {
  expect(errorSentence(body)).toBe(sentence)
})
