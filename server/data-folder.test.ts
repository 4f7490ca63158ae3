import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { holdDataFolder, prepareDataFolder } from './data-folder.ts'
import { isRoot, nobody } from './test/checkout.ts'
import { end, scratchFolder, startProgram, type Cleanup } from './test/programs.ts'

const holder = join(import.meta.dirname, 'test', 'holder-program.ts')
const startHolder = (cleanup: Cleanup, dataDir: string, options: Parameters<typeof startProgram>[2] = {}) =>
  startProgram(cleanup, [process.execPath, holder, dataDir], options)
/** A holder in a container of its own, whose lock cannot be seen from here. */
const startElsewhere = (cleanup: Cleanup, dataDir: string) =>
  startProgram(cleanup, ['unshare', '--net', process.execPath, holder, dataDir])

test.concurrent('a second program is refused and told who has the folder, since when, and where it serves', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = scratchFolder(onTestFinished)
  const first = startHolder(onTestFinished, dataDir)
  await first.says(/^held/)
  const second = startHolder(onTestFinished, dataDir)
  expect(await second.ended).toBe(1)
  const since = new Date().toISOString().slice(0, 10)
  expect(second.complaints()).toMatch(
    new RegExp(
      `${dataDir} is in use by another Keepsnap \\(process ${first.pid}, started ${since}T.*, serving http://localhost:4321\\)`,
    ),
  )
  expect(first.lines.at(-1)).toBe('held')
})

test.concurrent('of many programs that start at the same instant, exactly one gets the folder', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = scratchFolder(onTestFinished)
  const programs = Array.from({ length: 6 }, () => startHolder(onTestFinished, dataDir))
  const refused = await Promise.all(
    programs.map(async (program) => Promise.race([program.ended, program.says(/^held/)])),
  )
  expect(refused.filter((result) => result === 1)).toHaveLength(5)
})

test.concurrent('after kill -9 the next program has the folder at once', async ({ expect, onTestFinished }) => {
  const dataDir = scratchFolder(onTestFinished)
  const first = startHolder(onTestFinished, dataDir)
  await first.says(/^held/)
  end(first.pid)
  await first.ended
  const begun = performance.now()
  const hold = await holdDataFolder(dataDir)
  expect(performance.now() - begun).toBeLessThan(5_000)
  await hold.release()
  expect(existsSync(join(dataDir, 'holder.json'))).toBe(false)
})

test.concurrent('a program that says it is stopping is waited for', async ({ expect, onTestFinished }) => {
  const dataDir = scratchFolder(onTestFinished)
  const first = await holdDataFolder(dataDir)
  first.tell({ stopping: true })
  const second = startHolder(onTestFinished, dataDir)
  setTimeout(() => void first.release(), 2_500)
  await second.says(/^held/)
  expect(second.complaints()).toBe('')
})

test.concurrent('the same folder by another path is the same folder', async ({ expect, onTestFinished }) => {
  const dataDir = scratchFolder(onTestFinished)
  const hold = await holdDataFolder(dataDir)
  onTestFinished(() => hold.release())
  mkdirSync(join(dataDir, 'sub'))
  await expect(holdDataFolder(`${dataDir}/sub/../`)).rejects.toThrow(`process ${process.pid}`)
})

const canUnshare = spawnSync('unshare', ['--net', 'true']).status === 0

describe.runIf(canUnshare)('in another container on the same disk', () => {
  test.concurrent('a program that is alive keeps the folder', async ({ expect, onTestFinished }) => {
    const dataDir = scratchFolder(onTestFinished)
    const first = startElsewhere(onTestFinished, dataDir)
    await first.says(/^held/)
    await expect(holdDataFolder(dataDir)).rejects.toThrow(
      /in use by another Keepsnap \(process \d+.*serving http:\/\/localhost:4321/,
    )
  })

  test.concurrent('one that gives no sign of life is replaced within ten seconds, and ends when it was only frozen', async ({
    expect,
    onTestFinished,
  }) => {
    const dataDir = scratchFolder(onTestFinished)
    const first = startElsewhere(onTestFinished, dataDir)
    await first.says(/^held/)
    end(first.pid, 'SIGSTOP')
    const begun = performance.now()
    const second = startHolder(onTestFinished, dataDir)
    await second.says(/^held/)
    expect(performance.now() - begun).toBeLessThan(10_000)
    end(first.pid, 'SIGCONT')
    await first.says(/^lost .*in use by another Keepsnap/)
    expect(JSON.parse(readFileSync(join(dataDir, 'holder.json'), 'utf8'))).toMatchObject({ pid: second.pid })
  })
})

test.concurrent('a broken holder file keeps nobody out', async ({ expect, onTestFinished }) => {
  const dataDir = scratchFolder(onTestFinished)
  writeFileSync(join(dataDir, 'holder.json'), '{"token": 1')
  utimesSync(join(dataDir, 'holder.json'), new Date(), new Date())
  const hold = await holdDataFolder(dataDir)
  await hold.release()
  expect(existsSync(join(dataDir, 'holder.json'))).toBe(false)
})

test.concurrent('a file in the place of the data folder is named as the obstacle', async ({
  expect,
  onTestFinished,
}) => {
  const path = join(scratchFolder(onTestFinished), 'data')
  writeFileSync(path, '')
  await expect(prepareDataFolder(path)).rejects.toThrow(/data folder .* cannot be used .*stands in its way/)
})

describe.runIf(isRoot)('for a folder of root', () => {
  test.concurrent('a normal user is told whose it is', async ({ expect, onTestFinished }) => {
    const dataDir = scratchFolder(onTestFinished)
    chmodSync(dataDir, 0o700)
    const program = startHolder(onTestFinished, dataDir, nobody)
    expect(await program.ended).toBe(1)
    expect(program.complaints()).toMatch(/belongs to user id 0 and Keepsnap was started by user id 65534/)
  })
})
