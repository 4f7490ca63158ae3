import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { type MetricDescription, type MetricSource, catalogue, type Metrics, type MetricName } from './metrics.ts'
import type { CollectedMetrics } from './open-metrics.ts'

type Metric = Counter | Gauge | Histogram

const sourceTimeoutMs = 3_000

const renderEveryMs = 1_000

/** Counters with so few series start with 0, so that the first increase can be seen. */
const initializedSeriesMax = 40

/** All combinations of a metric's label values; undefined when some are not known in advance, or there are too many. */
function knownSeries({ labels }: MetricDescription): Record<string, string>[] | undefined {
  let series: Record<string, string>[] = [{}]
  for (const [label, values] of Object.entries(labels)) {
    if (!values) return undefined
    series = series.flatMap((one) => values.map((value) => ({ ...one, [label]: value })))
  }
  return series.length <= initializedSeriesMax ? series : undefined
}

function createMetric(name: string, description: MetricDescription, registry: Registry): Metric {
  const { kind, help, labels, buckets = [] } = description
  const options = { name, help, labelNames: Object.keys(labels), registers: [registry] }
  if (kind === 'gauge') {
    const gauge = new Gauge(options)
    // Absent until it is read: 0 would be a claim.
    if (options.labelNames.length === 0) gauge.remove()
    return gauge
  }
  if (kind === 'histogram') return new Histogram({ ...options, buckets: [...buckets] })
  const counter = new Counter(options)
  for (const series of knownSeries(description) ?? []) counter.inc(series, 0)
  return counter
}

async function readInTime({ read }: MetricSource) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('reading took too long')), sourceTimeoutMs)
  try {
    return await Promise.race([read(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Collects metrics with prom-client, besides those of the Node process: memory, event loop, garbage collection, files.
 * `nowMs` is another clock, for tests.
 */
export function createPrometheusMetrics({ nowMs = () => performance.now() } = {}): CollectedMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metrics = new Map(
    Object.entries(catalogue).map(([name, description]) => [name, createMetric(name, description, registry)]),
  )
  // The catalogue has the name, and its kind is that of the type.
  const counterOf = (name: string): Counter => metrics.get(name) as Counter
  const sources: MetricSource[] = []
  const count: Metrics['count'] = (name, labels: Record<string, string>, by = 1) => counterOf(name).inc(labels, by)

  /** Removes all values of a metric. `reset` alone would leave 0 for one without labels. */
  const clear = (name: MetricName): void => {
    const metric = counterOf(name)
    metric.reset()
    if (Object.keys(catalogue[name].labels).length === 0) metric.remove()
  }
  const readSource = async (source: MetricSource): Promise<void> => {
    const samples = await readInTime(source).catch(() => undefined)
    for (const name of source.names) clear(name)
    if (!samples) return count('keepsnap_scrape_failures_total', { part: source.part })
    for (const { name, labels, value } of samples) {
      const metric = metrics.get(name)
      if (metric instanceof Gauge) metric.set(labels, value)
      // A counter was reset by `clear`.
      else counterOf(name).inc(labels, value)
    }
  }
  const renderNow = async (): Promise<string> => {
    await Promise.all(sources.map(readSource))
    return registry.metrics()
  }
  let rendering: { startedAtMs: number; text: Promise<string> } | undefined
  return {
    contentType: registry.contentType,
    count,
    // As for counters.
    observe: (name, labels: Record<string, string>, seconds) =>
      (metrics.get(name) as Histogram).observe(labels, seconds),
    addSource: (source) => void sources.push(source),
    render() {
      if (!rendering || nowMs() - rendering.startedAtMs > renderEveryMs)
        rendering = { startedAtMs: nowMs(), text: renderNow() }
      return rendering.text
    },
  }
}
