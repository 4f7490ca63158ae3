import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isRoot, unprivilegedUser } from '../../test/project-copy.ts'
import { promisedMs } from '../../test/statistics.ts'
import { type Cleanup, killProcess, scratchFolder, startProgram } from '../../test/child-processes.ts'
import {
  acquireSocketLock,
  findActiveOwner,
  lockDataFolder,
  type LockOwner,
  lockScope,
  maintainLockFile,
  prepareDataFolder,
} from './data-folder.ts'

describe('data folder', () => {
  const lockProgram = join(import.meta.dirname, '../../test', 'folder-lock-program.ts')
  const startLocked = (cleanup: Cleanup, dataDir: string, options: Parameters<typeof startProgram>[2] = {}) =>
    startProgram(cleanup, [process.execPath, lockProgram, dataDir], options)
  /** A program in another network namespace, as in a container: its socket lock is not visible from here. */
  const startInContainer = (cleanup: Cleanup, dataDir: string) =>
    startProgram(cleanup, ['unshare', '--net', process.execPath, lockProgram, dataDir])

  test('a folder that the system does not create is refused, and a file in its place with advice', async () => {
    await expect(prepareDataFolder('/proc/nowhere/data')).rejects.toThrow('cannot be used (ENOENT)')
    const path = join(scratchFolder(onTestFinished), 'data')
    writeFileSync(path, '')
    await expect(prepareDataFolder(path)).rejects.toThrow(/data folder .* cannot be used .*is in its place/)
  })

  test.concurrent('a second program is refused with the process, start time and URL of the first', async ({
    expect,
    onTestFinished,
  }) => {
    const dataDir = scratchFolder(onTestFinished)
    const today = (): string => new Date().toISOString().slice(0, 10)
    const [earliest, first] = [today(), startLocked(onTestFinished, dataDir)]
    await first.waitForLine(/^held/)
    const latest = today()
    const second = startLocked(onTestFinished, dataDir)
    expect(await second.ended).toBe(1)
    expect(second.stderr()).toMatch(
      new RegExp(
        `${dataDir} is in use by another Keepsnap \\(process ${first.pid}, started (${earliest}|${latest})T.*, serving http://localhost:4321\\)`,
      ),
    )
    expect(first.lines.at(-1)).toBe('held')
  })

  test.concurrent('when many programs start at once, exactly one gets the lock', async ({ expect, onTestFinished }) => {
    const dataDir = scratchFolder(onTestFinished)
    const programs = Array.from({ length: 3 }, () => startLocked(onTestFinished, dataDir))
    const refused = await Promise.all(
      programs.map(async (program) => Promise.race([program.ended, program.waitForLine(/^held/)])),
    )
    expect(refused.filter((result) => result === 1)).toHaveLength(2)
  })

  test.concurrent('after kill -9 the next program gets the lock at once', async ({ expect, onTestFinished }) => {
    const dataDir = scratchFolder(onTestFinished)
    const first = startLocked(onTestFinished, dataDir)
    await first.waitForLine(/^held/)
    killProcess(first.pid)
    await first.ended
    const startedAt = performance.now()
    const lock = await lockDataFolder(dataDir)
    expect(performance.now() - startedAt).toBeLessThan(6_500) // an owner is waited for during 7 s
    await lock.release()
    expect(existsSync(join(dataDir, 'holder.json'))).toBe(false)
  })

  test.concurrent('a new program waits for one that is stopping', async ({ expect, onTestFinished }) => {
    const dataDir = scratchFolder(onTestFinished)
    const first = await lockDataFolder(dataDir)
    first.update({ stopping: true })
    const second = startLocked(onTestFinished, dataDir)
    // Longer than a new program waits for an owner that is not stopping.
    setTimeout(() => void first.release(), 2_500)
    await second.waitForLine(/^held/)
    expect(second.stderr()).toBe('')
  })

  test.concurrent('a new program gets the lock when the one that is stopping no longer answers', async ({
    expect,
    onTestFinished,
  }) => {
    const dataDir = scratchFolder(onTestFinished)
    const { dev, ino } = statSync(dataDir, { bigint: true })
    const owner = { token: '', pid: process.pid, host: hostname(), since: new Date().toISOString(), realm: '' }
    const answer = JSON.stringify({ ...owner, stopping: true })
    let [firstAnswerAt, isAnswerLost, release] = [0, false, () => {}]
    const lock = await acquireSocketLock(`${dev}-${ino}`, () => {
      firstAnswerAt ||= performance.now()
      // Longer than a new program waits for an owner that never answered.
      if (performance.now() - firstAnswerAt < 2_500) return answer
      isAnswerLost = true
      release()
      return ''
    })
    if (typeof lock === 'string') throw new Error('the lock was not free')
    release = () => void lock.release()
    const second = startLocked(onTestFinished, dataDir)
    await second.waitForLine(/^held/)
    expect([second.stderr(), isAnswerLost]).toEqual(['', true])
  })

  test.concurrent('another path to the same folder is refused as well', async ({ expect, onTestFinished }) => {
    const dataDir = scratchFolder(onTestFinished)
    const lock = await lockDataFolder(dataDir)
    onTestFinished(() => lock.release())
    mkdirSync(join(dataDir, 'sub'))
    await expect(lockDataFolder(`${dataDir}/sub/../`)).rejects.toThrow(`process ${process.pid}`)
  })

  const canUnshare = spawnSync('unshare', ['--net', 'true']).status === 0

  describe('when the owner runs in another container with the same disk', () => {
    beforeEach(({ skip }) => skip(!canUnshare, 'needs the right to make network namespaces'))

    test.concurrent('a live owner keeps the lock', async ({ expect, onTestFinished }) => {
      const dataDir = scratchFolder(onTestFinished)
      const first = startInContainer(onTestFinished, dataDir)
      await first.waitForLine(/^held/)
      await expect(lockDataFolder(dataDir)).rejects.toThrow(
        /in use by another Keepsnap \(process \d+.*serving http:\/\/localhost:4321/,
      )
    })

    test.concurrent('an unresponsive owner is replaced within ten seconds, and learns it when it was only suspended', async ({
      expect,
      onTestFinished,
    }) => {
      const dataDir = scratchFolder(onTestFinished)
      const first = startInContainer(onTestFinished, dataDir)
      await first.waitForLine(/^held/)
      killProcess(first.pid, 'SIGSTOP')
      const startedAt = performance.now()
      const second = startLocked(onTestFinished, dataDir)
      await second.waitForLine(/^held/)
      expect(performance.now() - startedAt).toBeLessThan(promisedMs(10_000))
      killProcess(first.pid, 'SIGCONT')
      await first.waitForLine(/^lost .*in use by another Keepsnap/)
      expect(JSON.parse(readFileSync(join(dataDir, 'holder.json'), 'utf8'))).toMatchObject({ pid: second.pid })
    })
  })

  test.concurrent('a corrupt lock file is replaced', async ({ expect, onTestFinished }) => {
    const dataDir = scratchFolder(onTestFinished)
    writeFileSync(join(dataDir, 'holder.json'), '{"token": 1')
    const lock = await lockDataFolder(dataDir)
    await lock.release()
    expect(existsSync(join(dataDir, 'holder.json'))).toBe(false)
  })

  test.concurrent('a normal user is refused a data folder of root, with its owner', async ({
    expect,
    skip,
    onTestFinished,
  }) => {
    skip(!isRoot, 'needs root')
    const dataDir = scratchFolder(onTestFinished)
    chmodSync(dataDir, 0o700)
    const program = startLocked(onTestFinished, dataDir, unprivilegedUser)
    expect(await program.ended).toBe(1)
    expect(program.stderr()).toMatch(
      /data folder .* belongs to user id 0 and Keepsnap was started by user id 65534: .*chown -R/,
    )
  })
})

describe('folder lock', () => {
  const owner: LockOwner = { token: 'own', pid: 1, host: 'here', since: '2026-05-01T10:20:00.000Z', realm: lockScope() }
  const other: LockOwner = { ...owner, token: 'other', host: 'elsewhere', realm: 'another machine' }

  let lockFile: string
  beforeEach(() => {
    lockFile = join(scratchFolder(onTestFinished), 'holder.json')
    vi.useFakeTimers()
  })
  afterEach(() => vi.useRealTimers())

  function maintain() {
    const lostTo: LockOwner[] = []
    const file = maintainLockFile(
      lockFile,
      () => owner,
      (newOwner) => void lostTo.push(newOwner),
    )
    onTestFinished(() => file.remove())
    return { file, lostTo }
  }

  test('the lock file is touched every two seconds, written again when it is gone, and removed at the end', () => {
    const { file, lostTo } = maintain()
    utimesSync(lockFile, 1, 1)
    vi.advanceTimersByTime(2_000)
    expect(statSync(lockFile).mtimeMs).toBeGreaterThan(1_000)
    file.remove()
    expect(existsSync(lockFile)).toBe(false)
    vi.advanceTimersByTime(10_000)
    expect(existsSync(lockFile)).toBe(false)
    expect(lostTo).toEqual([])
  })

  test('a program whose lock file was replaced learns it once, and leaves the file to the new owner', () => {
    const { file, lostTo } = maintain()
    writeFileSync(lockFile, JSON.stringify(other))
    vi.advanceTimersByTime(10_000)
    expect(lostTo).toEqual([other])
    file.remove()
    expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toEqual(other)
  })

  test('an owner on another machine is active when it touches the file within seven seconds', async () => {
    writeFileSync(lockFile, JSON.stringify(other))
    const active = findActiveOwner(lockFile)
    await vi.advanceTimersByTimeAsync(2_000)
    utimesSync(lockFile, 1, 1)
    await vi.advanceTimersByTimeAsync(500)
    expect(await active).toEqual(other)
    const dead = findActiveOwner(lockFile)
    await vi.advanceTimersByTimeAsync(8_000)
    expect(await dead).toBeUndefined()
  })
})
