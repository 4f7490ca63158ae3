import type { Logger } from 'pino'
import { memoryExitCode, type ImageReply, type ImageRequest } from '../protocol.ts'
import { crashFailure, memoryFailure, refusalFailure, timeoutFailure } from './image-failure.ts'
import type { ImageProcessHandle, ProcessExit } from './process-handle.ts'
import { watchProcess, type ResourceLimits } from './resource-limits.ts'

/** What a request reports while it runs. */
export interface RequestCallbacks {
  onThumbnail?(thumbnail: Extract<ImageReply, { type: 'thumbnail' }>): void
  /** Called when the request has ended, with the CPU time that it used. */
  onCpuMs?(ms: number): void
  signal?: AbortSignal | undefined
}

/** The reply that ends a successful request. */
export type FinalReply = Extract<ImageReply, { type: 'full' | 'image' }>

/** How a request is run. */
export interface RunRequestOptions extends RequestCallbacks {
  limits: ResourceLimits
  log: Logger
  /** Kills and replaces the process. */
  discardProcess(): void
}

/** What becomes of a request after one reply: not over yet, done, or failed. */
type Step = { reply: FinalReply } | { error: unknown } | null

function nextStep(reply: ImageReply, request: ImageRequest, { log, onThumbnail }: RunRequestOptions): Step {
  switch (reply.type) {
    case 'ready':
    case 'sized':
      return null
    case 'thumbnail':
      onThumbnail?.(reply)
      return null
    case 'refused':
      log.debug({ code: reply.code, reason: reply.reason }, 'a photo was refused')
      return { error: refusalFailure(reply.code, request.maxMegapixels) }
    case 'failed':
      log.error({ message: reply.message }, 'an image process failed')
      return {
        error: reply.machineFault ? new Error(`an image process could not write: ${reply.message}`) : crashFailure(),
      }
    default:
      return { reply }
  }
}

/**
 * Sends one request to an image process and waits for its final reply. Rejects with an `ImageFailure`, with the signal's
 * reason, or with another error when the machine is at fault. A process that takes too long, uses too much memory or is no
 * longer needed is discarded.
 */
export function runRequest(
  process: ImageProcessHandle,
  request: ImageRequest,
  options: RunRequestOptions,
): Promise<FinalReply> {
  const { limits, log, signal, discardProcess } = options
  const { promise, resolve, reject } = Promise.withResolvers<FinalReply>()
  const rejectAndDiscard = (reason: unknown): void => {
    resourceWatch.stop()
    reject(reason)
    discardProcess()
  }
  const abortRequest = (): void => rejectAndDiscard(signal?.reason)
  const resourceWatch = watchProcess(process.pid ?? 0, { limits, maxMegapixels: request.maxMegapixels }, (exceeded) => {
    log.warn({ exceeded, peakMb: Math.round(resourceWatch.peakBytes() / 1e6) }, 'an image process exceeded its limit')
    rejectAndDiscard(exceeded === 'memory' ? memoryFailure() : timeoutFailure())
  })
  process.setListener({
    onMessage(reply) {
      if (reply.type === 'ready' || reply.id !== request.id) return
      if (reply.type === 'sized') resourceWatch.setSize(reply)
      const step = nextStep(reply, request, options)
      if (step && 'reply' in step) resolve(step.reply)
      else if (step) reject(step.error)
    },
    // The kernel's memory limit can strike between two of our checks.
    onExit: ({ code }: ProcessExit) =>
      reject(code === memoryExitCode || resourceWatch.wasNearLimit() ? memoryFailure() : crashFailure()),
  })
  signal?.addEventListener('abort', abortRequest)
  if (signal?.aborted) abortRequest()
  else process.send(request)
  return promise.finally(() => {
    resourceWatch.stop()
    options.onCpuMs?.(resourceWatch.cpuMs())
    signal?.removeEventListener('abort', abortRequest)
    process.setListener({})
  })
}
