import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { claimOutput, emptyFolder, makeSlotFolder, moveInput, reclaimInput, removeFiles } from './scratch-files.ts'

const log = pino({ level: 'silent' })
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'keepsnap-scratch-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
})
/** The path of a file in the folder of this test. */
const at = (name: string): string => join(dir, name)
const written = (name: string, text = 'bytes'): string => (writeFileSync(at(name), text, { mode: 0o600 }), at(name))
const crashed = { kind: 'crashed' }

test('the folder of a slot is closed to others', async () => {
  await makeSlotFolder(at('slot'), null)
  expect(statSync(at('slot')).mode & 0o777).toBe(0o700)
})

test('an input is readable for the image process and keeps its identity', async () => {
  const input = await moveInput(written('photo'), at('in'))
  const { ino, dev, size, mode } = statSync(at('in'))
  expect(input).toEqual({ ino, dev, size })
  expect(mode & 0o777).toBe(0o644)
  expect(existsSync(at('photo'))).toBe(false)
})

describe('an input is moved back', () => {
  test('when it is the same file', async () => {
    const input = await moveInput(written('photo'), at('in'))
    expect(await reclaimInput(at('in'), at('full'), input)).toEqual({ path: at('full'), bytes: 5 })
    expect(readFileSync(at('full'), 'utf8')).toBe('bytes')
  })
  test('but not when another file has its name, or none', async () => {
    const input = await moveInput(written('photo'), at('in'))
    writeFileSync(at('other'), 'bytes')
    await expect(reclaimInput(at('other'), at('full'), input)).rejects.toMatchObject(crashed)
    await expect(reclaimInput(at('missing'), at('full'), input)).rejects.toMatchObject(crashed)
  })
  test('but not when it has grown', async () => {
    const input = await moveInput(written('photo'), at('in'))
    writeFileSync(at('in'), 'more bytes')
    await expect(reclaimInput(at('in'), at('full'), input)).rejects.toMatchObject(crashed)
  })
})

describe('an output is accepted', () => {
  test('when it is a regular file of its own', async () => {
    expect(await claimOutput(written('full'), at('claimed'))).toEqual({ path: at('claimed'), bytes: 5 })
    expect(statSync(at('claimed')).mode & 0o777).toBe(0o644)
  })
  test.each<[string, () => void]>([
    ['a symbolic link', () => symlinkSync('/etc/passwd', at('full'))],
    ['a file with another link', () => linkSync(written('other'), at('full'))],
    ['a folder', () => mkdirSync(at('full'))],
    ['an empty file', () => void written('full', '')],
    ['no file', () => {}],
  ])('but not when it is %s', async (_, create) => {
    create()
    await expect(claimOutput(at('full'), at('claimed'))).rejects.toMatchObject(crashed)
  })
})

test('removing files ignores those that do not exist, and removes folders too', async () => {
  mkdirSync(at('folder/inside'), { recursive: true })
  await removeFiles([written('one'), at('missing'), at('folder')], log)
  expect([existsSync(at('one')), existsSync(at('folder'))]).toEqual([false, false])
})

test('a folder is emptied and stays', async () => {
  written('one')
  mkdirSync(at('folder'))
  await emptyFolder(dir, log)
  expect([existsSync(dir), existsSync(at('one')), existsSync(at('folder'))]).toEqual([true, false, false])
})
