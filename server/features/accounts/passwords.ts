import { availableParallelism } from 'node:os'
import { hash, verify, type Options } from '@node-rs/argon2'
import PQueue from 'p-queue'
import { Fault } from '../../faults.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** False for an unknown account (`storedHash` undefined), after the same time as for a known one. */
  matches(storedHash: string | undefined, password: string): Promise<boolean>
}

/** How passwords are hashed; tests hash with less effort. */
export interface PasswordHashing {
  cost: Options
  concurrency: number
  maxWaiting: number
}

const defaultHashing: PasswordHashing = {
  // argon2id with 19 MiB, two iterations and one thread, as OWASP recommends.
  cost: { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  // A hash occupies a core: half of the cores stay free for other requests.
  concurrency: Math.max(1, Math.floor(availableParallelism() / 2)),
  maxWaiting: 200,
}

/** Hashes passwords with bounded concurrency; when too many are waiting, refuses with 503. */
export async function createPasswords(hashing: Partial<PasswordHashing> = {}): Promise<Passwords> {
  const { cost, concurrency, maxWaiting } = { ...defaultHashing, ...hashing }
  const hashQueue = new PQueue({ concurrency })
  const enqueueHashing = async <T>(task: () => Promise<T>): Promise<T> => {
    if (hashQueue.size >= maxWaiting)
      throw new Fault('unavailable', 'Too many sign-ins right now. Please try again.', 2)
    return hashQueue.add(task)
  }
  const hashOfUnknownAccount = await hash('a password that no account has', cost)
  return {
    hash: (password) => enqueueHashing(() => hash(password, cost)),
    async matches(storedHash, password) {
      const isPasswordRight = await enqueueHashing(() => verify(storedHash ?? hashOfUnknownAccount, password, cost))
      return storedHash !== undefined && isPasswordRight
    },
  }
}
