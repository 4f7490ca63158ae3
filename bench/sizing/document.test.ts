import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultAssumptions } from './assumptions.ts'
import { demandOf, layoutOf, steps, usesOf } from './demand.ts'
import { withComputedParts } from './document.ts'
import { resultOf } from './measured-costs.ts'
import { simulate } from './simulate.ts'
import { compareWithRuns, errorMax } from './validate.ts'

const path = join(import.meta.dirname, '../../docs/sizing.md')
const costs = resultOf('costs')
const inputs = { costs, assumptions: defaultAssumptions }

test('the tables of docs/sizing.md are what the committed measurements give; otherwise: node bench/sizing/main.ts --write', () => {
  const document = readFileSync(path, 'utf8')
  expect(withComputedParts(document, inputs)).toBe(document)
})

test('the simulation differs from measured runs by no more than docs/sizing.md says', () => {
  const { rows } = compareWithRuns(costs)
  expect(rows.filter(({ error }) => Math.abs(error) > errorMax)).toEqual([])
})

test('every layout has room at the peak', () => {
  for (const events of steps) {
    const demand = demandOf(events, costs, defaultAssumptions)
    const [most] = usesOf(demand, layoutOf(demand, defaultAssumptions), defaultAssumptions).filter(({ name }) =>
      name.includes('cores'),
    )
    expect(most?.use).toBeLessThanOrEqual(defaultAssumptions.operation.mostUse)
  }
})

test('a queue of one server waits as queueing theory says', () => {
  // Photos that only use one image process, evenly every 100 ms, 50 ms each: none waits. Two at once: the second waits 50 ms.
  const work = { client: 0, program: 0, images: 50, database: 0 }
  const machine = { cores: 1, imageProcesses: 1, speed: 1, busySpeed: 1, programs: 1, threadShare: 1, waitMs: 0 }
  const evenly = simulate(machine, { open: [0, 100, 200].map((atMs) => ({ atMs, work })) })
  expect(evenly.latenciesMs.map(Math.round)).toEqual([50, 50, 50])
  const together = simulate(machine, { open: [0, 0].map((atMs) => ({ atMs, work })) })
  expect(together.latenciesMs.map(Math.round)).toEqual([50, 100])
  // Two processes share one core: both end after 100 ms.
  const shared = simulate({ ...machine, imageProcesses: 2 }, { open: [0, 0].map((atMs) => ({ atMs, work })) })
  expect(shared.latenciesMs.map(Math.round)).toEqual([100, 100])
})
