import type { TestServer } from '../../test/harness.ts'

/** A token for tests: 32 characters, as many as it must have. */
export const metricsToken = '0123456789abcdef0123456789abcdef'

/** What Prometheus would read. */
export interface MetricsReading {
  text: string
  /** The value of one series, by its name and labels as they are written; undefined when it is absent. */
  value(series: string): number | undefined
  /** The names of all metrics, those without a value included. */
  names: Set<string>
}

/** Understands the text format as far as we write it. */
export function parseMetrics(text: string): MetricsReading {
  const lines = text.split('\n')
  const values = new Map<string, number>()
  for (const line of lines) {
    const match = /^([^#{ ]+(?:\{.*\})?) (\S+)$/.exec(line)
    if (match) values.set(match[1] ?? '', Number(match[2]))
  }
  const names = lines.flatMap((line) => /^# TYPE (\S+) /.exec(line)?.[1] ?? [])
  return { text, value: (series) => values.get(series), names: new Set(names) }
}

/** Asks a server for its metrics. */
export async function readMetrics({ request }: TestServer): Promise<MetricsReading> {
  const headers = { host: 'node-1.internal:3000', authorization: `Bearer ${metricsToken}` }
  const answer = await request({ method: 'GET', url: '/metrics', headers })
  if (answer.statusCode !== 200) throw new Error(`/metrics answered ${answer.statusCode}: ${answer.body}`)
  return parseMetrics(answer.body)
}
