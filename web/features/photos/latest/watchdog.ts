/** State of the watchdog of an unattended screen; times in milliseconds. */
export interface WatchdogState {
  now: number
  /** Time of the last tick; a long gap means that the device slept. */
  tickedAt: number
  /** Time of the last hourly check. */
  checkedAt: number
  /** When the page last had data that was known to be current. */
  upToDateAt: number
  /** The photo cannot be seen. */
  isBroken: boolean
  /** Time of the watchdog's last reload; null when there was none. */
  reloadedAt: number | null
}

const minute = 60_000
export const watchdogTimes = {
  tickMs: 15_000,
  /** Browsers run timers of hidden tabs at least once a minute; a longer gap is sleep. */
  sleptMs: 3 * minute,
  checkMs: 60 * minute,
  staleMs: 10 * minute,
  minReloadGapMs: 10 * minute,
} as const

/** `reload`: the page should be reloaded once the server answers. `checked`: the hourly check found no problem. */
export function watchdogDecision(state: WatchdogState): 'reload' | 'checked' | 'nothing' {
  const { now, tickedAt, checkedAt, upToDateAt, isBroken, reloadedAt } = state
  const mayReload = reloadedAt === null || now - reloadedAt >= watchdogTimes.minReloadGapMs
  if (now - tickedAt >= watchdogTimes.sleptMs) return mayReload ? 'reload' : 'nothing'
  if (now - checkedAt < watchdogTimes.checkMs) return 'nothing'
  return (isBroken || now - upToDateAt >= watchdogTimes.staleMs) && mayReload ? 'reload' : 'checked'
}
