import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseMetrics } from '../../test/prometheus.ts'
import { createPrometheusMetrics } from './prometheus.ts'

const root = join(import.meta.dirname, '../../..')

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<string, string>
}

// Our own files.
const rules = (parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)

const { tests } = parse(read('deploy/prometheus/alerts.test.yaml')) as { tests: { name: string }[] }

const dashboard = JSON.parse(read('deploy/grafana/keepsnap.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[]
}

const { names } = parseMetrics(await createPrometheusMetrics().render())

/** The names of metrics in an expression: what begins as ours or as those of the process do. */
const metricsIn = (expression: string): string[] => [
  ...new Set([...expression.matchAll(/\b(?:keepsnap|process|nodejs)_\w+/g)].map(([name]) => name)),
]

const isShown = (name: string): boolean => names.has(name) || names.has(name.replace(/_(bucket|sum|count)$/, ''))

test('every metric in the alert rules is on the page of metrics', () => {
  for (const { alert, expr } of rules)
    expect([alert, ...metricsIn(expr).filter((name) => !isShown(name))]).toEqual([alert])
})

test('every metric in the dashboard is on the page of metrics, and every metric of ours is in the dashboard', () => {
  const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr)))
  expect(shown.filter((name) => !isShown(name))).toEqual([])
  const plain = new Set(shown.map((name) => name.replace(/_(bucket|sum|count)$/, '')))
  const missing = [...names].filter((name) => name.startsWith('keepsnap_') && !plain.has(name))
  expect(missing).toEqual([])
})

test('every alert says what happened, what it means and what to do, and is tested', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'warn']).toContain(labels.severity)
    expect(annotations['summary']).toBeTruthy()
    expect(annotations['description']).toMatch(/\.$/)
    expect(annotations['action']).toMatch(/^- /)
    expect(annotations['runbook']).toBe(`docs/reference.md#${alert.toLowerCase()}`)
    expect(tests.map(({ name }) => name)).toEqual(expect.arrayContaining([`${alert} fires`, `${alert} is quiet`]))
  }
})
