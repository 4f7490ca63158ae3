import { describe, expect, test } from 'vitest'
import { watchdogDecision, type WatchdogState } from './watchdog.ts'

const minute = 60_000
const now = 1_000 * minute
const healthy: WatchdogState = {
  now,
  tickedAt: now - 15_000,
  checkedAt: now - 30 * minute,
  upToDateAt: now - 5_000,
  isBroken: false,
  reloadedAt: null,
}
const checkDue = { checkedAt: now - 60 * minute }

describe('the watchdog of an unattended screen', () => {
  test.each<[string, Partial<WatchdogState>, ReturnType<typeof watchdogDecision>]>([
    ['does nothing while the page is healthy', {}, 'nothing'],
    ['reloads after the device slept', { tickedAt: now - 3 * minute }, 'reload'],
    ['does not take a delayed timer for sleep', { tickedAt: now - 90_000 }, 'nothing'],
    ['does not reload twice in ten minutes', { tickedAt: now - 3 * minute, reloadedAt: now - 9 * minute }, 'nothing'],
    ['reloads again after ten minutes', { tickedAt: now - 3 * minute, reloadedAt: now - 10 * minute }, 'reload'],
    ['checks the page once an hour', checkDue, 'checked'],
    ['reloads when the hourly check finds that the photo cannot be seen', { ...checkDue, isBroken: true }, 'reload'],
    [
      'reloads when the hourly check finds that the data is ten minutes old',
      { ...checkDue, upToDateAt: now - 10 * minute },
      'reload',
    ],
    ['ignores both problems between the checks', { isBroken: true, upToDateAt: 0 }, 'nothing'],
  ])('%s', (_, changes, decision) => {
    expect(watchdogDecision({ ...healthy, ...changes })).toBe(decision)
  })
})
