import type { CounterName, GaugeName, HistogramName, LabelsOf } from './catalogue.ts'

/** One value, read when the metrics are asked for. */
export type MetricSample = { [N in CounterName | GaugeName]: { name: N; labels: LabelsOf<N>; value: number } }[
  | CounterName
  | GaugeName]

/** A part of the program whose values are read when the metrics are asked for. */
export interface MetricSource {
  /** Names the part in the count of failures. */
  part: string
  /** Rejects when it cannot be read; its metrics are then absent. */
  read(): MetricSample[] | Promise<MetricSample[]>
  /** What it reads; removed when reading fails. */
  names: readonly (CounterName | GaugeName)[]
}

/**
 * What the program counts and measures for its operators. Without METRICS_TOKEN nothing is collected. Only `prometheus.ts`
 * knows the package behind it; `catalogue.ts` lists every metric.
 */
export interface Metrics {
  count<N extends CounterName>(name: N, labels: LabelsOf<N>, by?: number): void
  /** Adds a duration to a histogram. */
  observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, seconds: number): void
  addSource(source: MetricSource): void
}

/** Collects nothing. */
export const noMetrics: Metrics = { count() {}, observe() {}, addSource() {} }

/** Seconds since a time of `performance.now()`. */
export const secondsSince = (startedAtMs: number): number => (performance.now() - startedAtMs) / 1000
