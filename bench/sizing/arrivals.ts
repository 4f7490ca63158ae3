import type { Assumptions, PhotoKind } from './assumptions.ts'
import type { CommittedResult } from './measured-costs.ts'
import { photoBytes, photoCost, photoKinds } from './photo-work.ts'
import type { Arrival } from './simulate.ts'

/** Random numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function kindAt(share: number, assumptions: Assumptions): PhotoKind {
  let passed = 0
  const kinds = photoKinds(assumptions)
  return kinds.find((kind) => (passed += assumptions.event.mix[kind]) > share) ?? '12 MP, kept'
}

/** Photos of many events: bursts at random times, each with a random number of photos that follow as the uplink allows. */
export function burstsOf(
  { photosPerSecond, count, seed }: { photosPerSecond: number; count: number; seed: number },
  costs: CommittedResult,
  assumptions: Assumptions,
): Arrival[] {
  const random = seeded(seed)
  const { burst } = assumptions.event
  const arrivals: Arrival[] = []
  const exponential = (mean: number): number => -mean * Math.log(1 - random())
  for (let atMs = 0; arrivals.length < count;) {
    atMs += exponential((burst * 1000) / photosPerSecond)
    let sentMs = atMs
    do {
      const kind = kindAt(random(), assumptions)
      const { uploaded } = photoBytes(costs, kind, assumptions)
      arrivals.push({ atMs: sentMs, work: { client: 0, ...photoCost(costs, kind, assumptions) } })
      sentMs += (uploaded * 8) / (assumptions.operation.uplinkMbit * 1000)
    } while (random() > 1 / burst)
  }
  return arrivals.toSorted((a, b) => a.atMs - b.atMs).slice(0, count)
}
