import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { rateLimitExceeded } from '@keepsnap/contract/errors.ts'
import { type Rate, type RateName, rates, type RateWindow, retention, windowOf } from '@keepsnap/contract/limits.ts'
import { type Db, poolOf } from '../db/connect.ts'
import { prepareQuery, type Query } from '../db/prepared-query.ts'
import { Fault } from '../../faults.ts'
import { networkShares, networksOf } from './client-address.ts'
import type { HttpReply } from './http-types.ts'

/** What is left of a rate limit after a call. */
interface RateCount {
  rate: RateName
  /** Calls that are allowed now. */
  remaining: number
  /** Seconds until one more call is allowed than now; at least 1. */
  seconds: number
}

/** What the database answers to one call. */
interface CountedCall extends Omit<RateCount, 'rate'> {
  is_allowed: boolean
  /** Whether it was refused without asking the database. */
  isKnown?: boolean
}

/** What this node knows about the counters of a database. */
interface NodeCounters {
  refusedClients: ReturnType<typeof createRefusedClients>
  /** The last count under way of each key. */
  pendingCounts: Map<string, Promise<CountedCall>>
  /** Counts a call with the counters of some keys, each against its limit, until one refuses it: the place of that one. */
  countCall: Query<CountedCall & { refused: number | null }>
  /** When a failure to count was last logged. */
  failureLoggedAtMs: number
}
const logFailuresEveryMs = 60_000
const countersByDb = new WeakMap<Db, NodeCounters>()

function countersOf(db: Db): NodeCounters {
  const known = countersByDb.get(db)
  if (known) return known
  const counting = sql<CountedCall & { refused: number | null }>`
    select is_allowed, remaining, seconds, refused from count_rates(${[]}, ${[]}, ${0})`.compile(db)
  const counters: NodeCounters = {
    refusedClients: createRefusedClients(),
    pendingCounts: new Map(),
    countCall: prepareQuery(poolOf(db), 'count rates', counting),
    failureLoggedAtMs: -Infinity,
  }
  countersByDb.set(db, counters)
  return counters
}

/** A call over a rate limit. */
export class RateLimitExceeded extends Fault {
  readonly count: RateCount

  constructor(count: RateCount) {
    const { isDocumented }: Rate = rates[count.rate]
    const wait = `${count.seconds} ${count.seconds === 1 ? 'second' : 'seconds'}`
    const toPeople = `Too many requests. Please wait ${wait} and try again.`
    super('rate_limited', isDocumented ? rateLimitExceeded : toPeople, count.seconds)
    this.count = count
  }
}

/** A call could not be counted; `cause` says why. It is refused, unless it is a read whose limit fails open. */
export class CountingFailed extends Error {
  override readonly name = 'CountingFailed'
  /** Only the first failure within a minute is logged. */
  readonly shouldLog: boolean

  constructor(counters: NodeCounters, cause: unknown, now = performance.now()) {
    super('a call could not be counted', { cause })
    this.shouldLog = now - counters.failureLoggedAtMs >= logFailuresEveryMs
    if (this.shouldLog) counters.failureLoggedAtMs = now
  }
}

/** Logs that calls cannot be counted, at most once a minute. */
export function logCountingFailed(log: Pick<Logger, 'error'>, error: CountingFailed): void {
  if (error.shouldLog) log.error({ err: error }, 'calls cannot be counted; most that have a rate limit are refused')
}

/** Counts a call under each key, against the limit in the same place, unless this node knows that one refuses it. */
async function countOnce(
  { countCall, refusedClients }: NodeCounters,
  keys: string[],
  { limits, seconds }: { limits: number[] } & Pick<RateWindow, 'seconds'>,
): Promise<CountedCall> {
  const knownWaitSeconds = Math.max(...keys.map((key) => refusedClients.waitSecondsOf(key)))
  if (knownWaitSeconds > 0) return { is_allowed: false, isKnown: true, remaining: 0, seconds: knownWaitSeconds }
  const [counted] = await countCall([keys, limits, seconds])
  if (!counted) throw new Error('count_rates has returned nothing')
  const allowing = counted.refused === null ? keys : keys.slice(0, counted.refused - 1)
  for (const key of allowing) refusedClients.record(key, 0)
  const refusing = counted.refused === null ? undefined : keys[counted.refused - 1]
  if (refusing !== undefined) refusedClients.record(refusing, counted.seconds)
  return counted
}

/**
 * Counts one call against a rate limit: exact over all nodes and restarts, a sliding window. Returns what is
 * left. Throws `RateLimitExceeded`, and `CountingFailed` when the database cannot count. The calls of one client, where the limit
 * counts networks of its widest one, are counted one after the other, so that they never occupy more than one database connection.
 */
