import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTestPool } from '../test/test-pool.ts'
import { jpeg } from '../test/sample-images.ts'

const entry = join(import.meta.dirname, '../test/poison-process.ts')

const listening = (server: Server, to: number | string): Promise<void> =>
  new Promise((resolve) =>
    typeof to === 'number' ? server.listen(to, '127.0.0.1', resolve) : server.listen(to, resolve),
  )

/** A closed folder with things in it that are none of an image process's business, and a server nearby. */
async function neighbourhood() {
  const folder = mkdtempSync(join(tmpdir(), 'keepsnap-closed-'))
  const [tcp, unix] = [createServer((socket) => socket.destroy()), createServer((socket) => socket.destroy())]
  await listening(tcp, 0)
  await listening(unix, join(folder, 'socket'))
  writeFileSync(join(folder, 'picture'), await jpeg())
  chmodSync(folder, 0o700)
  onTestFinished(() => {
    tcp.close()
    unix.close()
    rmSync(folder, { recursive: true })
  })
  // `address` of a listening TCP server is never a string.
  const { port } = tcp.address() as AddressInfo
  return { port, socket: join(folder, 'socket'), picture: join(folder, 'picture'), folder, parent: process.pid }
}

const stopped = /EACCES|EPERM|EINVAL|ERR_ACCESS|restricted|missing|permission|unable to open/i

test('a stranger in a decoder gets as far as the start line says, and no further', async () => {
  const { render, pool, close } = await openTestPool({ entry })
  onTestFinished(close)
  const places = await neighbourhood()
  const { thumb } = await render(Buffer.from(`POISON look ${JSON.stringify(places)}`))
  // Our own nosy process wrote it.
  const seen = JSON.parse(thumb.toString()) as Record<string, string>
  const holds = (words: string): boolean => pool.isolation.some((one) => one.startsWith(words))
  const environment = JSON.parse(seen['environment']!) as string[]
  expect(environment.filter((name) => !/^(MALLOC_|UV_|NODE_COMPILE_CACHE|VIPSHOME)/.test(name))).toEqual([])
  const wentThrough = (deeds: string[]): string[] => deeds.filter((deed) => !stopped.test(seen[deed]!))
  expect(wentThrough(['scriptReads', 'scriptWrites', 'parentEnvironment', 'fork', 'thread'])).toEqual([])
  expect(seen['network']).toMatch(holds('no network') ? /ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL/ : /^done$/)
  const kernel = ['socket', 'nativeReads', 'nativeWrites', 'kill', 'root']
  expect(wentThrough(holds('own user') ? kernel : ['root'])).toEqual([])
  expect(existsSync(join(places.folder, 'native'))).toBe(!holds('own user'))
})

/** Whether this process may become another user, which root in a tight container may not. */
function maySetUser(): boolean {
  if (process.platform !== 'linux') return false
  const capabilities = /^CapEff:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const needed = (1n << 7n) | (1n << 6n) | (1n << 0n)
  return (BigInt(`0x${capabilities}`) & needed) === needed
}

test.runIf(maySetUser())('started by root, they have a user of their own and no rights', async () => {
  const { pool, render, close } = await openTestPool({ size: 2 })
  onTestFinished(close)
  const photo = await jpeg()
  // The second one comes when photos wait.
  while (pool.pids().length < 2) await Promise.all([1, 2, 3, 4].map(() => render(photo)))
  const [one, other] = pool.pids().map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'))
  const userOf = (status = ''): string | undefined => /^Uid:\s+(\d+)/m.exec(status)?.[1]
  expect(userOf(one)).not.toBe('0')
  expect(userOf(one)).not.toBe(userOf(other))
  expect(one).toMatch(/^CapBnd:\s+0+$/m)
  expect(one).toMatch(/^NoNewPrivs:\s+1$/m)
  expect(pool.isolation).toContain(`own user ${userOf(one)}`)
})

describe('image processes do not outlive their program', () => {
  /** A program of its own with a pool at this deed; answers with its process and those of its pool. */
  async function program(deed: string): Promise<{ kill(): void; pids: number[] }> {
    const dir = mkdtempSync(join(tmpdir(), 'keepsnap-lonely-'))
    const child = spawn(process.execPath, [join(import.meta.dirname, '../test/pool-program.ts'), dir, deed], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
      rmSync(dir, { recursive: true, force: true })
    })
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (data) => resolve(String(data)))
      child.once('exit', () => reject(new Error('the program ended')))
    })
    // Written by our own program.
    return { kill: () => void child.kill('SIGKILL'), pids: JSON.parse(line) as number[] }
  }
  const alive = (pid: number): boolean => {
    try {
      // A process that has ended and waits to be collected still has its number.
      return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  }

  test.runIf(existsSync('/proc/self/status')).each(['idle', 'hang', 'loop'])(
    'killed while they were at this: %s',
    async (deed) => {
      const { kill, pids } = await program(deed)
      expect(pids.filter(alive)).toEqual(pids)
      kill()
      for (let waited = 0; waited < 5_000 && pids.some(alive); waited += 50) await pause(50)
      expect(pids.filter(alive)).toEqual([])
    },
  )
})
