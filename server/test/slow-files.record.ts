import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { connect } from '../platform/db/connect.ts'
import { fixture, jpeg, quadrantPixels, sharpFrom } from '../images/test/sample-images.ts'
import { createLog } from '../platform/process/log.ts'
import { scratchFolder } from './child-processes.ts'
import { cloneDatabase } from './cloned-database.ts'
import { startServerProcess } from './server-process.ts'
import { logWithSeed } from './statistics.ts'

const baseline = process.env['KEEPSNAP_BASELINE']
/** How long the attack lasts; KEEPSNAP_ATTACK_SECONDS for a shorter run. */
const attackMs = 1_000 * Number(process.env['KEEPSNAP_ATTACK_SECONDS'] ?? 600)
const quietMs = Math.min(60_000, attackMs / 4)
const [attackers, inFlight, unfinishedMs] = [30, 4, 90_000]
const password = 'Correct.Horse.9'

const kinds = ['JPEG', 'PNG', 'HEIC', 'animation'] as const
type Kind = (typeof kinds)[number]
/** How often one of each is uploaded. */
const everyMs: Record<Kind, number> = { JPEG: 2_000, PNG: 15_000, HEIC: 15_000, animation: 40_000 }

/** An animated WebP of so many frames, of which ten differ. */
function animation(side: number, frames: number): Promise<Buffer> {
  const { data } = quadrantPixels(side, side * 10)
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const
  return sharp(Buffer.concat(Array.from({ length: frames / 10 }, () => data)), { raw })
    .webp({ effort: 0, quality: 40, delay: Array.from({ length: frames }, () => 50) })
    .toBuffer()
}

const files: Record<Kind, Buffer> = {
  JPEG: await jpeg({ width: 4032, height: 3024 }),
  PNG: await sharpFrom(quadrantPixels(4032, 3024, 4))
    .png({ compressionLevel: 3 })
    .toBuffer(),
  HEIC: fixture('twelve-megapixels.heic'),
  animation: await animation(480, 60),
}
const attack = await animation(440, 200)

interface Figures {
  /** Milliseconds from the upload until the photo was ready, in order; one that was not after 90 s counts as 90 s. */
  times: Record<Kind, number[]>
  refused: number
}

const figureOf = (times: readonly number[], share: number): number =>
  times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? Number.NaN

/** Uploads of two owners while nothing else happens, and while others loop slow files. */
async function measure(root: string | undefined): Promise<{ quiet: Figures; attacked: Figures }> {
  const { database, drop } = await cloneDatabase()
  onTestFinished(drop)
  const { address } = await startServerProcess(onTestFinished, {
    database,
    dir: scratchFolder(onTestFinished),
    command: ['serve'],
    env: { WORKERS: '2' },
    ...(root && { root }),
  })
  const { pool, close } = connect(database, createLog('silent'), 2)
  onTestFinished(close)

  const register = async (n: number): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${n}` }
    const body = JSON.stringify({ email: `owner${n}@example.com`, password })
    const answer = await fetch(`${address}/register`, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { access_token: string }).access_token // what the contract says
  }
  const [owner, third] = [await register(200), await register(201)]
  const others: string[] = []
  for (let n = 1; n <= attackers; n++) others.push(await register(n))
  await pool.query("update users set granted_plan = 'pro_yearly'")

  const upload = async (token: string, file: Buffer): Promise<{ id: string } | { retryAfterMs: number }> => {
    const body = new FormData()
    body.append('file', new Blob([Uint8Array.from(file)]), 'photo')
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${address}/photos/upload`, { method: 'POST', headers, body })
    if (answer.status === 201) return { id: ((await answer.json()) as Photo).id } // what the contract says
    await answer.arrayBuffer()
    return { retryAfterMs: 1_000 * Number(answer.headers.get('retry-after') ?? 5) }
  }
  const isFinished = async (id: string): Promise<boolean> =>
    (await pool.query("select from photos where id = $1 and state in ('ready', 'failed')", [id])).rowCount === 1

  async function uploadsFor(durationMs: number): Promise<Figures> {
    const figures: Figures = { times: { JPEG: [], PNG: [], HEIC: [], animation: [] }, refused: 0 }
    const end = Date.now() + durationMs
    const running: Promise<void>[] = []
    const measureOne = async (kind: Kind): Promise<void> => {
      const startedAt = Date.now()
      const uploaded = await upload(kind === 'animation' ? third : owner, files[kind])
      if ('retryAfterMs' in uploaded) return void (figures.refused += 1)
      while (!(await isFinished(uploaded.id)) && Date.now() - startedAt < unfinishedMs) await wait(20)
      figures.times[kind].push(Date.now() - startedAt)
    }
    const repeat = async (kind: Kind): Promise<void> => {
      for (let at = Date.now(); at < end; at += everyMs[kind]) {
        await wait(Math.max(0, at - Date.now()))
        running.push(measureOne(kind))
      }
    }
    await Promise.all(kinds.map(repeat))
    await Promise.all(running)
    for (const kind of kinds) figures.times[kind].sort((a, b) => a - b)
    return figures
  }

  const quiet = await uploadsFor(quietMs)
  const over = new AbortController()
  const loop = async (token: string): Promise<void> => {
    while (!over.signal.aborted) {
      const uploaded = await upload(token, attack).catch(() => ({ retryAfterMs: 1_000 }))
      if ('retryAfterMs' in uploaded) await wait(Math.min(uploaded.retryAfterMs, 5_000))
      else while (!over.signal.aborted && !(await isFinished(uploaded.id))) await wait(500)
    }
  }
  const loops = others.flatMap((token) => Array.from({ length: inFlight }, () => loop(token)))
  await wait(10_000)
  const attacked = await uploadsFor(attackMs)
  over.abort()
  await Promise.all(loops)
  return { quiet, attacked }
}

test(
  '30 accounts that loop slow files delay those of another little, and none of theirs is refused or unfinished',
  {
    timeout: 3_600_000,
  },
  async () => {
    const figures = async (name: string, root?: string) => {
      const { quiet, attacked } = await measure(root)
      for (const kind of kinds) {
        const of = ({ times }: Figures): string =>
          `p50 ${figureOf(times[kind], 0.5)}, p95 ${figureOf(times[kind], 0.95)}, most ${figureOf(times[kind], 1)} ms of ${times[kind].length}`
        logWithSeed(`${name}, ${kind}: quiet ${of(quiet)}; attacked ${of(attacked)}`)
      }
      logWithSeed(`${name}: ${attacked.refused} of the others were refused`)
      return { quiet, attacked }
    }
    if (baseline) await figures('baseline', baseline)
    const { quiet, attacked } = await figures('now')
    const p95 = ({ times }: Figures, kind: Kind): number => figureOf(times[kind], 0.95)
    expect(p95(attacked, 'JPEG')).toBeLessThanOrEqual(2 * p95(quiet, 'JPEG') + 500)
    for (const kind of ['PNG', 'HEIC'] as const)
      expect(p95(attacked, kind)).toBeLessThanOrEqual(2 * p95(quiet, kind) + 4_000)
    expect(figureOf(attacked.times.animation, 1)).toBeLessThan(20_000)
    expect(attacked.refused).toBe(0)
    for (const kind of kinds) expect(figureOf(attacked.times[kind], 1)).toBeLessThan(unfinishedMs)
  },
)
