const [second, minute, hour] = [1, 60, 3_600]
/** After the first failed attempt, the second, and so on; then always the last of them. */
const delays = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour]
const jitter = 0.2

/**
 * How many seconds after the n-th failed attempt the next one is made: with up to 20 % less or more, so that deliveries
 * that failed together are not attempted together again. `random` is from 0 to 1.
 */
export function retryDelaySeconds(attempts: number, random: number): number {
  const delay = delays[Math.min(attempts, delays.length) - 1] ?? delays[0] ?? 0
  return Math.round(delay * (1 - jitter + 2 * jitter * random))
}
