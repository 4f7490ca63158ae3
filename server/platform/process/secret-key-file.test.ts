import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../test/child-processes.ts'
import { forgetFormerKeys, loadSecretKeys, replaceKeyFile } from './secret-key-file.ts'

const load = (dataDir: string, secretKey?: string, acceptedSecretKeys: string[] = []) =>
  loadSecretKeys({ dataDir, secretKey, acceptedSecretKeys })

test('configured keys are used, and none is stored', async () => {
  const dataDir = scratchFolder(onTestFinished)
  expect(await load(dataDir, 'configured', ['former'])).toEqual({ current: 'configured', accepted: ['former'] })
  expect(readdirSync(dataDir)).toEqual([])
})

test('otherwise a key is created once, also by programs that start together, readable by this user only', async () => {
  const dataDir = scratchFolder(onTestFinished)
  const keys = await Promise.all([load(dataDir), load(dataDir)])
  expect(keys[0].current).toMatch(/^[0-9a-f]{64}$/)
  expect(await load(dataDir)).toEqual(keys[0])
  expect(readdirSync(dataDir)).toEqual(['secret-key'])
  expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
})

test('a damaged key is refused rather than replaced', async () => {
  const dataDir = scratchFolder(onTestFinished)
  writeFileSync(join(dataDir, 'secret-key'), 'short')
  await expect(load(dataDir)).rejects.toThrow('is damaged')
  await expect(replaceKeyFile(dataDir)).rejects.toThrow('is damaged')
  expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe('short')
})

test('a replaced key is accepted until it is forgotten', async () => {
  const dataDir = scratchFolder(onTestFinished)
  const { current: first } = await load(dataDir)
  await replaceKeyFile(dataDir)
  const { current: second, accepted } = await load(dataDir)
  expect(second).not.toBe(first)
  expect(accepted).toEqual([first])
  expect(statSync(join(dataDir, 'secret-keys-former')).mode & 0o777).toBe(0o600)
  await replaceKeyFile(dataDir)
  expect((await load(dataDir)).accepted).toEqual([second, first])
  await forgetFormerKeys(dataDir, [second])
  expect((await load(dataDir)).accepted).toEqual([second])
  await forgetFormerKeys(dataDir, [])
  expect(existsSync(join(dataDir, 'secret-keys-former'))).toBe(false)
})
