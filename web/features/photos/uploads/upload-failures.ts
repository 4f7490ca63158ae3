import { ApiError } from '../../../lib/api-errors.ts'
import { failureActionFor, type LimitProblem } from './problems.ts'
import type { UploadItem } from './queue.ts'
import type { SendingPause } from './sending-pause.ts'
import type { UploadStore } from './upload-store.ts'

/** How often the server may ask to retry one file later. */
const maxRetriesPerUpload = 40

/** What happens to files whose upload failed. */
export interface UploadFailures {
  handle(id: string, error: unknown, sentToken: string): void
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

export function createUploadFailures(options: UploadFailuresOptions): UploadFailures {
  const { store, token, onOverLimit, pause } = options
  const retriesByUpload = new Map<string, number>()

  /** Counts one more retry; false when there were too many, and the upload has failed. */
  function mayRetryAgain(id: string, error: unknown): boolean {
    const retryCount = (retriesByUpload.get(id) ?? 0) + 1
    retriesByUpload.set(id, retryCount)
    if (retryCount <= maxRetriesPerUpload) return true
    const detail = error instanceof Error ? error.message : null
    store.setState(id, { status: 'failed', problem: { kind: 'server-error', detail } })
    return false
  }
  function retryLater(id: string, delayMs: number): void {
    store.setState(id, { status: 'queued' })
    pause.pauseFor(delayMs)
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
      if (failureAction.do === 'retry-later' || failureAction.do === 'retry-slow-later') {
        const { delayMs } = failureAction
        if (!mayRetryAgain(id, error)) return
        return failureAction.do === 'retry-later' ? retryLater(id, delayMs) : retrySlowLater(options, id, delayMs)
      }
      if (failureAction.do === 'hold') return onOverLimit(id, failureAction.problem)
      // The other uploads would fail too.
      if (failureAction.problem.kind === 'no-response') pause.serverUnreachable()
      store.setState(id, {
        status: failureAction.do === 'reject' ? 'rejected' : 'failed',
        problem: failureAction.problem,
      })
    },
    forget: (id) => void retriesByUpload.delete(id),
  }
}
