import { limits } from '@keepsnap/contract/limits.ts'
import { Fault } from '../../faults.ts'

const waitingMost = 100
const waitMostMs = 40_000

const tooMany = (): Fault =>
  new Fault('rate_limited', 'Too many uploads at once. Please wait for the others to finish.', 5)

/** Lets a few uploads of each user come in at once; the others wait their turn, not for ever and not in any number. */
export function createTurns() {
  const lanes = new Map<string, { running: number; line: (() => void)[] }>()

  return async <T>(userId: string, task: () => Promise<T>): Promise<T> => {
    const lane = lanes.get(userId) ?? { running: 0, line: [] }
    lanes.set(userId, lane)
    if (lane.running < limits.uploadsAtOncePerUser) lane.running += 1
    else {
      if (lane.line.length >= waitingMost) throw tooMany()
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => {
          lane.line = lane.line.filter((other) => other !== go)
          reject(tooMany())
        }, waitMostMs)
        lane.line.push(go)
      })
    }
    try {
      return await task()
    } finally {
      const next = lane.line.shift()
      if (next) next()
      else lane.running -= 1
      if (lane.running === 0) lanes.delete(userId)
    }
  }
}
