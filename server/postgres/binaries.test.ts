import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { createFolderOfUnprivilegedUser, isRoot, copyProject, unprivilegedUser } from '../test/project-copy.ts'
import { scratchFolder, startProgram } from '../test/child-processes.ts'
import { startAndStop } from './test/start-and-stop.ts'

test.concurrent('the links of the package are created when its install script was blocked', async ({
  expect,
  onTestFinished,
}) => {
  const folder = join(scratchFolder(onTestFinished), 'keep snap')
  const { storeIn, libraries } = copyProject(folder, { blocked: true })
  expect(existsSync(join(libraries, 'libicui18n.so.60'))).toBe(false)
  await startAndStop(startProgram(onTestFinished, storeIn(join(folder, 'data'))))
})

describe('when started by root', () => {
  beforeEach(({ skip }) => skip(!isRoot, 'needs root'))

  test.concurrent("in a project inside root's home, PostgreSQL runs from a copy that is made once", async ({
    expect,
    onTestFinished,
  }) => {
    const { storeIn } = copyProject(join(scratchFolder(onTestFinished, 0o700), 'keepsnap'))
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    await startAndStop(startProgram(onTestFinished, storeIn(dataDir)))
    const copy = readdirSync(dataDir).find((name) => name.startsWith('postgres-binaries-')) ?? ''
    const createdAt = statSync(join(dataDir, copy)).ctimeMs
    await startAndStop(startProgram(onTestFinished, storeIn(dataDir)))
    expect(statSync(join(dataDir, copy)).ctimeMs).toBe(createdAt)
  })

  test.concurrent('a normal user can start a project of another user, also after root has started it', async ({
    expect,
    onTestFinished,
  }) => {
    const { storeIn } = copyProject(join(scratchFolder(onTestFinished), 'keepsnap'), { blocked: true })
    const dataDir = join(createFolderOfUnprivilegedUser(join(scratchFolder(onTestFinished), 'home')), 'data')
    await startAndStop(startProgram(onTestFinished, storeIn(dataDir), unprivilegedUser))
    expect(statSync(dataDir)).toMatchObject({ uid: unprivilegedUser.uid })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    await startAndStop(startProgram(onTestFinished, storeIn(dataDir)))
    await startAndStop(startProgram(onTestFinished, storeIn(dataDir), unprivilegedUser))
  })
})
