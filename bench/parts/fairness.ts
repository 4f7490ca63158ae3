import { setTimeout as wait } from 'node:timers/promises'
import { atMost, measured, type BenchOptions, type BenchmarkPart, type Measurement } from '../measurement.ts'
import { sampleOf, slowestAnimation } from '../sample-photos.ts'
import { median, quantile } from '../statistics.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const attackerCount = 20
/** A burst of one owner: as many uploads as one user may make in a minute. */
const burstPhotos = 60
/** A burst takes only seconds. */
const burstOwners = 5
/** An attacker who was refused asks again after this time, whatever Retry-After says. */
const attackPauseMs = 1_000
/** At most 60 uploads a minute, with time to spare. */
const photoPauseMs = 1_000

/** From the last byte of a photo until it is complete, in milliseconds. */
async function measurePhoto(user: TestUser, photo: Buffer): Promise<number> {
  const { photo: uploaded, lastByteAt } = await user.uploadTimed(photo)
  return (await user.live.waitForCompletion(uploaded.id)).completeAt - lastByteAt
}

async function measureUntil(isOver: () => boolean, user: TestUser, photo: Buffer): Promise<number[]> {
  const values: number[] = []
  while (!isOver()) {
    values.push(await measurePhoto(user, photo))
    await wait(photoPauseMs)
  }
  return values
}

interface AttackCounts {
  accepted: number
  refused: number
  finished: number
  /** From the answer 201 until the animation was ready or failed, in milliseconds. */
  finishedAfterMs: number[]
}

interface Attack {
  counts: AttackCounts
  isOver(): boolean
}

/** One account that uploads the same animation again and again until the attack is over. */
async function attack(user: TestUser, animation: Buffer, { counts, isOver }: Attack): Promise<void> {
  const unfinished: Promise<unknown>[] = []
  while (!isOver()) {
    try {
      const { photo, respondedAt } = await user.uploadTimed(animation)
      counts.accepted++
      const noteEnd = (): void => {
        counts.finished++
        counts.finishedAfterMs.push(performance.now() - respondedAt)
      }
      unfinished.push(user.live.waitForCompletion(photo.id).then(noteEnd, noteEnd))
    } catch {
      counts.refused++
    }
    await wait(attackPauseMs)
  }
  await Promise.all(unfinished)
}

/** A photo of one user every second, while another one uploads a burst. */
async function measureBurst(busy: TestUser, user: TestUser, photo: Buffer): Promise<number[]> {
  let isOver = false
  const uploads = Array.from({ length: 3 }, async () => {
    const ids: string[] = []
    for (let i = 0; i < burstPhotos / 3; i++) ids.push((await busy.uploadTimed(photo)).photo.id)
    await Promise.all(ids.map((id) => busy.live.waitForCompletion(id)))
  })
  const burst = Promise.all(uploads).finally(() => (isOver = true))
  const values = await measureUntil(() => isOver, user, photo)
  await burst
  return values
}

/** A p95 that may be twice the quiet one, plus 500 ms. */
function limited(name: string, values: number[], quiet: number[]): Measurement[] {
  const mostMs = 2 * quantile(quiet, 0.95) + 500
  const p95 = measured(`${name}, p95`, 'ms', [quantile(values, 0.95)])
  return [
    measured(`${name}, p50`, 'ms', [median(values)]),
    atMost(p95, mostMs, `<= 2 x quiet + 500 ms = ${mostMs.toFixed(0)} ms`),
  ]
}

async function runFairness({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const server = await startTestServer(scratchDir)
  const { kept: photo } = await sampleOf('12 MP')
  const animation = await slowestAnimation()
  // The limit of uploads in a minute is per user.
  const [user, attackedUser, ...others] = await server.createUsers(2 + burstOwners + attackerCount)
  if (!user || !attackedUser) throw new Error('there are no users')
  const attackers = others.splice(burstOwners)
  await measurePhoto(user, photo)
  const quiet: number[] = []
  for (let i = 0; i < 20; i++) quiet.push(await measurePhoto(user, photo))
  log(`quiet: p50 ${median(quiet).toFixed(0)} ms, p95 ${quantile(quiet, 0.95).toFixed(0)} ms`)

  const burst: number[] = []
  for (const busy of others) burst.push(...(await measureBurst(busy, user, photo)))
  log(`beside a burst: p95 ${quantile(burst, 0.95).toFixed(0)} ms of ${burst.length} photos`)

  const endsAt = performance.now() + (quick ? 60_000 : 600_000)
  const isOver = (): boolean => performance.now() > endsAt
  const counts: AttackCounts = { accepted: 0, refused: 0, finished: 0, finishedAfterMs: [] }
  const attacks = Promise.all(attackers.map((one) => attack(one, animation, { counts, isOver })))
  // Until all image processes are busy with animations.
  await wait(5_000)
  const attacked = await measureUntil(isOver, attackedUser, photo)
  log(`beside the attack: p95 ${quantile(attacked, 0.95).toFixed(0)} ms of ${attacked.length} photos`)
  await attacks
  log(`animations: ${counts.accepted} accepted, ${counts.refused} refused, ${counts.finished} finished`)
  await server.stop()
  return [
    measured('quiet, p50', 'ms', [median(quiet)]),
    measured('quiet, p95', 'ms', [quantile(quiet, 0.95)]),
    ...limited(`beside bursts of ${burstPhotos} photos of another user`, burst, quiet),
    ...limited(`beside ${attackerCount} accounts with slow animations`, attacked, quiet),
    measured('animations accepted', '', [counts.accepted]),
    measured('animations refused', '', [counts.refused]),
    {
      ...measured('accepted animations that were not finished', '', [counts.accepted - counts.finished]),
      limit: '0',
      withinLimit: counts.accepted === counts.finished,
    },
    measured('slowest end of an accepted animation', 's', [Math.max(0, ...counts.finishedAfterMs) / 1000]),
  ]
}

export const fairness: BenchmarkPart = {
  name: 'fairness',
  title: "A user's plain photos beside slow files and bursts of others",
  method:
    'One user uploads a plain JPEG of 12 megapixels every second, measured from its last byte until it is complete: first alone, ' +
    `then beside bursts of ${burstOwners} other users, one after the other (as many photos as the limit of uploads allows in a minute), ` +
    'then while 20 accounts upload the slowest animation that is accepted (WebP, 200 frames, 40 megapixels) for ten minutes (one in a quick run), ' +
    'and again a second after each refusal.',
  run: runFairness,
}
