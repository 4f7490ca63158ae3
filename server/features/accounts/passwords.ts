import { availableParallelism } from 'node:os'
import { hash, verify, type Options } from '@node-rs/argon2'
import { Fault } from '../../faults.ts'

// argon2id, 19 MiB, two passes, one lane: OWASP's first choice.
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const waitingMost = 200

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long for an unknown account (`stored` undefined) as for a known one, and is then false. */
  matches(stored: string | undefined, password: string): Promise<boolean>
}

/** At most `most` tasks at once; the rest wait in line, a bounded one. */
function inTurns(most: number) {
  let running = 0
  const line: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= most) {
      if (line.length >= waitingMost)
        throw new Fault('unavailable', 'Too many people are signing in at this moment. Please try again.', 2)
      await new Promise<void>((go) => line.push(go))
    } else running += 1
    try {
      return await task()
    } finally {
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** Hashing is work for a whole core: half of them at once, so that everything else goes on. */
export async function createPasswords(): Promise<Passwords> {
  const turn = inTurns(Math.max(1, Math.floor(availableParallelism() / 2)))
  const nobody = await hash('a password that no account has', options)
  return {
    hash: (password) => turn(() => hash(password, options)),
    matches: async (stored, password) => {
      const isRight = await turn(() => verify(stored ?? nobody, password, options))
      return stored !== undefined && isRight
    },
  }
}
