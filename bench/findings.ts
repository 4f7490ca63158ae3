import { spreadOf, type Spread } from './numbers.ts'

/** One thing measured, beside its limit. */
export interface Finding {
  what: string
  unit: string
  ours: Spread
  /** The same by bare code, measured in the same minutes. */
  beside?: { name: string; values: Spread }
  /** Ours divided by the other, pair by pair. */
  ratio?: Spread
  /** In words. */
  limit?: string
  /** Whether the median keeps the limit. */
  holds?: boolean
}

/** What a part of the benches is given. */
export interface Bench {
  /** A folder of its own, empty, removed afterwards. */
  scratch: string
  /** Shorter: fewer rounds, for trying things out. */
  quick: boolean
  say(line: string): void
}

/** One measurement that can be asked for by name. */
export interface Part {
  name: string
  title: string
  /** How it is measured, for the reader of the results. */
  how: string
  run(bench: Bench): Promise<Finding[]>
}

/** A finding without a limit. */
export const found = (what: string, unit: string, values: readonly number[]): Finding => ({
  what,
  unit,
  ours: spreadOf(values),
})

/** Adds a limit on the median. */
export function atMost(finding: Finding, most: number, words = `<= ${most} ${finding.unit}`): Finding {
  return { ...finding, limit: words, holds: finding.ours.median <= most }
}

export function atLeast(finding: Finding, least: number, words = `>= ${least} ${finding.unit}`): Finding {
  return { ...finding, limit: words, holds: finding.ours.median >= least }
}
