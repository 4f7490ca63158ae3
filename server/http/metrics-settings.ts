/** The settings of metrics. */
export interface MetricsSettings {
  /** What Prometheus sends; undefined: nothing is measured, and there is no page of metrics. */
  metricsToken: string | undefined
  /** A port for the page of metrics alone. Nodes that only run jobs have no other. */
  metricsPort: number | undefined
}

interface Readers {
  readSetting: (name: string) => string | undefined
  readInteger: (name: string, min: number, max: number) => number | undefined
}

const tokenCharsMin = 32

/** Reads `METRICS_TOKEN` and `METRICS_PORT`. */
export function readMetricsSettings({ readSetting, readInteger }: Readers, problems: string[]): MetricsSettings {
  const metricsToken = readSetting('METRICS_TOKEN')
  const metricsPort = readInteger('METRICS_PORT', 0, 65_535)
  if (metricsToken !== undefined && (metricsToken.length < tokenCharsMin || !/^[\w.~+/=-]+$/.test(metricsToken)))
    problems.push(
      `METRICS_TOKEN is too short or has characters that a header cannot hold; give at least ${tokenCharsMin} random letters and digits, for example the output of: openssl rand -hex 32`,
    )
  if (metricsPort !== undefined && metricsToken === undefined)
    problems.push('METRICS_PORT is set but METRICS_TOKEN is not; set both, or neither.')
  return { metricsToken, metricsPort }
}
