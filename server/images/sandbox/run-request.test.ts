import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { memoryExitCode, type ImageReply, type ImageRequest } from '../protocol.ts'
import type { ImageProcessHandle, ProcessListener } from './process-handle.ts'
import { defaultResourceLimits } from './resource-limits.ts'
import { runRequest, type RequestCallbacks } from './run-request.ts'

const request: ImageRequest = { id: 7, work: 'photo', maxMegapixels: 120, watermark: null }
const full: ImageReply = {
  id: 7,
  type: 'full',
  contentType: 'image/jpeg',
  lossless: true,
  watermarked: false,
  inputUnchanged: false,
}
const thumbnail: ImageReply = { id: 7, type: 'thumbnail', width: 4, height: 3, thumbhash: 'abcd' }

/** A request to a process that answers as the test says. */
function start(callbacks: RequestCallbacks = {}) {
  let listener: ProcessListener = {}
  const sent: ImageRequest[] = []
  const imageProcess: ImageProcessHandle = {
    pid: undefined,
    exited: new Promise(() => {}),
    send: (one) => void sent.push(one),
    setListener: (next) => void (listener = next),
    kill: () => {},
  }
  const state = { discarded: 0 }
  const reply = runRequest(imageProcess, request, {
    ...callbacks,
    limits: defaultResourceLimits,
    log: pino({ level: 'silent' }),
    discardProcess: () => void state.discarded++,
  })
  return {
    reply,
    sent,
    state,
    answer: (...replies: ImageReply[]) => replies.forEach((one) => listener.onMessage?.(one)),
    exit: (code: number) => listener.onExit?.({ code, signal: null, stderrTail: '' }),
    isListening: () => listener.onMessage !== undefined,
  }
}

test('a request is sent once and ends with its final reply', async () => {
  const thumbnails: unknown[] = []
  const { reply, sent, answer, state, isListening } = start({ onThumbnail: (one) => thumbnails.push(one) })
  expect(sent).toEqual([request])
  answer({ type: 'ready' }, { id: 7, type: 'sized', megapixels: 12, animated: false }, thumbnail, full)
  expect(await reply).toEqual(full)
  expect(thumbnails).toEqual([thumbnail])
  expect([state.discarded, isListening()]).toEqual([0, false])
})

afterEach(() => void vi.useRealTimers())

test('an ordinary animation, 120 frames of 480 by 480 pixels, may take 40 seconds; a still picture of as many pixels not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const [animation, still] = [start(), start()]
  animation.answer({ id: 7, type: 'sized', megapixels: 27.6, animated: true })
  still.answer({ id: 7, type: 'sized', megapixels: 27.6, animated: false })
  vi.advanceTimersByTime(40_000)
  await expect(still.reply).rejects.toMatchObject({ kind: 'timeout' })
  animation.answer(thumbnail, full)
  expect(await animation.reply).toEqual(full)
})

test('replies to another request are ignored', async () => {
  const { reply, answer } = start()
  answer({ ...full, id: 6, lossless: false }, full)
  expect(await reply).toEqual(full)
})

test('a refusal ends the request, and the process stays', async () => {
  const { reply, answer, state } = start()
  answer({ id: 7, type: 'refused', code: 'pixels', reason: '' })
  await expect(reply).rejects.toMatchObject({ kind: 'refused', code: 'pixels' })
  expect(state.discarded).toBe(0)
})

test('a failure of the machine is not blamed on the photo; a bug is a crash', async () => {
  const [fullDisk, bug] = [start(), start()]
  fullDisk.answer({ id: 7, type: 'failed', machineFault: true, message: 'ENOSPC' })
  await expect(fullDisk.reply).rejects.toThrow('an image process could not write: ENOSPC')
  bug.answer({ id: 7, type: 'failed', machineFault: false, message: 'TypeError' })
  await expect(bug.reply).rejects.toMatchObject({ kind: 'crashed' })
})

test('a process that exits fails its request, by the exit code', async () => {
  const [crashed, outOfMemory] = [start(), start()]
  crashed.exit(1)
  await expect(crashed.reply).rejects.toMatchObject({ kind: 'crashed' })
  outOfMemory.exit(memoryExitCode)
  await expect(outOfMemory.reply).rejects.toMatchObject({ kind: 'memory' })
})

test('an aborted request ends with the reason, and the process is discarded', async () => {
  const controller = new AbortController()
  const { reply, state } = start({ signal: controller.signal })
  controller.abort(new Error('no longer needed'))
  await expect(reply).rejects.toThrow('no longer needed')
  expect(state.discarded).toBe(1)
})

test('a request that was aborted before is not sent', async () => {
  const { reply, sent, state } = start({ signal: AbortSignal.abort(new Error('too late')) })
  await expect(reply).rejects.toThrow('too late')
  expect([sent, state.discarded]).toEqual([[], 1])
})
