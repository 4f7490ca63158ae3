import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { assert, describe, test } from 'vitest'
import { foldersOfNobody, isRoot, makeCheckout, nobody } from '../test/checkout.ts'
import { databaseOf, scratchFolder, startProgram, startStore, type Program } from '../test/programs.ts'

const storesAndStops = async (program: Program): Promise<void> => {
  await program.says(/^ready/)
  const { all } = await databaseOf(program)
  assert(all.length > 0, 'a database runs')
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
}

test.concurrent('a data folder may have blanks, quotes and dollars in its name, and be deeper than a socket path may be', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), `my "photos" $HOME it's`, 'deep'.repeat(40), 'é'.repeat(80))
  await storesAndStops(startStore(onTestFinished, dataDir))
  expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
})

test.concurrent('install scripts of packages may be blocked', async ({ expect, onTestFinished }) => {
  const folder = join(scratchFolder(onTestFinished), 'keep snap')
  const { storeIn, libraries } = makeCheckout(folder, { blocked: true })
  expect(existsSync(join(libraries, 'libicui18n.so.60'))).toBe(false)
  await storesAndStops(startProgram(onTestFinished, storeIn(join(folder, 'data'))))
})

describe.runIf(isRoot)('started by root', () => {
  test.concurrent('a data folder that only root could enter becomes passable, and the database has its own user', async ({
    expect,
    onTestFinished,
  }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    const program = startStore(onTestFinished, dataDir)
    await program.says(/^ready/)
    expect(statSync(dataDir).mode & 0o777).toBe(0o711)
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0)
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  })

  test.concurrent('a data folder below a folder that is closed to everybody else works as it is', async ({
    expect,
    onTestFinished,
  }) => {
    const closed = scratchFolder(onTestFinished, 0o700)
    const dataDir = join(closed, 'keep snap', 'data')
    await storesAndStops(startStore(onTestFinished, dataDir))
    await storesAndStops(startStore(onTestFinished, dataDir))
    expect(statSync(closed).mode & 0o777).toBe(0o700)
  })

  test.concurrent("a project below root's home runs PostgreSQL from a copy, made once", async ({
    expect,
    onTestFinished,
  }) => {
    const { storeIn } = makeCheckout(join(scratchFolder(onTestFinished, 0o700), 'keepsnap'))
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    await storesAndStops(startProgram(onTestFinished, storeIn(dataDir)))
    const copy = readdirSync(dataDir).find((name) => name.startsWith('postgres-binaries-')) ?? ''
    const made = statSync(join(dataDir, copy)).ctimeMs
    await storesAndStops(startProgram(onTestFinished, storeIn(dataDir)))
    expect(statSync(join(dataDir, copy)).ctimeMs).toBe(made)
  })

  test.concurrent('a normal user can start it, from a project that is not his', async ({ expect, onTestFinished }) => {
    const { storeIn } = makeCheckout(join(scratchFolder(onTestFinished), 'keepsnap'), { blocked: true })
    const dataDir = join(foldersOfNobody(join(scratchFolder(onTestFinished), 'home')), 'data')
    await storesAndStops(startProgram(onTestFinished, storeIn(dataDir), nobody))
    expect(statSync(dataDir)).toMatchObject({ uid: nobody.uid })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    // Then once by root, then by the user again.
    await storesAndStops(startProgram(onTestFinished, storeIn(dataDir)))
    await storesAndStops(startProgram(onTestFinished, storeIn(dataDir), nobody))
  })

  test.concurrent("a normal user is told what to do about root's data folder", async ({ expect, onTestFinished }) => {
    const folder = scratchFolder(onTestFinished)
    const { storeIn } = makeCheckout(join(folder, 'keepsnap'))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o711)
    const program = startProgram(onTestFinished, storeIn(dataDir), nobody)
    expect(await program.ended).toBe(1)
    expect(program.complaints()).toMatch(
      /data folder .* belongs to user id 0 and Keepsnap was started by user id 65534: .*chown -R/,
    )
  })

  test.concurrent('a user without a name is told that PostgreSQL wants one', async ({ expect, onTestFinished }) => {
    const folder = scratchFolder(onTestFinished, 0o777)
    const { storeIn } = makeCheckout(join(folder, 'keepsnap'))
    const program = startProgram(onTestFinished, storeIn(join(folder, 'data')), { uid: 54_321, gid: 54_321 })
    expect(await program.ended).toBe(1)
    expect(program.complaints()).toMatch(/wants its user to have a name: add the user to \/etc\/passwd/)
  })
})

const canNest = isRoot && spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0

describe.runIf(canNest)('in a container whose first process leaves zombies', () => {
  test.concurrent('the next start gets at its database', async ({ expect, onTestFinished }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    const init = join(import.meta.dirname, '..', 'test', 'careless-init.ts')
    const container = startProgram(onTestFinished, [
      'unshare',
      '--pid',
      '--fork',
      '--mount-proc',
      '--kill-child',
      process.execPath,
      init,
      dataDir,
    ])
    const [, zombies] = await container.says(/^zombies (\d+)/)
    expect(Number(zombies)).toBeGreaterThan(1)
    await container.says(/^ready/)
    await container.says(/^ended SIGTERM/)
    expect(await container.ended).toBe(0)
  })
})
