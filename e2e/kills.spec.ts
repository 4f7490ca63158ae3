import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '@keepsnap/server/images/test/sample-images.ts'
import { freePort, startProgram, type Program } from './program.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const cycles = Number(process.env.KEEPSNAP_CYCLES ?? 6)
const seed = process.env.KEEPSNAP_SEED ?? randomBytes(4).toString('hex')
const scratch = await mkdtemp(join(tmpdir(), 'keepsnap-kills-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Numbers from 0 to 1 that a printed seed repeats. */
function chance(): () => number {
  let n = 0
  return () => createHash('sha256').update(`${seed}/${n++}`).digest().readUInt32BE() / 2 ** 32
}
const random = chance()

/** Processes of one program: itself, its PostgreSQL, everything. */
const victims = {
  program: (pid: number) => [pid],
  postgres: (pid: number) => childrenOf(pid).filter((child) => commandOf(child).includes('/postgres')),
  everything: (pid: number) => [pid, ...descendants(pid)],
}
function childrenOf(pid: number): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter(Boolean)
  } catch {
    return []
  }
}
const descendants = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendants(child)])
const commandOf = (pid: number): string => execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
const killAll = (pids: number[]): void =>
  pids.forEach((pid) => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  })

describe('kill -9 in the middle of uploads and processing', () => {
  test(
    `${cycles} times (seed ${seed}): every acknowledged photo is there and completes, and nothing is left over`,
    async () => {
      const dataDir = join(scratch, 'data')
      const port = await freePort()
      const log = join(scratch, 'log')
      const file = Uint8Array.from(await jpeg({ width: 1600, height: 1067 }))
      const acknowledged = new Map<Visitor, Set<string>>()
      let tried = 0
      const start = (): Promise<Program> => startProgram({ dataDir, port, log, env: { LOG_LEVEL: 'error' } })

      let program = await start()
      for (let lane = 0; lane < 3; lane++) {
        const user = await newVisitor(program.address)
        acknowledged.set(user, new Set())
        execFileSync(process.execPath, ['server/main.ts', 'grant-plan', user.email, 'pro_yearly'], {
          cwd: join(import.meta.dirname, '..'),
          env: { PATH: process.env.PATH, DATA_DIR: dataDir, PUBLIC_URL: program.address },
        })
      }

      for (let cycle = 0; cycle < cycles; cycle++) {
        const kind = (['program', 'everything', 'postgres'] as const)[cycle % 3]!
        let isOver = false
        const uploading = [...acknowledged].map(async ([user, ids]) => {
          for (;;) {
            if (isOver) return
            tried += 1
            const photo = await user.upload(file).catch(() => undefined)
            if (photo) ids.add(photo.id)
            else await delay(20)
          }
        })
        await delay(150 + random() * 600)
        killAll(victims[kind](program.pid))
        if (kind === 'postgres') await delay(1_000)
        else await program.ended
        isOver = true
        await Promise.all(uploading)
        if (kind !== 'postgres') program = await start()
        await expect.poll(async () => (await fetch(`${program.address}/ready`)).status, { timeout: 15_000 }).toBe(200)
      }

      for (const [user, ids] of acknowledged) {
        await expectAllComplete(user, ids)
        await expectWhole(user)
      }
      const count = [...acknowledged.values()].reduce((sum, ids) => sum + ids.size, 0)
      process.stdout.write(`kills: seed ${seed}, ${cycles} cycles, ${tried} uploads tried, ${count} acknowledged\n`)
      expect(count).toBeGreaterThan(cycles)
      await expectNothingComing(join(dataDir, 'files'))
      await program.stop()
      expect(await program.ended).toBe(0)
      expect(
        execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
          .split('\n')
          .filter((line) => line.includes(dataDir)),
      ).toEqual([])
    },
    60_000 + cycles * 20_000,
  )
})

async function expectAllComplete(user: Visitor, ids: Set<string>): Promise<void> {
  const unfinished = async (): Promise<string[]> => {
    const photos: Photo[] = []
    for (let before = ''; ;) {
      const answer = await user.call('GET', `/photos?limit=500${before && `&before=${before}`}`)
      photos.push(...((await answer.json()) as Photo[])) // what the contract says
      const next = answer.headers.get('x-next-before')
      if (!next) break
      before = next
    }
    const ready = new Set(photos.filter(({ processing_complete: isReady }) => isReady).map(({ id }) => id))
    return [...ids].filter((id) => !ready.has(id))
  }
  await expect.poll(unfinished, { timeout: 60_000, interval: 500 }).toEqual([])
}

/** The bytes of the newest photos can be fetched and are whole. */
async function expectWhole(user: Visitor): Promise<void> {
  const sample = (await (await user.call('GET', '/photos?limit=20')).json()) as Photo[] // what the contract says
  for (const { b2_url: full, size_bytes: size } of sample) {
    const answer = await fetch(full!)
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, size])
  }
}

async function expectNothingComing(dir: string): Promise<void> {
  const incoming = await readdir(join(dir, 'incoming'), { recursive: true, withFileTypes: true })
  expect(incoming.filter((entry) => entry.isFile())).toEqual([])
}

test('the log of all this holds no secret', async () => {
  const text = await readFile(join(scratch, 'log'), 'utf8').catch(() => '')
  expect(text).not.toMatch(/Bearer|access_token|Correct\.Horse/)
})
