import { quantile } from '../statistics.ts'
import { burstsOf } from './arrivals.ts'
import type { Assumptions } from './assumptions.ts'
import type { Demand, Layout } from './demand.ts'
import type { CommittedResult } from './measured-costs.ts'
import { trafficOf } from './photo-work.ts'
import { simulate } from './simulate.ts'

/** Times from the last byte of a photo until a screen is told to show it, at the peak. */
export interface QueueTimes {
  p50Ms: number
  p95Ms: number
  p99Ms: number
  use: number
}

const simulatedPhotos = 4_000
const seed = 20_261_123
const leastShare = 0.02

/**
 * Simulates one node with its share of the photos, at the speed of the measured machine. Real nodes take photos from one
 * queue, so with several nodes the waits are a little shorter than here.
 */
export function waitsOf(
  { demand, layout, factor = 1 }: { demand: Demand; layout: Layout; factor?: number },
  costs: CommittedResult,
  assumptions: Assumptions,
): QueueTimes {
  const { nodes, programsPerNode, machine, usesStore, databaseCores } = layout
  const traffic = trafficOf(costs, assumptions)
  const photosPerSecond = (demand.photosPerSecond * factor) / nodes
  const guestThread = (demand.guestCores * factor) / nodes
  const guestDatabase = databaseCores > 0 ? 0 : (photosPerSecond * traffic.database) / 1000
  const { storeMs, storeSteps } = assumptions.operation
  const { latenciesMs, use } = simulate(
    {
      cores: Math.max(0.1, machine.cores - guestThread - guestDatabase),
      imageProcesses: machine.cores,
      speed: 1,
      // Costs were measured while all cores were busy.
      busySpeed: 1,
      programs: programsPerNode,
      threadShare: Math.max(leastShare, 1 - guestThread / programsPerNode),
      waitMs: usesStore ? storeMs * storeSteps : 0,
    },
    { open: burstsOf({ photosPerSecond, count: simulatedPhotos, seed }, costs, assumptions) },
  )
  const at = (share: number): number => quantile(latenciesMs, share)
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), use }
}
