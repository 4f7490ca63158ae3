import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { type ImageReply, type ImageRequest, memoryExitCode } from '../protocol.ts'
import {
  type ImageProcessHandle,
  type ProcessListener,
  type RequestCallbacks,
  runRequest,
  superviseProcess,
} from './slot.ts'
import { defaultResourceLimits } from './resource-limits.ts'

describe('process supervisor', () => {
  /** A supervisor and the image processes that it has started; they say and do what the test lets them. */
  function startSupervisor() {
    const processes: ReturnType<typeof fakeProcess>[] = []
    const launcher = {
      start: () => {
        const process = fakeProcess()
        processes.push(process)
        // Only these members are used.
        return process.child as unknown as ChildProcess
      },
      close: () => {},
    }
    const supervisor = superviseProcess({ index: 0, dir: '/slot', launcher, log: pino({ level: 'silent' }) })
    return { supervisor, processes }
  }

  function fakeProcess() {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    let isKilled = false
    const kill = () => (isKilled = true)
    const child = Object.assign(new EventEmitter(), { stdin, stdout, stderr, kill })
    return {
      child,
      isKilled: () => isKilled,
      // Lines may be divided.
      sayReady: () => void (stdout.write('{"type":"rea'), stdout.write('dy"}\n')),
      exit: () => void child.emit('close', null, 'SIGKILL'),
    }
  }

  test('a process that exits is replaced', async () => {
    const { supervisor, processes } = startSupervisor()
    const ready = supervisor.start()
    await expect.poll(() => processes.length).toBe(1)
    processes[0]!.sayReady()
    await ready
    processes[0]!.exit()
    await expect.poll(() => processes.length).toBe(2)
  })

  test('a process that is stopped before it was started is never started', async () => {
    const { supervisor, processes } = startSupervisor()
    const ready = supervisor.start()
    supervisor.stop()
    await expect(ready).rejects.toThrow('stopped before it was started')
    expect(processes).toEqual([])
  })

  test('the next process starts once the stopped one has exited, however often it was stopped', async () => {
    const { supervisor, processes } = startSupervisor()
    const ready = supervisor.start()
    await expect.poll(() => processes.length).toBe(1)
    processes[0]!.sayReady()
    await ready
    supervisor.stop()
    supervisor.stop()
    expect(processes[0]!.isKilled()).toBe(true)
    const readyAgain = supervisor.start()
    await new Promise((resolve) => setTimeout(resolve))
    expect(processes).toHaveLength(1)
    processes[0]!.exit()
    await expect.poll(() => processes.length).toBe(2)
    processes[1]!.sayReady()
    await readyAgain
  })
})

describe('run request', () => {
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
})
