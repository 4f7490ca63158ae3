import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { converse, type Finished, type Heard } from './conversation.ts'
import { startImageProcess, type Ending, type ImageProcess } from './image-process.ts'
import type { Launcher } from './launch.ts'
import type { Request } from './protocol.ts'
import { memoryOf, type Limits } from './watch.ts'

/** A place for one image process, which is replaced whenever it dies or has grown. */
export interface Slot {
  readonly dir: string
  /** Starts a process if there is none. Resolves once it has reported; rejects when it cannot be started. */
  warm(): Promise<void>
  /** Ends the process of a slot that nobody uses, until the next one is asked for. */
  cool(): void
  /** Runs one request to its end; rejects as `converse` does, and when no process can be started. */
  run(request: Omit<Request, 'id'>, heard: Heard): Promise<Finished>
  /** After a request: replaces a process that has grown. Resolves when nobody is left who writes into the folder. */
  rest(): Promise<void>
  pid(): number | undefined
  close(): Promise<void>
}

/** By how much a process may outgrow its first size before it is replaced: after a request, and after a quiet while. */
export interface Growth {
  workingBytes: number
  idleBytes: number
}

export interface SlotOptions {
  index: number
  dir: string
  launcher: Launcher
  limits: Limits
  log: Logger
  grown: Growth
}

const reportsWithinMs = 20_000
const waitAfterFailureMs = { first: 50, most: 5_000 }
const idleAfterMs = 10_000

export function createSlot({ index, dir, launcher, limits, log, grown }: SlotOptions): Slot {
  let closed = false
  let failures = 0
  let lastId = 0
  let firstSize = 0
  let current: ImageProcess | undefined
  let previous: Promise<unknown> | undefined
  let idle: NodeJS.Timeout | undefined
  const size = (): number => (current?.pid ? (memoryOf(current.pid) ?? 0) : 0)
  let ready: Promise<void> | undefined
  const warm = (): Promise<void> => {
    if (!ready) {
      ready = begin()
      ready.catch(() => {})
    }
    return ready
  }

  /** Starts a process, after the one before it has ended, and waits for its first word. */
  async function begin(): Promise<void> {
    await previous
    if (failures > 0) await pause(Math.min(waitAfterFailureMs.most, waitAfterFailureMs.first * 2 ** failures))
    if (closed) throw new Error('closed')
    const starting = startImageProcess(launcher, index, dir)
    current = starting
    void starting.ended.then((ending) => current === starting && ended(ending))
    const late = setTimeout(() => starting.kill(), reportsWithinMs)
    try {
      await firstWord(starting)
      failures = 0
      firstSize = size()
    } finally {
      clearTimeout(late)
    }
  }

  /** Whatever ends, another one starts; more slowly when that goes wrong again and again. */
  function ended(ending: Ending): void {
    if (closed) return
    failures++
    log.warn({ slot: index, ...ending, words: ending.words.slice(-500) }, 'an image process ended; starting another')
    restart()
  }

  function cool(): void {
    clearTimeout(idle)
    previous = current?.ended
    current?.kill()
    current = undefined
    ready = undefined
  }

  function restart(): void {
    cool()
    void warm()
  }

  return {
    dir,
    warm,
    cool,
    pid: () => current?.pid,
    async run(request, heard) {
      clearTimeout(idle)
      await warm()
      // Between its first word and now it may have ended.
      const working = current ?? (await warm(), current)
      if (!working?.pid) throw new Error('there is no image process')
      const task = { ...request, id: ++lastId }
      return converse(working, task, { ...heard, limits, log, discard: restart })
    },
    async rest() {
      clearTimeout(idle)
      if (size() - firstSize > grown.workingBytes) restart()
      idle = setTimeout(() => size() - firstSize > grown.idleBytes && restart(), idleAfterMs)
      idle.unref()
      if (!current) await previous
    },
    async close() {
      closed = true
      clearTimeout(idle)
      current?.kill()
      await Promise.all([previous, current?.ended])
    },
  }
}

function firstWord(starting: ImageProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    starting.hear({
      reply: ({ tell }) => tell === 'ready' && resolve(),
      ended: ({ code, signal, words }) =>
        reject(new Error(`the image process ended before it reported (${signal ?? code ?? 'not started'}): ${words}`)),
    })
  })
}
