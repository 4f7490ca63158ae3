import { expect, test } from 'vitest'
import { createEmailThrottle, throttledSlices } from './throttle.ts'

test('bytes are unchanged, in slices of at most 64 KiB, each after one call of the throttle', async () => {
  const source = [Buffer.alloc(150_000, 1), Buffer.alloc(10, 2)]
  const slices: Buffer[] = []
  let calls = 0
  const throttle = async (): Promise<void> => void calls++
  async function* chunks(): AsyncGenerator<Buffer> {
    yield* source
  }
  for await (const slice of throttledSlices(chunks(), throttle)) {
    slices.push(slice)
    expect(calls).toBe(slices.length)
  }
  expect(slices.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928, 10])
  expect(Buffer.concat(slices).equals(Buffer.concat(source))).toBe(true)
})

test('after the event loop was busy, emails pause', async () => {
  const throttle = createEmailThrottle()
  for (const busyUntil = performance.now() + 110; performance.now() < busyUntil;);
  const startedAt = performance.now()
  await throttle()
  // 4 ms, less the rounding of timers.
  expect(performance.now() - startedAt).toBeGreaterThan(2.5)
})