export async function countRateHit(db: Db, rate: RateName, client: string): Promise<RateCount> {
  const counters = countersOf(db)
  const { pendingCounts } = counters
  const { countsNetworks }: Rate = rates[rate]
  const { calls, seconds: windowSeconds } = windowOf(rates[rate])
  const networks = countsNetworks ? networksOf(client) : [client]
  // The narrowest first: what it refuses uses up nothing of its neighbours.
  const keys = networks.map((network) => `${rate}:${network}`)
  const limits = networks.map((_, n) => calls * (networkShares[n] ?? 1))
  const count = (): Promise<CountedCall> => countOnce(counters, keys, { limits, seconds: windowSeconds })
  const key = keys.at(-1) ?? ''
  // When a count fails, those that wait for it fail too: the database is down, and each would wait for it once more.
  const counting = pendingCounts.get(key)?.then(count) ?? count()
  pendingCounts.set(key, counting)
  try {
    const {
      is_allowed: isAllowed,
      isKnown = false,
      remaining,
      seconds,
    } = await counting.catch((cause: unknown) => {
      throw new CountingFailed(counters, cause)
    })
    if (isKnown) await counters.refusedClients.delayAnswer()
    if (!isAllowed) throw new RateLimitExceeded({ rate, remaining, seconds })
    return { rate, remaining, seconds }
  } finally {
    if (pendingCounts.get(key) === counting) pendingCounts.delete(key)
  }
}

/**
 * Adds a limit to the fields `RateLimit-Policy` and `RateLimit` of a response, which are lists: draft-ietf-httpapi-ratelimit-headers-11.
 */
export function addRateLimitHeaders(reply: HttpReply, { rate, remaining, seconds }: RateCount): void {
  const add = (name: string, value: string): void => {
    const others = reply.getHeader(name)
    reply.header(name, typeof others === 'string' ? `${others}, ${value}` : value)
  }
  const { calls, seconds: windowSeconds } = windowOf(rates[rate])
  add('ratelimit-policy', `"${rate}";q=${calls};w=${windowSeconds}`)
  add('ratelimit', `"${rate}";r=${remaining};t=${seconds}`)
}

/** Deletes the counters of clients without recent requests; of notices those of yesterday, whose pseudonyms nobody has today. */
export async function deleteOldRateHits(db: Db): Promise<void> {
  await sql`delete from rate_hits where hits[cardinality(hits)] < case split_part(key, ':', 1)
    when 'notices' then date_trunc('day', now(), 'utc')
    when 'uploads' then now() - make_interval(mins => ${retention.uploadHitMinutes}::integer)
    when 'guestAdds' then now() - make_interval(mins => ${retention.guestHitMinutes}::integer)
    else now() - make_interval(mins => ${retention.rateHitMinutes}::integer) end`.execute(db)
}

interface Refusals {
  count: number
  /** When the counter in the database allows a request again. */
  freeAtMs: number
  /** When the counter in the database is queried again. */
  recheckAtMs: number
}

const refusedClientLimits = { clients: 10_000, refusals: 50, recheckMs: 1_000, delayMs: 1_000, delayed: 10_000 }

/**
 * Clients that keep sending requests although a rate limit refuses them.
 * After 50 refusals in a row, a client is refused without querying the database, which is queried again every second:
 * refusing must not cost more than what the limit protects.
 */
export function createRefusedClients(now: () => number = Date.now) {
  const refusalsByKey = new LRUCache<string, Refusals>({ max: refusedClientLimits.clients })
  let delayed = 0
  return {
    /** The seconds that a client still has to wait; 0 when the counter in the database must decide. */
    waitSecondsOf(key: string): number {
      const refusals = refusalsByKey.get(key)
      if (!refusals || refusals.count < refusedClientLimits.refusals || refusals.recheckAtMs <= now()) return 0
      return Math.max(1, Math.ceil((refusals.freeAtMs - now()) / 1000))
    },
    /** Records the decision of the counter in the database: 0 seconds when the request is allowed. */
    record(key: string, waitSeconds: number): void {
      if (waitSeconds === 0) return void refusalsByKey.delete(key)
      refusalsByKey.set(key, {
        count: (refusalsByKey.get(key)?.count ?? 0) + 1,
        freeAtMs: now() + waitSeconds * 1000,
        recheckAtMs: now() + Math.min(waitSeconds * 1000, refusedClientLimits.recheckMs),
      })
    },
    /** Waits before such a client is answered, so that it cannot send its next request at once. */
    async delayAnswer(): Promise<void> {
      if (delayed >= refusedClientLimits.delayed) return
      delayed += 1
      await wait(refusedClientLimits.delayMs)
      delayed -= 1
    },
  }
}
