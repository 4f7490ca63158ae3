import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type KnownFile, lockState, openState, StateError } from './state-file.ts'

async function stateFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsnap-state-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'new folder', 'state.json')
}
const closeLock = (lock: Server[]): Promise<unknown> =>
  Promise.all(lock.map((server) => new Promise((resolve) => server.close(resolve))))
const known = (hash: string): KnownFile => ({
  hash,
  path: `/photos/${hash}.jpg`,
  name: `${hash}.jpg`,
  size: 3,
  modified: 1.5,
  result: 'uploaded',
  photoId: `photo of ${hash}`,
})

test('what was remembered and begun is there after opening it again', async () => {
  const file = await stateFile()
  const first = await openState(file, 'a')
  await first.start({ hash: 'one', name: 'one.jpg', at: '2026-11-23T12:00:00.000Z' })
  await first.remember(known('one'))
  await first.start({ hash: 'two', name: 'two.jpg', at: '2026-11-23T12:01:00.000Z' })
  const second = await openState(file, 'a')
  expect(second.byHash('one')).toEqual(known('one'))
  expect(second.byStat({ path: '/photos/one.jpg', size: 3, modified: 1.5 })).toEqual(known('one'))
  expect(second.byStat({ path: '/photos/one.jpg', size: 3, modified: 2 })).toBeUndefined()
  expect(second.byStat({ path: '/others/one.jpg', size: 3, modified: 1.5 })).toBeUndefined()
  expect([second.hasPhoto('photo of one'), second.hasPhoto('photo of two')]).toEqual([true, false])
  expect(second.byHash('two')).toBeUndefined()
  expect(second.started()).toEqual({ hash: 'two', name: 'two.jpg', at: '2026-11-23T12:01:00.000Z' })
  expect(await readdir(join(file, '..'))).toEqual(['state.json'])
})

test('a state of an earlier version, without paths, can be used, and a file that is recognized replaces its entry', async () => {
  const file = await stateFile()
  await openState(file, 'a')
  const { path: _, photoId: __, ...entry } = known('one')
  const started = { hash: 'two', name: 'two.jpg', at: '2026-11-23T12:01:00.000Z' }
  await writeFile(file, JSON.stringify({ version: 1, account: 'a', started, files: [entry] }))
  const state = await openState(file, 'a')
  expect([state.byHash('one'), state.started()]).toEqual([entry, started])
  await state.remember({ ...entry, path: '/photos/one.jpg' })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    // The upload of another file may still have been accepted.
    started,
    files: [{ hash: 'one', path: '/photos/one.jpg' }],
  })
})

test('a process that died while it wrote leaves the earlier state', async () => {
  const file = await stateFile()
  await (await openState(file, 'a')).remember(known('one'))
  await writeFile(`${file}.next`, (await readFile(file, 'utf8')).slice(0, 20))
  const state = await openState(file, 'a')
  expect(state.byHash('one')).toBeDefined()
  await state.remember(known('two'))
  expect((await openState(file, 'a')).byHash('two')).toBeDefined()
})

test('a state of another account, one that is damaged and one that cannot be written are refused', async () => {
  const file = await stateFile()
  await openState(file, 'a')
  await expect(openState(file, 'b')).rejects.toThrow(/another account/)
  for (const text of ['', '{"version":1}', '{"version":1,"account":"a","started":null,"files":[{"hash":1}]}', 'x']) {
    await writeFile(file, text)
    await expect(openState(file, 'a')).rejects.toThrow(StateError)
    expect(await readFile(file, 'utf8')).toBe(text)
  }
  await expect(openState(join(file, 'below.json'), 'a')).rejects.toThrow(StateError)
})

test('one process at a time uses a state, and a socket that was left behind does not keep others out', async () => {
  const file = await stateFile()
  const lock = await lockState(file)
  await expect(lockState(file)).rejects.toThrow(/Another keepsnap-upload/)
  const other = await lockState(`${file}2`)
  const addresses = lock.map((server) => server.address())
  await Promise.all([lock, other].map(closeLock))
  // A killed process cannot remove its sockets.
  for (const address of addresses)
    if (typeof address === 'string' && process.platform !== 'win32') await writeFile(address, '')
  await closeLock(await lockState(file))
})

test('of two processes that find a socket that was left behind, one uses the state', async ({ skip }) => {
  skip(process.platform === 'win32', 'a named pipe of Windows ends with its process')
  for (let round = 0; round < 5; round += 1) {
    const file = await stateFile()
    const earlier = await lockState(file)
    const addresses = earlier.map((server) => server.address() as string) // of Unix sockets
    await closeLock(earlier)
    for (const address of addresses) await writeFile(address, '')
    const outcomes = await Promise.allSettled([lockState(file), lockState(file)])
    const locks = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(locks).toHaveLength(1)
    await Promise.all(locks.map(closeLock))
  }
})

test('processes with different folders for temporary files do not use the same state', async ({ skip }) => {
  skip(process.platform === 'win32', 'a named pipe of Windows is in no folder')
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = await stateFile()
  const lock = await lockState(file)
  vi.stubEnv('TMPDIR', dirname(dirname(file)))
  await expect(lockState(file)).rejects.toThrow(/Another keepsnap-upload/)
  await closeLock(lock)
  await closeLock(await lockState(file))
})

test('a state whose folder can have no socket is locked by the folder for temporary files alone', async () => {
  const file = join(dirname(await stateFile()), 'a'.repeat(100), 'state.json')
  const lock = await lockState(file)
  await expect(lockState(file)).rejects.toThrow(/Another keepsnap-upload/)
  expect(lock).toHaveLength(1)
  await closeLock(lock)
})
