import { ApiError } from '../../../lib/api-errors.ts'
import { failureActionFor, type LimitProblem } from './problems.ts'
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
}

export function createUploadFailures({ store, token, onOverLimit, pause }: UploadFailuresOptions): UploadFailures {
  const retriesByUpload = new Map<string, number>()

  function retryLater(id: string, delayMs: number, error: unknown): void {
    const retryCount = (retriesByUpload.get(id) ?? 0) + 1
    retriesByUpload.set(id, retryCount)
    if (retryCount > maxRetriesPerUpload) {
      const detail = error instanceof Error ? error.message : null
      return store.setState(id, { status: 'failed', problem: { kind: 'server-error', detail } })
    }
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
      if (failureAction.do === 'retry-later') return retryLater(id, failureAction.delayMs, error)
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
