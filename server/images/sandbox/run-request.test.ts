import { pino } from 'pino'
import { expect, test } from 'vitest'
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
  }
}

test('replies to another request are ignored', async () => {
  const { reply, answer } = start()
  answer({ ...full, id: 6, lossless: false }, full)
  expect(await reply).toEqual(full)
})

test('a process that exits with the code for it has run out of memory', async () => {
  const { reply, exit } = start()
  exit(memoryExitCode)
  await expect(reply).rejects.toMatchObject({ kind: 'memory' })
})

test('a request that was aborted before is not sent', async () => {
  const { reply, sent, state } = start({ signal: AbortSignal.abort(new Error('too late')) })
  await expect(reply).rejects.toThrow('too late')
  expect([sent, state.discarded]).toEqual([[], 1])
})
