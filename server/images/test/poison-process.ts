/** An image process whose input may name a fault to inject and its argument (`poison.ts`); other input is rendered. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { imageFiles, memoryExitCode } from '../protocol.ts'
import { allowDecoders } from '../render/libvips.ts'
import { render, type RenderProgress, type RenderRequest, serveRequests } from '../render/render.ts'
import { probeIsolation } from './isolation-probe.ts'

const forever = (): Promise<never> => new Promise(() => setInterval(() => {}, 1000))
const thumbnail = { width: 1, height: 1, thumbhash: 'abcd' }
const full = {
  contentType: 'image/jpeg',
  lossless: true,
  watermarked: false,
  inputUnchanged: false,
  capturedAt: null,
} as const

async function useMemory(): Promise<never> {
  const used: Buffer[] = []
  for (;;) {
    used.push(Buffer.alloc(16 * 1024 * 1024, 1))
    // Slowly enough that a pause of the process that checks it is not too long.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function writeThumbnail(progress: RenderProgress): void {
  writeFileSync(imageFiles.thumbnail, 'thumb')
  progress.onThumbnail(thumbnail)
}

/** What each fault does, and its argument. */
const actions = {
  segfault: () => (process.kill(process.pid, 'SIGSEGV'), forever()),
  abort: () => process.abort(),
  exit: () => process.exit(0),
  // oxlint-disable-next-line no-constant-condition
  loop: async () => {
    for (;;);
  },
  hang: forever,
  stall: (progress) => (writeThumbnail(progress), forever()),
  memory: useMemory,
  'memory-exit': () => process.exit(memoryExitCode),
  chatter: () => (process.stdout.write('hello\nworld\n'), forever()),
  flood: () => (process.stdout.write('x'.repeat(1_000_000)), forever()),
  'after-thumbnail': async (progress, argument) => {
    writeThumbnail(progress)
    // The reply must have been written before the fault.
    await new Promise((resolve) => process.stdout.write('', resolve))
    await runFault(argument, progress)
  },
  'no-thumbnail': async (progress) => progress.onFull(full),
  'no-files': async (progress) => (progress.onThumbnail(thumbnail), progress.onFull(full)),
  'full-is-link': async (progress, target) => {
    symlinkSync(target, imageFiles.full)
    writeThumbnail(progress)
    progress.onFull(full)
  },
  'disk-full': () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
  bug: () => Promise.reject(new TypeError('a bug in the image process')),
  'probe-isolation': async (progress, places) => {
    writeFileSync(imageFiles.thumbnail, JSON.stringify(await probeIsolation(JSON.parse(places))))
    writeFileSync(imageFiles.full, 'full')
    progress.onThumbnail(thumbnail)
    progress.onFull(full)
  },
} satisfies Record<string, (progress: RenderProgress, argument: string) => Promise<unknown>>

export type ImageProcessFault = keyof typeof actions

function runFault(name: string, progress: RenderProgress, argument = ''): Promise<unknown> {
  if (!(name in actions)) throw new Error(`unknown fault: ${name}`)
  return actions[name as ImageProcessFault](progress, argument)
}

async function renderOrFail(request: RenderRequest, progress: RenderProgress): Promise<void> {
  const [marker, name = '', ...argument] = readFileSync(imageFiles.input, 'utf8').slice(0, 2000).split(' ')
  if (marker !== 'POISON') return render(request, progress)
  await runFault(name, progress, argument.join(' '))
}

allowDecoders()
if (process.argv[2] === 'compile-only') process.exit()
serveRequests(renderOrFail, { maxOwnBytes: null })
