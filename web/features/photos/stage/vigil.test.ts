import { describe, expect, test } from 'vitest'
import { verdictOf, type Watch } from './vigil.ts'

const minute = 60_000
const now = 1_000 * minute
const well: Watch = {
  now,
  lookedAt: now - 15_000,
  checkedAt: now - 30 * minute,
  soundAt: now - 5_000,
  isBroken: false,
  reloadedAt: null,
}
const hourly = { checkedAt: now - 60 * minute }

describe('the watch over an unattended screen', () => {
  test.each<[string, Partial<Watch>, ReturnType<typeof verdictOf>]>([
    ['leaves a page alone that is well', {}, 'nothing'],
    ['reloads after the device slept', { lookedAt: now - 3 * minute }, 'reload'],
    ['takes a slow timer for no sleep', { lookedAt: now - 90_000 }, 'nothing'],
    ['does not reload twice in ten minutes', { lookedAt: now - 3 * minute, reloadedAt: now - 9 * minute }, 'nothing'],
    ['reloads again after ten minutes', { lookedAt: now - 3 * minute, reloadedAt: now - 10 * minute }, 'reload'],
    ['finds all well once an hour', hourly, 'checked'],
    ['reloads at the hourly check when the photo is not to be seen', { ...hourly, isBroken: true }, 'reload'],
    [
      'reloads at the hourly check when nothing was heard for long',
      { ...hourly, soundAt: now - 10 * minute },
      'reload',
    ],
    ['does not mind either in between', { isBroken: true, soundAt: 0 }, 'nothing'],
  ])('%s', (_, facts, verdict) => {
    expect(verdictOf({ ...well, ...facts })).toBe(verdict)
  })
})
