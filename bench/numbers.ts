/** The middle value and the range of some measurements. */
export interface Spread {
  median: number
  low: number
  high: number
  /** Each measurement, in the order in which they were made. */
  runs: number[]
}

/** The value below which a share of all values lies, between neighbours in proportion. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('nothing was measured')
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

const round = (value: number): number => Number(value.toPrecision(4))

export const spreadOf = (values: readonly number[]): Spread => ({
  median: round(median(values)),
  low: round(Math.min(...values)),
  high: round(Math.max(...values)),
  runs: values.map(round),
})

/** The one divided by the other, pair by pair: what was measured right after one another belongs together. */
export const ratios = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, at) => value / theirs[at]!)
