import { ApiError } from '../../../lib/api-errors.ts'
import { failureActionFor, type LimitProblem } from './problems.ts'
import type { UploadItem } from './queue.ts'
import type { SendingPause } from './sending-pause.ts'
import { hasStatus, type UploadStore } from './upload-store.ts'

/** How often one file is sent again automatically, for each reason. */
const maxRetries = {
  /** The server asked to retry this file later. */
  asked: 40,
  /** The server was not available. With pauses of 30 s, four hours for one file; a longer time when more files wait. */
  unavailable: 500,
  /** The server was not available for this file, although it could be reached since the last attempt. */
  unavailableAgain: 40,
  /** There was no response, and then the server could be reached again. */
  noResponse: 5,
}

type RetryReason = keyof typeof maxRetries
const noRetries: Readonly<Record<RetryReason, number>> = {
  asked: 0,
  unavailable: 0,
  unavailableAgain: 0,
  noResponse: 0,
}

/** What happens to files whose upload failed. */
export interface UploadFailures {
  handle(id: string, error: unknown, sentToken: string): void
  /** Ends the pause, and queues the files that had no response. A single file keeps its message. */
  serverReachable(): void
  /** One upload may show whether the server answers again: if none is queued, one that had no response. */
  probe(): void
  /** The retries so far are no longer counted. */
  forget(id: string): void
}

interface UploadFailuresOptions {
  store: UploadStore
  token: () => string | null
  /** The server refused the file because of a limit of the plan. */
  onOverLimit: (id: string, problem: LimitProblem) => void
  pause: SendingPause
  /** Called when files may be sent that had to wait. */
  onWaitEnd: () => void
}

const isQueuedAndSlow = ({ state, file }: UploadItem): boolean =>
  state.status === 'queued' && file.type !== 'image/jpeg'

/** The server would refuse the other files that are not JPEGs, too. JPEGs are still sent. */
function retrySlowLater({ store, onWaitEnd }: UploadFailuresOptions, id: string, delayMs: number): void {
  const waitsUntil = performance.now() + delayMs
  const isWaiting = ({ state }: UploadItem): boolean => state.status === 'queued' && state.waitsUntil === waitsUntil
  store.setStateWhere((item) => item.id === id || isQueuedAndSlow(item), { status: 'queued', waitsUntil })
  setTimeout(() => {
    store.setStateWhere(isWaiting, { status: 'queued' })
    onWaitEnd()
  }, delayMs)
}

function createRetryCounter() {
  const retriesByUpload = new Map<string, Record<RetryReason, number> & { reachableCount: number }>()
  /** How often the server could be reached again. */
  let reachableCount = 0
  return {
    serverReachable: (): void => void (reachableCount += 1),
    /** Counts one more retry; false when there were too many. */
    mayRetry(id: string, asked: Exclude<RetryReason, 'unavailableAgain'>): boolean {
      const retries = retriesByUpload.get(id) ?? { ...noRetries, reachableCount }
      const isAgain = asked === 'unavailable' && retries.reachableCount !== reachableCount
      const reason = isAgain ? 'unavailableAgain' : asked
      retriesByUpload.set(id, { ...retries, [reason]: retries[reason] + 1, reachableCount })
      return retries[reason] < maxRetries[reason]
    },
    forget: (id: string): void => void retriesByUpload.delete(id),
  }
}

const hadNoResponse = ({ state }: UploadItem): boolean =>
  state.status === 'failed' && state.problem.kind === 'no-response'

/** Queued files no longer say that the server is not available; files that had no response are queued again. */
function requeueReachable(
  { state, setState }: UploadStore,
  mayRetry: (id: string, reason: 'noResponse') => boolean,
): void {
  const { items, singleUploadId } = state()
  for (const item of items) {
    if (item.state.status === 'queued' && 'problem' in item.state)
      setState(item.id, { status: 'queued', requeuedAt: item.state.requeuedAt })
    if (item.id !== singleUploadId && hadNoResponse(item) && mayRetry(item.id, 'noResponse'))
      setState(item.id, { status: 'queued', requeuedAt: performance.now() })
  }
}

export function createUploadFailures(options: UploadFailuresOptions): UploadFailures {
  const { store, token, onOverLimit, pause } = options
  const retries = createRetryCounter()

  function failWithDetail(id: string, error: unknown): void {
    const detail = error instanceof ApiError ? error.explanation : null
    store.setState(id, { status: 'failed', problem: { kind: 'server-error', detail } })
  }
  function requeueUntilAvailable(id: string, error: unknown, delayMs: number): void {
    pause.serverUnavailable(delayMs)
    if (!retries.mayRetry(id, 'unavailable')) return failWithDetail(id, error)
    const problem = { kind: 'server-unavailable' } as const
    store.setState(id, { status: 'queued', problem, requeuedAt: performance.now() })
  }
  /** The token was replaced during the upload, as by a change of the password: the user is still signed in. */
  const isOldToken = (error: unknown, sentToken: string): boolean => {
    const currentToken = token()
    return error instanceof ApiError && error.status === 401 && currentToken !== null && currentToken !== sentToken
  }
  return {
    handle(id, error, sentToken) {
      if (isOldToken(error, sentToken)) return store.setState(id, { status: 'queued' })
      const failureAction = failureActionFor(error)
      if (failureAction.do === 'wait-for-server') return requeueUntilAvailable(id, error, failureAction.delayMs)
      if (failureAction.do === 'retry-later' || failureAction.do === 'retry-slow-later') {
        const { delayMs } = failureAction
        if (!retries.mayRetry(id, 'asked')) return failWithDetail(id, error)
        if (failureAction.do === 'retry-slow-later') return retrySlowLater(options, id, delayMs)
        store.setState(id, { status: 'queued' })
        return pause.pauseFor(delayMs, failureAction.reason)
      }
      if (failureAction.do === 'hold') return onOverLimit(id, failureAction.problem)
      if (failureAction.problem.kind === 'no-response') {
        const wasProbe = pause.isProbing()
        // The other uploads would fail too.
        pause.serverUnreachable()
        if (wasProbe && retries.mayRetry(id, 'unavailable'))
          return store.setState(id, { status: 'queued', requeuedAt: performance.now() })
      }
      store.setState(id, {
        status: failureAction.do === 'reject' ? 'rejected' : 'failed',
        problem: failureAction.problem,
      })
    },
    serverReachable() {
      pause.serverReachable()
      retries.serverReachable()
      requeueReachable(store, retries.mayRetry)
    },
    probe() {
      const { items, singleUploadId } = store.state()
      const failed = items.find((item) => item.id !== singleUploadId && hadNoResponse(item))
      if (failed && !items.some(hasStatus('queued')))
        store.setState(failed.id, { status: 'queued', requeuedAt: performance.now() })
    },
    forget: retries.forget,
  }
}
