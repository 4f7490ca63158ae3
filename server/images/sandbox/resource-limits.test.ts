import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { defaultResourceLimits, residentBytes, watchProcess, type ResourceLimits } from './resource-limits.ts'

const unlimited: ResourceLimits = {
  baseMs: Infinity,
  msPerMegapixel: 0,
  animationMs: 0,
  maxIdleMs: Infinity,
  baseBytes: Infinity,
  bytesPerMegapixel: 0,
  maxBytes: Infinity,
}

/** The system reports no CPU time of it, so all time counts. */
const unknownPid = 2 ** 30

/** Watches a process, and records what it exceeds. */
function watch(limits: Partial<ResourceLimits>, { pid = process.pid } = {}) {
  const exceeded: string[] = []
  const resourceWatch = watchProcess(pid, { limits: { ...unlimited, ...limits }, maxMegapixels: 100 }, (kind) =>
    exceeded.push(kind),
  )
  onTestFinished(() => resourceWatch.stop())
  return { resourceWatch, exceeded }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('the time of a request', () => {
  test('is limited, and reported once', () => {
    const { exceeded } = watch({ baseMs: 1_000 }, { pid: unknownPid })
    vi.advanceTimersByTime(1_000)
    expect(exceeded).toEqual([])
    vi.advanceTimersByTime(5_000)
    expect(exceeded).toEqual(['timeout'])
  })
  test.each([
    ['grows with the size of the picture', { megapixels: 20, animated: false }, 3_000],
    ['grows no further than for the largest picture that is allowed', { megapixels: 1e9, animated: false }, 11_000],
    ['is longer for an animation', { megapixels: 20, animated: true }, 9_000],
  ])('%s', (_, size, mostMs) => {
    const limits = { baseMs: 1_000, msPerMegapixel: 100, animationMs: 9_000 }
    const { resourceWatch, exceeded } = watch(limits, { pid: unknownPid })
    resourceWatch.setSize(size)
    vi.advanceTimersByTime(mostMs - 100)
    expect(exceeded).toEqual([])
    vi.advanceTimersByTime(300)
    expect(exceeded).toEqual(['timeout'])
  })
  test('is CPU time, so a process that waits for others does not take too long; one that uses none for 20 seconds does', ({
    skip,
  }) => {
    skip(!existsSync('/proc/self/schedstat'), 'reads /proc/PID/schedstat')
    const busy = watch({ baseMs: 10_000, maxIdleMs: 20_000 })
    const useCpu = (): void => {
      const before = process.cpuUsage()
      while (process.cpuUsage(before).user < 15_000);
    }
    for (let round = 0; round < 6; round++) {
      useCpu()
      vi.advanceTimersByTime(19_000)
    }
    expect(busy.exceeded).toEqual([])
    const sleeping = spawn('sleep', ['60'])
    onTestFinished(() => void sleeping.kill())
    const idle = watch({ maxIdleMs: 20_000 }, { pid: sleeping.pid! })
    vi.advanceTimersByTime(20_000)
    expect(idle.exceeded).toEqual([])
    vi.advanceTimersByTime(100)
    expect(idle.exceeded).toEqual(['timeout'])
    const limited = watch({ baseMs: 10 })
    useCpu()
    vi.advanceTimersByTime(100)
    expect(limited.exceeded).toEqual(['timeout'])
  })
  test('is no longer checked once the request has ended', () => {
    const { resourceWatch, exceeded } = watch({ baseMs: 1_000 }, { pid: unknownPid })
    resourceWatch.stop()
    vi.advanceTimersByTime(60_000)
    expect(exceeded).toEqual([])
  })
})

describe('the time that a request used', () => {
  test('is that of its threads, without the time in which it waited', ({ skip }) => {
    skip(!existsSync('/proc/self/schedstat'), 'reads /proc/PID/schedstat')
    const { resourceWatch } = watch({})
    const before = process.cpuUsage()
    while (process.cpuUsage(before).user < 30_000);
    vi.advanceTimersByTime(60_000)
    resourceWatch.stop()
    expect(resourceWatch.cpuMs()).toBeGreaterThan(25)
    expect(resourceWatch.cpuMs()).toBeLessThan(10_000)
  })
  test('is all time when the system does not report it', () => {
    const resourceWatch = watchProcess(unknownPid, { limits: unlimited, maxMegapixels: 100 }, () => {})
    vi.advanceTimersByTime(3_000)
    resourceWatch.stop()
    vi.advanceTimersByTime(3_000)
    expect(resourceWatch.cpuMs()).toBe(3_000)
  })
})

describe('the memory of a process', () => {
  beforeEach(({ skip }) => skip(!existsSync('/proc/self/status'), 'reads /proc/PID/status'))
  test('is limited', () => {
    const { resourceWatch, exceeded } = watch({ baseBytes: 1 })
    vi.advanceTimersByTime(200)
    expect(exceeded).toEqual(['memory'])
    expect(resourceWatch.peakBytes()).toBeGreaterThan(1e6)
  })
  test('may grow with the size of the picture, up to a maximum', () => {
    const { resourceWatch, exceeded } = watch({ baseBytes: 1, bytesPerMegapixel: 1e12 })
    resourceWatch.setSize({ megapixels: 1, animated: false })
    vi.advanceTimersByTime(200)
    expect(exceeded).toEqual([])
    const capped = watch({ baseBytes: 1, bytesPerMegapixel: 1e12, maxBytes: 2 })
    capped.resourceWatch.setSize({ megapixels: 1, animated: false })
    vi.advanceTimersByTime(200)
    expect(capped.exceeded).toEqual(['memory'])
  })
  test('is near its limit above three quarters of it', () => {
    const ownBytes = residentBytes(process.pid)!
    const [near, far] = [watch({ baseBytes: ownBytes * 1.2 }), watch({ baseBytes: ownBytes * 4 })]
    vi.advanceTimersByTime(100)
    expect([near.resourceWatch.wasNearLimit(), far.resourceWatch.wasNearLimit()]).toEqual([true, false])
  })
  test('is unknown once it has exited', () => expect(residentBytes(2 ** 30)).toBeNull())
})

test('by default a photo has ten seconds, and a quarter of a second more for each megapixel; an animation has 44', () => {
  const expected = { baseMs: 10_000, msPerMegapixel: 250, animationMs: 44_000, maxIdleMs: 20_000 }
  expect(defaultResourceLimits).toMatchObject(expected)
})
