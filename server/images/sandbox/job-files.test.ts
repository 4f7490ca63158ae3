import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { JobInput } from './image-jobs.ts'
import { createJobFiles } from './image-pool.ts'

let jobsDir: string
let slotDir: string
beforeEach(() => {
  const dir = mkdtempSync(join(tmpdir(), 'keepsnap-jobs-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  ;[jobsDir, slotDir] = [join(dir, 'jobs'), join(dir, 'slot')]
  for (const folder of [jobsDir, slotDir]) mkdirSync(folder)
})
const createFiles = (input: JobInput) => createJobFiles(jobsDir, { number: 3, input, log: pino({ level: 'silent' }) })
const writeInput = (path: string): Promise<void> => writeFile(path, 'photo')
const layout = { size: 'small', corner: 'center', strength: 'light' } as const

test('the input is written once and moved into the folder of the slot', async () => {
  let writes = 0
  const files = createFiles({ writeInput: (path) => (writes++, writeInput(path)) })
  expect(await Promise.all([files.write(), files.write()])).toEqual([{ watermark: null }, { watermark: null }])
  expect(readdirSync(jobsDir)).toEqual(['3-in'])
  expect(await files.moveInto(slotDir)).toMatchObject({ watermark: null, input: { size: 5 } })
  expect([writes, readdirSync(jobsDir), readdirSync(slotDir)]).toEqual([1, [], ['in']])
})

test('a logo that no longer exists means no watermark', async () => {
  const files = createFiles({ writeInput, watermark: { layout, writeLogo: async () => false } })
  expect((await files.moveInto(slotDir)).watermark).toBeNull()
})

test('nothing is left when writing fails', async () => {
  const writeBrokenLogo = async (path: string): Promise<boolean> => {
    await writeFile(path, 'lo')
    throw new Error('the store is down')
  }
  await expect(createFiles({ writeInput, watermark: { layout, writeLogo: writeBrokenLogo } }).write()).rejects.toThrow(
    'the store is down',
  )
  expect(readdirSync(jobsDir)).toEqual([])
})
