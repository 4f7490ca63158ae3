import type { Logger } from 'pino'
import { memoryExit } from './answer.ts'
import { crashed, refused, tooHungry, tooSlow } from './failure.ts'
import type { Ending, ImageProcess } from './image-process.ts'
import type { Reply, Request } from './protocol.ts'
import { watchProcess, type Limits } from './watch.ts'

export interface Heard {
  thumbnail(made: Extract<Reply, { tell: 'thumbnail' }>): void
  signal?: AbortSignal | undefined
}

export type Finished = Extract<Reply, { tell: 'full' | 'picture' }>

export interface Conversation extends Heard {
  limits: Limits
  log: Logger
  /** Gives the process up. */
  discard(): void
}

/**
 * One request to an image process and its replies. Rejects with an `ImageFailure`, with the signal's reason, or with
 * another error when the machine is at fault; a process that is too slow, too large or no longer wanted is given up.
 */
export function converse(working: ImageProcess, task: Request, options: Conversation): Promise<Finished> {
  const { limits, log, signal, discard } = options
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      watch.stop()
      signal?.removeEventListener('abort', aborted)
      working.hear({})
    }
    const fail = (reason: unknown): void => {
      settle()
      reject(reason)
    }
    const giveUp = (reason: unknown): void => {
      fail(reason)
      discard()
    }
    const aborted = (): void => giveUp(signal?.reason)
    const watch = watchProcess(working.pid ?? 0, { limits, maxMegapixels: task.maxMegapixels }, (kind) => {
      log.warn({ kind, peakMb: Math.round(watch.peakBytes() / 1e6) }, 'an image process went too far')
      giveUp(kind === 'memory' ? tooHungry() : tooSlow())
    })
    const hear = (reply: Reply): void => {
      if (reply.tell === 'ready' || reply.id !== task.id) return
      if (reply.tell === 'sized') return watch.sized(reply.megapixels)
      if (reply.tell === 'thumbnail') return options.thumbnail(reply)
      if (reply.tell === 'refused') {
        log.debug({ code: reply.code, why: reply.why }, 'a photo was refused')
        return fail(refused(reply.code, task.maxMegapixels))
      }
      if (reply.tell === 'broken') {
        log.error({ words: reply.message }, 'an image process could not do its work')
        return fail(reply.machine ? new Error(`an image process could not write: ${reply.message}`) : crashed())
      }
      settle()
      resolve(reply)
    }
    // The kernel's own limits strike between two looks of ours.
    const ended = ({ code }: Ending): void =>
      fail(code === memoryExit || watch.wasNearLimit() ? tooHungry() : crashed())
    working.hear({ reply: hear, ended })
    signal?.addEventListener('abort', aborted)
    if (signal?.aborted) return aborted()
    working.send(task)
  })
}
