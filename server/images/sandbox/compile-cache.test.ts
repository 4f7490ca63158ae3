import { mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fillCompileCache } from './launcher.ts'

let dir: string
let sources: string
let compilations: number
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsnap-compile-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  dir = join(folder, 'cache')
  sources = join(folder, 'sources')
  mkdirSync(sources)
  writeFileSync(join(sources, 'a.ts'), '')
  compilations = 0
})
const fill = ({ works = true, users = [] as number[] } = {}): Promise<void> =>
  fillCompileCache({
    dir,
    sources,
    users,
    compileScripts: async () => {
      compilations++
      return works
    },
  })

test('scripts are compiled once, and again when one has changed', async () => {
  await fill()
  await fill()
  expect(compilations).toBe(1)
  writeFileSync(join(sources, 'b.ts'), '')
  await fill()
  expect(compilations).toBe(2)
})

test('scripts that could not be compiled are compiled again at the next start', async () => {
  await fill({ works: false })
  await fill()
  expect(compilations).toBe(2)
})

test('the cache is readable for the users of image processes, under their ids', async () => {
  const ownCache = `${process.version}-x64-abc-${process.getuid?.() ?? 0}`
  mkdirSync(join(dir, ownCache), { recursive: true })
  writeFileSync(join(dir, ownCache, 'script'), '', { mode: 0o600 })
  await fill({ users: [65_300] })
  expect(readlinkSync(join(dir, `${process.version}-x64-abc-65300`))).toBe(ownCache)
  expect(statSync(join(dir, ownCache, 'script')).mode & 0o777).toBe(0o644)
})

test('a folder that cannot be written to is no failure', async () => {
  writeFileSync(dir, 'a file in place of the folder')
  await fill()
  expect(compilations).toBe(0)
})
