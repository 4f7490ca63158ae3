import { describe, expect, test } from 'vitest'
import { backOffMs, whenDue, type Newest } from './due.ts'

const now = new Date('2026-05-01T12:00:00Z')
const at = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000)
const free: Newest = { addressHour: null, addressDay: null, photoDay: null, ownerDay: null }

describe('a letter goes', () => {
  test.each<[string, Partial<Newest>, Date | string]>([
    ['at once when nothing was asked for before', {}, at(0)],
    ['at once when the windows have moved on', { addressHour: at(-1.01), addressDay: at(-25) }, at(0)],
    ['an hour after the third newest to its address', { addressHour: at(-0.25) }, at(0.75)],
    ['a day after the tenth newest to its address', { addressHour: at(-0.5), addressDay: at(-4) }, at(20)],
    ['a day after the thousandth of its photo', { photoDay: at(-1) }, at(23)],
    ['a day after the five thousandth of its owner', { ownerDay: at(-2) }, at(22)],
    ['after the last of all windows', { addressDay: at(-10), photoDay: at(-9), ownerDay: at(-12) }, at(15)],
    ['behind those that wait already', { addressHour: at(46) }, at(47)],
    ['in exactly 48 hours at the latest', { photoDay: at(24) }, at(48)],
    ['not at all when its address has to wait longer', { addressHour: at(47.1) }, 'address'],
    ['not at all when its photo has to wait longer', { photoDay: at(24.1), addressDay: at(20) }, 'photo'],
    [
      'not at all for its photo, also when its address has to wait even longer, which is nobody’s business',
      { photoDay: at(24.1), addressDay: at(30) },
      'photo',
    ],
    ['not at all when its owner has to wait longer', { ownerDay: at(24.1) }, 'owner'],
  ])('%s', (_, newest, due) => {
    expect(whenDue(now, { ...free, ...newest })).toEqual(due)
  })
})

test('waiting between attempts doubles from a minute to six hours', () => {
  expect([1, 2, 3, 4, 9, 10, 11, 500].map((attempts) => backOffMs(attempts, 0.5) / 60_000)).toEqual([
    1, 2, 4, 8, 256, 360, 360, 360,
  ])
  expect([backOffMs(1, 0), backOffMs(1, 1)]).toEqual([48_000, 72_000])
})
