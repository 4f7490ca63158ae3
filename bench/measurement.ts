import { pairwiseRatios, summarize, type Summary } from './statistics.ts'

/** One measured quantity, with the reference and the limit that belong to it. */
export interface Measurement {
  name: string
  unit: string
  values: Summary
  /** The same quantity of a baseline, or under other conditions, measured within the same minutes. */
  reference?: { name: string; values: Summary }
  /** Our values divided by those of the reference. */
  ratio?: Summary
  /** As it is printed in the table. */
  limit?: string
  withinLimit?: boolean
}

export type ComparedMeasurement = Measurement & Required<Pick<Measurement, 'reference' | 'ratio'>>

export interface BenchOptions {
  /** An empty folder, deleted afterwards. */
  scratchDir: string
  /** Fewer rounds, to check that the benchmark works. */
  quick: boolean
  log(line: string): void
}

/** A part of the benchmarks that can be run alone, by its name. */
export interface BenchmarkPart {
  name: string
  title: string
  /** Printed above the table. */
  method: string
  run(options: BenchOptions): Promise<Measurement[]>
}

export const measured = (name: string, unit: string, values: readonly number[]): Measurement => ({
  name,
  unit,
  values: summarize(values),
})

/** Adds a reference. `values` and those of the measurement were taken in pairs, one right after the other. */
export function comparedWith(
  measurement: Measurement,
  { name, values }: { name: string; values: readonly number[] },
): ComparedMeasurement {
  return {
    ...measurement,
    reference: { name, values: summarize(values) },
    ratio: summarize(pairwiseRatios(measurement.values.runs, values)),
  }
}

/** Adds an upper limit of the median. */
export function atMost(measurement: Measurement, max: number, limit = `<= ${max} ${measurement.unit}`): Measurement {
  return { ...measurement, limit, withinLimit: measurement.values.median <= max }
}

/** Adds a lower limit of the median. */
export function atLeast(measurement: Measurement, min: number, limit = `>= ${min} ${measurement.unit}`): Measurement {
  return { ...measurement, limit, withinLimit: measurement.values.median >= min }
}

/** Adds an upper limit of the median ratio. */
export const ratioAtMost = (measurement: ComparedMeasurement, max: number): ComparedMeasurement => ({
  ...measurement,
  limit: `<= ${max} x ${measurement.reference.name}`,
  withinLimit: measurement.ratio.median <= max,
})

/** Adds a lower limit of the median ratio. */
export const ratioAtLeast = (measurement: ComparedMeasurement, min: number): ComparedMeasurement => ({
  ...measurement,
  limit: `>= ${min} x ${measurement.reference.name}`,
  withinLimit: measurement.ratio.median >= min,
})
