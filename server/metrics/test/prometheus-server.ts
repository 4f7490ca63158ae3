import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { scratchFolder, type Cleanup } from '../../test/child-processes.ts'
import { metricsToken } from './read-metrics.ts'
import { freePort } from '../../test/free-ports.ts'

const folder = join(import.meta.dirname, '../../../deploy/prometheus')

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
