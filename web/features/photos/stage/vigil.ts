/** What the watch over an unattended screen knows; times in milliseconds. */
export interface Watch {
  now: number
  /** Of the last look; a long gap means that the device slept. */
  lookedAt: number
  checkedAt: number
  /** When the page was last sure to show what is true. */
  soundAt: number
  /** The photo on the stage is not to be seen. */
  isBroken: boolean
  /** Of the last reload by this watch, null when there was none. */
  reloadedAt: number | null
}

const minute = 60_000
export const vigilTimes = {
  lookMs: 15_000,
  /** Hidden tabs look once a minute at the least; more is sleep. */
  sleptMs: 3 * minute,
  checkMs: 60 * minute,
  staleMs: 10 * minute,
  reloadApartMs: 10 * minute,
} as const

/** `reload`: the page should be loaded anew, once the server answers. `checked`: the hourly look found all well. */
export function verdictOf(watch: Watch): 'reload' | 'checked' | 'nothing' {
  const { now, lookedAt, checkedAt, soundAt, isBroken, reloadedAt } = watch
  const mayReload = reloadedAt === null || now - reloadedAt >= vigilTimes.reloadApartMs
  if (now - lookedAt >= vigilTimes.sleptMs) return mayReload ? 'reload' : 'nothing'
  if (now - checkedAt < vigilTimes.checkMs) return 'nothing'
  return (isBroken || now - soundAt >= vigilTimes.staleMs) && mayReload ? 'reload' : 'checked'
}
