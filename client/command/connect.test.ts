import { expect, test } from 'vitest'
import { startScriptedServer } from '../test/scripted-server.ts'
import { connectToServer } from './connect.ts'

test('the time of the server is that of its last answer, not of the clock that stood still', async () => {
  const healthAt = (timestamp: string) => ({ status: 200, json: { status: 'ok', timestamp } })
  const { url } = await startScriptedServer(
    { status: 200, json: { id: 'u', username: 'booth' } },
    healthAt('2026-11-27T12:00:00Z'),
    healthAt('2026-11-28T18:00:00Z'),
  )
  const { signal } = new AbortController()
  const waits = { for: () => Promise.reject(new Error('waits')), over: () => {} }
  const { serverTime, updateServerTime } = await connectToServer({ url, apiKey: 'ksnap_x' }, { waits, signal })
  const before = serverTime()
  await updateServerTime()
  expect((serverTime() - before) / 3_600_000).toBeCloseTo(30, 1)
})
