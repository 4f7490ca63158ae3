import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ProbeTargets } from '../test/isolation-probe.ts'
import { poison } from '../test/poison.ts'
import { jpeg } from '../test/sample-images.ts'
import { poisonProcess, sharedTestPool } from '../test/test-pool.ts'

const images = sharedTestPool({ entry: poisonProcess, size: 2 })
const photo = await jpeg()

const listen = (server: Server, address: number | string): Promise<void> =>
  new Promise((resolve) =>
    typeof address === 'number' ? server.listen(address, '127.0.0.1', resolve) : server.listen(address, resolve),
  )

/** Files in a closed folder and servers that an image process must not reach. */
async function createTargets(): Promise<ProbeTargets> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsnap-closed-'))
  const [tcp, unix] = [createServer((socket) => socket.destroy()), createServer((socket) => socket.destroy())]
  await listen(tcp, 0)
  await listen(unix, join(folder, 'socket'))
  writeFileSync(join(folder, 'picture'), photo)
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

const denied = /EACCES|EPERM|EINVAL|ERR_ACCESS|restricted|missing|permission|unable to open/i

test('an attacker in a decoder reaches no more than the start-up line says', async () => {
  const { render, pool } = images()
  const targets = await createTargets()
  const { thumb } = await render(poison('probe-isolation', JSON.stringify(targets)))
  // Written by `probeIsolation`.
  const results = JSON.parse(thumb.toString()) as Record<string, string>
  const has = (measure: string): boolean => pool.isolation.some((one) => one.startsWith(measure))
  const environment = JSON.parse(results['environment']!) as string[]
  expect(environment.filter((name) => !/^(MALLOC_|UV_|NODE_COMPILE_CACHE|VIPSHOME)/.test(name))).toEqual([])
  const allowed = (attempts: string[]): string[] => attempts.filter((attempt) => !denied.test(results[attempt]!))
  expect(allowed(['scriptReads', 'scriptWrites', 'parentEnvironment', 'fork', 'thread'])).toEqual([])
  expect(results['network']).toMatch(has('no network') ? /ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL/ : /^done$/)
  const byKernel = ['socket', 'nativeReads', 'nativeWrites', 'kill', 'root']
  expect(allowed(has('own user') ? byKernel : ['root'])).toEqual([])
  expect(existsSync(join(targets.folder, 'native'))).toBe(!has('own user'))
})

/** Whether this process may change its user, which root in a restricted container may not. */
function maySetUser(): boolean {
  if (process.platform !== 'linux') return false
  const capabilities = /^CapEff:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const needed = (1n << 7n) | (1n << 6n) | (1n << 0n)
  return (BigInt(`0x${capabilities}`) & needed) === needed
}

test('started by root, each process has a user of its own and no capabilities', async ({ skip }) => {
  skip(!maySetUser(), 'needs the right to change the user of a process')
  const { pool, render } = images()
  // The second one starts when photos wait.
  while (pool.pids().length < 2) await Promise.all([1, 2, 3, 4].map(() => render(photo)))
  const [one, other] = pool.pids().map((pid) => readFileSync(`/proc/${pid}/status`, 'utf8'))
  const userOf = (status = ''): string | undefined => /^Uid:\s+(\d+)/m.exec(status)?.[1]
  expect(userOf(one)).not.toBe('0')
  expect(userOf(one)).not.toBe(userOf(other))
  expect(one).toMatch(/^CapBnd:\s+0+$/m)
  expect(one).toMatch(/^NoNewPrivs:\s+1$/m)
  expect(pool.isolation).toContain(`own user ${userOf(one)}`)
})

describe('image processes end when their parent process is killed', () => {
  /** Starts a program with a pool whose image processes have a fault; their process ids. */
  async function startProgram(fault: string): Promise<{ kill(): void; pids: number[] }> {
    const dir = mkdtempSync(join(tmpdir(), 'keepsnap-killed-'))
    const child = spawn(process.execPath, [join(import.meta.dirname, '../test/pool-program.ts'), dir, fault], {
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
  const isAlive = (pid: number): boolean => {
    try {
      // A zombie still has its process id.
      return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  }

  beforeEach(({ skip }) => skip(!existsSync('/proc/self/status'), 'reads /proc/PID/status'))
  test.each([
    ['while they are idle', 'none'],
    ['while they wait', 'hang'],
    ['in an endless loop', 'loop'],
  ])('%s', async (_, fault) => {
    const { kill, pids } = await startProgram(fault)
    expect(pids.filter(isAlive)).toEqual(pids)
    kill()
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })
})
