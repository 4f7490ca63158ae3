import { repetitions, logWithSeed, seed, seededRandom } from '../../test/statistics.ts'
import { createMutator, type Mutator } from './mutations.ts'
import { xorshift32 } from './sample-images.ts'

/** Seeds of earlier runs that are repeated every time. */
const regressionSeeds = [20_260_501]

/**
 * Calls `round` with mutations from a new seed, which is printed, and from each regression seed: `quickRounds` times
 * per seed, unless KEEPSNAP_FUZZ sets another number. Resolves with the total number of rounds.
 */
export async function runFuzz(
  name: string,
  quickRounds: number,
  round: (mutator: Mutator) => void,
): Promise<{ rounds: number }> {
  const rounds = Number(process.env['KEEPSNAP_FUZZ']) || repetitions(quickRounds, 2_000_000)
  const sources = [{ from: `seed ${seed}`, random: seededRandom(name).next }]
  for (const regressionSeed of regressionSeeds)
    sources.push({ from: `regression seed ${regressionSeed}`, random: xorshift32(regressionSeed) })
  for (const { from, random } of sources) {
    const mutator = createMutator(random)
    for (let i = 0; i < rounds; i++) {
      try {
        round(mutator)
      } catch (error) {
        throw new Error(`${name}: round ${i} from ${from} failed`, { cause: error })
      }
    }
  }
  logWithSeed(`${name}: ${rounds} rounds for each of ${sources.length} seeds`)
  return { rounds: rounds * sources.length }
}
