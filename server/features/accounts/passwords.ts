import { availableParallelism } from 'node:os'
import { hash, verify, type Options } from '@node-rs/argon2'
import { Fault } from '../../faults.ts'
import { networksOf } from '../../http/client-address.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'

export interface Passwords {
  hash(password: string, whose: HashingParty): Promise<string>
  /** False for an unknown account (`storedHash` undefined), after the same time as for a known one. */
  matches(storedHash: string | undefined, password: string, whose: HashingParty): Promise<boolean>
}

/**
 * Who waits for a password: the client of a stranger, or an account whose session or device cookie came with the call.
 * Accounts and strangers take turns; among strangers /48 networks and IPv4 addresses, in a /48 its /56, in a /56 its /64.
 */
export type HashingParty = { client: string } | { account: string }

const pathOf = (whose: HashingParty): string[] =>
  'account' in whose ? ['accounts', whose.account] : ['strangers', ...networksOf(whose.client).toReversed()]

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

/** Hashes passwords with bounded concurrency, fairly; when too many are waiting, the party with the most gets a 503. */
export async function createPasswords(hashing: Partial<PasswordHashing> = {}): Promise<Passwords> {
  const { cost, concurrency, maxWaiting } = { ...defaultHashing, ...hashing }
  const refusal = (): Fault => new Fault('unavailable', 'Too many sign-ins right now. Please try again.', 2)
  const queue = createFairQueue({ concurrency, maxWaiting, refusal })
  const hashOfUnknownAccount = await hash('a password that no account has', cost)
  return {
    hash: (password, whose) => queue(pathOf(whose), () => hash(password, cost)),
    async matches(storedHash, password, whose) {
      const isPasswordRight = await queue(pathOf(whose), () =>
        verify(storedHash ?? hashOfUnknownAccount, password, cost),
      )
      return storedHash !== undefined && isPasswordRight
    },
  }
}
