export interface Summary {
  median: number
  min: number
  max: number
  /** All values, in the order in which they were measured. */
  runs: number[]
}

/** A quantile (share from 0 to 1), interpolated linearly between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  if (below === undefined || above === undefined) throw new Error('there are no values')
  return below + (above - below) * (position - Math.floor(position))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

const round = (value: number): number => Number(value.toPrecision(4))

export const summarize = (values: readonly number[]): Summary => ({
  median: round(median(values)),
  min: round(Math.min(...values)),
  max: round(Math.max(...values)),
  runs: values.map(round),
})

/** Each value divided by the reference value that was measured right before or after it. */
export const pairwiseRatios = (values: readonly number[], reference: readonly number[]): number[] =>
  values.map((value, index) => {
    const divisor = reference[index]
    if (divisor === undefined) throw new Error('a reference value is missing')
    return value / divisor
  })
