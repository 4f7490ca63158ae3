import { expect, test } from 'vitest'
import { createRefusedClients } from './refused-clients.ts'

const refuse = (refusedClients: ReturnType<typeof createRefusedClients>, times: number): void => {
  for (let refusal = 0; refusal < times; refusal++) refusedClients.record('auth:client', 40)
}

test('a client with fifty refusals in a row waits for a second without asking the database', () => {
  let now = 5_000
  const refusedClients = createRefusedClients(() => now)
  refuse(refusedClients, 49)
  expect(refusedClients.waitSecondsOf('auth:client')).toBe(0)
  refuse(refusedClients, 1)
  expect(refusedClients.waitSecondsOf('auth:client')).toBe(40)
  expect(refusedClients.waitSecondsOf('auth:other')).toBe(0)
  now += 999
  expect(refusedClients.waitSecondsOf('auth:client')).toBe(40)
  now += 1
  expect(refusedClients.waitSecondsOf('auth:client')).toBe(0)
  refuse(refusedClients, 1)
  expect(refusedClients.waitSecondsOf('auth:client')).toBe(40)
})

test('an allowed request forgets the refusals', () => {
  const refusedClients = createRefusedClients()
  refuse(refusedClients, 50)
  refusedClients.record('auth:client', 0)
  refuse(refusedClients, 49)
  expect(refusedClients.waitSecondsOf('auth:client')).toBe(0)
})

test('such a client is answered a second later', async () => {
  const refusedClients = createRefusedClients()
  const startedAt = performance.now()
  await refusedClients.delayAnswer()
  expect(performance.now() - startedAt).toBeGreaterThan(990)
})
