import { appendFile, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFolderLister, createScan, type FolderListener, settleMs } from './file-scan.ts'

async function startScan({ recursive = false, max = 100 } = {}) {
  const folder = join(await mkdtemp(join(tmpdir(), 'keepsnap-scan-')), 'photos')
  await mkdir(folder)
  onTestFinished(() => rm(join(folder, '..'), { recursive: true, force: true }))
  const told: string[] = []
  const listener: FolderListener = {
    notAPhoto: (name) => void told.push(`not a photo: ${name}`),
    unreadable: (_, reason) => void told.push(`unreadable: ${reason}`),
    readableAgain: () => void told.push('readable again'),
    tooMany: (_, count) => void told.push(`more than ${count}`),
  }
  let now = 0
  let msPerCall = 0
  const scan = createScan({
    folders: [folder],
    files: [],
    lister: createFolderLister({ recursive, max }, listener),
    now: () => (now += msPerCall),
  })
  return {
    folder,
    told,
    scan,
    write: (name: string, text = name) => writeFile(join(folder, name), text),
    /** From now on the clock moves whenever it is read, as in scans that take long. */
    slowDown: (ms: number) => void (msPerCall = ms),
    /** Scans after some time has passed; the names of the files that are ready. */
    async after(ms: number): Promise<string[]> {
      now += ms
      await scan.run()
      return scan.ready().map(({ name }) => name)
    },
  }
}

test('a file is ready once it has not changed for two seconds', async () => {
  const { folder, write, after, scan } = await startScan()
  await write('a.jpg')
  expect(await after(0)).toEqual([])
  expect(await after(settleMs - 1)).toEqual([])
  await appendFile(join(folder, 'a.jpg'), 'more')
  expect(await after(1)).toEqual([])
  expect(await after(settleMs - 1)).toEqual([])
  expect(scan.settling()).toBe(1)
  expect(await after(1)).toEqual(['a.jpg'])
  expect(scan.settling()).toBe(0)
})

test('files are ready in the order in which they were written, those of one moment by their numbers', async () => {
  const { folder, write, after } = await startScan()
  for (const name of ['IMG_10.JPG', 'IMG_9.JPG', 'last.png', 'first.heic']) await write(name)
  const at = (name: string, seconds: number) => utimes(join(folder, name), seconds, seconds)
  await at('IMG_10.JPG', 1_000)
  await at('IMG_9.JPG', 1_000)
  await at('last.png', 2_000)
  await at('first.heic', 500)
  await after(0)
  expect(await after(settleMs)).toEqual(['first.heic', 'IMG_9.JPG', 'IMG_10.JPG', 'last.png'])
})

test('files that one slow scan finds are ready together, two seconds after it has ended', async () => {
  const { write, after, slowDown } = await startScan()
  for (const name of ['b.jpg', 'a.jpg']) await write(name)
  slowDown(settleMs)
  await after(0)
  slowDown(0)
  expect(await after(settleMs - 1)).toEqual([])
  expect(await after(1)).toHaveLength(2)
})

test('a file that was handled is ready again when it changes', async () => {
  const { write, after, scan } = await startScan()
  await write('a.jpg')
  await after(0)
  await after(settleMs)
  const [file] = scan.ready()
  if (!file) throw new Error('no file')
  scan.handled(file)
  expect(await after(settleMs)).toEqual([])
  await write('a.jpg', 'another photo')
  expect(await after(0)).toEqual([])
  // What was handled is the earlier content.
  scan.handled(file)
  expect(await after(settleMs)).toEqual(['a.jpg'])
})

test('a file that is not a photo is reported once, system files and unfinished downloads never', async () => {
  const { write, after, told } = await startScan()
  for (const name of ['notes.txt', 'raw.CR2', '.hidden.jpg', '._a.jpg', 'Thumbs.db', 'a.jpg.part', '~a.jpg'])
    await write(name)
  await after(0)
  expect(await after(settleMs)).toEqual([])
  expect(told.sort()).toEqual(['not a photo: notes.txt', 'not a photo: raw.CR2'])
})

test('subfolders are scanned only if recursive, and loops of symbolic links are not followed', async () => {
  for (const recursive of [false, true]) {
    const { folder, after } = await startScan({ recursive })
    await mkdir(join(folder, 'saturday'))
    await writeFile(join(folder, 'saturday', 'a.jpg'), 'a')
    await symlink(folder, join(folder, 'saturday', 'circle'))
    await after(0)
    expect(await after(settleMs)).toEqual(recursive ? ['a.jpg'] : [])
  }
})

test('an unavailable folder is reported once, and its files stay known', async () => {
  const { folder, write, after, scan, told } = await startScan()
  await write('a.jpg')
  await write('b.jpg')
  await after(0)
  await after(settleMs)
  for (const file of scan.ready()) if (file.name === 'a.jpg') scan.handled(file)
  await rename(folder, `${folder} away`)
  await after(1_000)
  await after(1_000)
  expect(told).toEqual(['unreadable: ENOENT'])
  await rename(`${folder} away`, folder)
  await after(1_000)
  expect(told).toEqual(['unreadable: ENOENT', 'readable again'])
  expect(scan.ready().map(({ name }) => name)).toEqual(['b.jpg'])
  expect(scan.settling()).toBe(0)
})

test('a file that is removed is forgotten', async () => {
  const { folder, write, after, scan } = await startScan()
  await write('a.jpg')
  await after(0)
  await rm(join(folder, 'a.jpg'))
  expect(await after(settleMs)).toEqual([])
  expect(scan.settling()).toBe(0)
})

test('the photos of a folder are limited, which is reported once', async () => {
  const { write, after, told } = await startScan({ max: 2 })
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await write(name)
  await after(0)
  expect(await after(settleMs)).toHaveLength(2)
  expect(told).toEqual(['more than 2'])
})
