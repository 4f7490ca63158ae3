import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { FoundFile } from './file-scan.ts'
import type { UploadResult } from './uploader.ts'
import { createWatch, type WatchTotals } from './watch.ts'

// The folders are real, the time is not.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

async function folderWith(...names: string[]): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'keepsnap-watch-')), 'photos')
  onTestFinished(() => rm(join(folder, '..'), { recursive: true, force: true }))
  await mkdir(folder)
  for (const name of names) await writeFile(join(folder, name), name)
  return folder
}

/** Lets the scans of one watch go on. */
function createScanControl() {
  const events = new EventEmitter()
  let endWait = (): void => {}
  /** Resolves when a scan has ended, and what waits for its end has gone on. */
  const scanned = async (): Promise<void> => {
    await once(events, 'scanned')
    await nextTurn()
  }
  return {
    firstScan: scanned(),
    waitForScan: (_seconds: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
        endWait = resolve
        events.emit('scanned')
      }),
    async nextScan(): Promise<void> {
      const ended = scanned()
      vi.advanceTimersByTime(250)
      endWait()
      await ended
    },
  }
}
type ScanControl = ReturnType<typeof createScanControl>

/** Runs with `once` to its end; `onUpload` is called for each file, `afterScan` when the first scan has found the files. */
async function runOnce(
  paths: { folders?: string[]; files?: string[] },
  {
    onUpload = async () => ({ is: 'uploaded' }),
    afterScan = async () => {},
  }: {
    onUpload?: (path: string, control: ScanControl) => Promise<UploadResult>
    afterScan?: () => Promise<void>
  } = {},
) {
  const lines: string[] = []
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const control = createScanControl()
  const watch = createWatch({
    folders: [],
    files: [],
    ...paths,
    recursive: true,
    once: true,
    output: { line: (text) => void lines.push(text), progress: () => {}, qrCode: () => {} },
    signal: controller.signal,
    waitForScan: control.waitForScan,
  })
  const ended: { totals?: WatchTotals } = {}
  let uploading: Promise<unknown> = Promise.resolve()
  const upload = ({ path }: FoundFile): Promise<UploadResult> => {
    const result = onUpload(path, control)
    uploading = result
    return result
  }
  const run = watch.run({ upload }).then((totals) => Object.assign(ended, { totals }))
  // A run that does not end is reported below.
  run.catch(() => {})
  await control.firstScan
  await afterScan()
  // Files are ready after 2 s.
  for (let scans = 0; scans < 100 && !ended.totals; scans++) {
    await control.nextScan()
    await uploading
  }
  if (!ended.totals) throw new Error('the command does not end')
  const { totals } = await run
  return { totals, lines }
}

test('with once, a folder that cannot be read is not uploaded, and nobody waits for it', async () => {
  const folder = await folderWith()
  await rm(folder, { recursive: true })
  const { totals, lines } = await runOnce({ folders: [folder] })
  expect(totals).toEqual({ uploaded: 0, known: 0, failed: 1 })
  expect(lines).toEqual([`${folder} cannot be read (ENOENT).`])
})

test.each([
  ['is empty', 2, async () => {}],
  ['is gone', 3, (folder: string) => rm(folder, { recursive: true, force: true })],
])('with once, the photos of a share that %s during the run are not uploaded', async (_, failed, then) => {
  const folder = await folderWith('a.jpg', 'b.jpg', 'c.jpg')
  const { totals, lines } = await runOnce(
    { folders: [folder] },
    {
      async onUpload(path) {
        if (path.endsWith('a.jpg')) return { is: 'uploaded' }
        for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await rm(join(folder, name), { force: true })
        await then(folder)
        return { is: 'changed' }
      },
    },
  )
  expect(totals).toEqual({ uploaded: 1, known: 0, failed })
  expect(lines.filter((line) => /[bc]\.jpg: not uploaded/.test(line))).toHaveLength(2)
})

test('with once, nobody waits for files that have not settled in a folder that is gone', async () => {
  const folder = await folderWith('a.jpg')
  const afterScan = () => rm(folder, { recursive: true })
  expect((await runOnce({ folders: [folder] }, { afterScan })).totals).toEqual({ uploaded: 0, known: 0, failed: 2 })
})

test('a named file that disappears is not uploaded; one that is removed while it is sent is', async () => {
  const folder = await folderWith('b.jpg')
  const files = [join(folder, 'a.jpg'), join(folder, 'b.jpg')]
  const { totals, lines } = await runOnce(
    { files },
    {
      async onUpload(path, { nextScan }) {
        await rm(path)
        await nextScan()
        return { is: 'uploaded' }
      },
    },
  )
  expect(totals).toEqual({ uploaded: 1, known: 0, failed: 1 })
  expect(lines).toEqual(['a.jpg: not uploaded. It is no longer there, or cannot be read.'])
})
