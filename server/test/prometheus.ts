import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { TestServer } from './harness.ts'
import { type Cleanup, freePort, scratchFolder } from './child-processes.ts'

const folder = join(import.meta.dirname, '../../deploy/prometheus')

/** Prometheus as `deploy/prometheus` sets it up, reading a server each second. */
export interface PrometheusServer {
  /** The alerts that fire now. */
  firing(): Promise<string[]>
  /** The newest value of a query; undefined without one. */
  query(expression: string): Promise<number | undefined>
}

/** Writes the configuration of `deploy/prometheus` for this server: read each second, with alerts that do not wait. */
function writeConfiguration(directory: string, target: string): string {
  const config = parse(readFileSync(join(folder, 'prometheus.yaml'), 'utf8')) as {
    global: Record<string, string>
    scrape_configs: { static_configs: { targets: string[] }[] }[]
  } // our own file
  config.global = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' }
  for (const scrape of config.scrape_configs) scrape.static_configs = [{ targets: [target] }]
  const rules = readFileSync(join(folder, 'alerts.yaml'), 'utf8').replaceAll(/^ +for: .*\n/gm, '')
  writeFileSync(join(directory, 'alerts.yaml'), rules)
  writeFileSync(join(directory, 'metrics-token'), metricsToken)
  const path = join(directory, 'prometheus.yaml')
  writeFileSync(path, stringify(config))
  return path
}

interface ApiAnswer {
  data: { result: { metric: { alertname?: string }; value: [number, string] }[] }
}

/** Starts Prometheus on loopback; it ends with the test. */
export async function startPrometheus(cleanup: Cleanup, target: string): Promise<PrometheusServer> {
  const directory = scratchFolder(cleanup)
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${writeConfiguration(directory, target)}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  cleanup(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  const runQuery = async (query: string): Promise<ApiAnswer['data']['result']> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query }).toString()}`)
    return ((await answer.json()) as ApiAnswer).data.result // the API of Prometheus
  }
  return {
    firing: async () => {
      const alerts = await runQuery('ALERTS{alertstate="firing"}').catch(() => [])
      return [...new Set(alerts.map(({ metric }) => metric.alertname ?? ''))].toSorted()
    },
    query: async (expression) => {
      const [first] = await runQuery(expression).catch(() => [])
      return first && Number(first.value[1])
    },
  }
}

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
