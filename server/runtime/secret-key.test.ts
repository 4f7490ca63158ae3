import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../test/child-processes.ts'
import { loadSecretKey } from './secret-key.ts'

test('a configured key is used, and none is stored', async () => {
  const dataDir = scratchFolder(onTestFinished)
  expect(await loadSecretKey('configured', dataDir)).toBe('configured')
  expect(readdirSync(dataDir)).toEqual([])
})

test('otherwise a key is created once, also by programs that start together, readable by this user only', async () => {
  const dataDir = scratchFolder(onTestFinished)
  const secretKey = await loadSecretKey(undefined, dataDir)
  expect(secretKey).toMatch(/^[0-9a-f]{64}$/)
  expect(await loadSecretKey(undefined, dataDir)).toBe(secretKey)
  expect(readdirSync(dataDir)).toEqual(['secret-key'])
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
})

test('a damaged key is refused rather than replaced', async () => {
  const dataDir = scratchFolder(onTestFinished)
  writeFileSync(join(dataDir, 'secret-key'), 'short')
  await expect(loadSecretKey(undefined, dataDir)).rejects.toThrow('is damaged')
})
