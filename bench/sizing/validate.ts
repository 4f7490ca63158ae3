import { median } from '../statistics.ts'
import { resultOf, workCost, type CommittedResult } from './measured-costs.ts'
import { simulate, type PhotoWork, type SimulatedMachine } from './simulate.ts'

/** A measured number beside the simulated one. */
export interface Comparison {
  name: string
  unit: string
  measured: number
  simulated: number
  /** Simulated divided by measured, minus 1. */
  error: number
}

/** The most by which simulated numbers may differ from measured ones. */
export const errorMax = 0.4
const measuredCores = 2
const inFlightCounts = [1, 4, 8]

/** What a photo needs when its client is on the same machine; sending costs as much as there are bytes. */
function workOf(costs: CommittedResult, kind: string): PhotoWork {
  const sizes = costs.valueOf(`${kind}, uploaded`) / costs.valueOf('12 MP, kept, uploaded')
  return { ...workCost(costs, kind), client: costs.valueOf('12 MP, kept, CPU of the client') * sizes }
}

/** The two numbers that are fitted. */
export interface FittedSpeed {
  /** Of one core, compared with the machine of `bench -- costs`. */
  speed: number
  /** Of each core while others are busy, as a share of that. */
  busySpeed: number
}

const machine = (fitted: FittedSpeed): SimulatedMachine => ({
  ...fitted,
  cores: measuredCores,
  imageProcesses: measuredCores,
  programs: 1,
  threadShare: 1,
  waitMs: 0,
})

function comparison(name: string, unit: string, values: { measured: number; simulated: number }): Comparison {
  return { name, unit, ...values, error: values.simulated / values.measured - 1 }
}

const ways = ['kept', 're-encoded']
const kindsOf = (costs: CommittedResult): string[] =>
  ['12 MP', '24 MP']
    .flatMap((size) => ways.map((way) => `${size}, ${way}`))
    .filter((kind) => costs.find(`${kind}, CPU of images`) !== undefined)

function singleMs(costs: CommittedResult, kind: string, fitted: FittedSpeed): number {
  const works = [{ ...workOf(costs, kind), client: 0 }]
  return median(simulate(machine(fitted), { closed: { works, inFlight: 1 } }).latenciesMs)
}

interface Load {
  kind: string
  inFlight: number
}

function photosPerSecond(costs: CommittedResult, { kind, inFlight }: Load, fitted: FittedSpeed): number {
  const works = Array.from({ length: kind.startsWith('12') ? 24 : 16 }, () => workOf(costs, kind))
  const { endMs } = simulate(machine(fitted), { closed: { works, inFlight } })
  return (works.length * 1000) / endMs
}

const measuredRate = (pipeline: CommittedResult, { kind, inFlight }: Load): number => {
  const [size, way] = kind.split(', ')
  return pipeline.valueOf(`${size}, ${inFlight} in flight, ${way}`)
}

/** Fits the speed to single photos, and the slowdown of busy cores to several photos of 12 megapixels at once. */
function fit(costs: CommittedResult, runs: { latency: CommittedResult; pipeline: CommittedResult }): FittedSpeed {
  const alone = { speed: 1, busySpeed: 1 }
  const ofSingle = (kind: string): number => singleMs(costs, kind, alone) / runs.latency.valueOf(`${kind}, p50`)
  const fitted = { speed: median(kindsOf(costs).map(ofSingle)), busySpeed: 1 }
  const loads = ways.flatMap((way) => [4, 8].map((inFlight) => ({ kind: `12 MP, ${way}`, inFlight })))
  const ofLoad = (load: Load): number => measuredRate(runs.pipeline, load) / photosPerSecond(costs, load, fitted)
  return { ...fitted, busySpeed: median(loads.map(ofLoad)) }
}

/** Compares the simulation with loads that were measured. */
export function compareWithRuns(costs: CommittedResult): { fitted: FittedSpeed; files: string[]; rows: Comparison[] } {
  const runs = { latency: resultOf('latency'), pipeline: resultOf('pipeline') }
  const fitted = fit(costs, runs)
  const single = kindsOf(costs).map((kind) =>
    comparison(`${kind}, alone, from last byte`, 'ms', {
      measured: runs.latency.valueOf(`${kind}, p50`),
      simulated: singleMs(costs, kind, fitted),
    }),
  )
  const loads = kindsOf(costs).flatMap((kind) => inFlightCounts.map((inFlight) => ({ kind, inFlight })))
  const several = loads.map((load) =>
    comparison(`${load.kind}, ${load.inFlight} in flight`, 'photos/s', {
      measured: measuredRate(runs.pipeline, load),
      simulated: photosPerSecond(costs, load, fitted),
    }),
  )
  return { fitted, files: [runs.latency.file, runs.pipeline.file], rows: [...single, ...several] }
}
