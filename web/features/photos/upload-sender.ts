import { type Photo, uploadPhoto } from '@keepsnap/contract/photos.ts'
import { ApiError, isAboutField, NetworkError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import {
  failureActionFor,
  idempotencyKeyOf,
  type LimitProblem,
  nextToUpload,
  totalsOf,
  UnreadableFileError,
  type UploadItem,
} from './upload-queue.ts'
import { createSendingPause, hasStatus, type SendingPause, type UploadStore } from './upload-store.ts'

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

interface UploadFailuresOptions {
  store: UploadStore
  token: () => string | null
  /** The server refused the file because of a limit of the plan. */
  onOverLimit: (id: string, problem: LimitProblem) => void
  pause: SendingPause
  /** Called when files may be sent that had to wait. */
  onWaitEnd: () => void
}

const hadNoResponse = ({ state }: UploadItem): boolean =>
  state.status === 'failed' && state.problem.kind === 'no-response'

/** What happens to files whose upload failed. */
export function createUploadFailures({ store, token, onOverLimit, pause, onWaitEnd }: UploadFailuresOptions) {
  const retriesByUpload = new Map<string, Partial<Record<RetryReason, number>> & { reachableCount: number }>()
  /** How often the server could be reached again. */
  let reachableCount = 0

  /** Counts one more retry; false when there were too many. */
  function mayRetry(id: string, asked: Exclude<RetryReason, 'unavailableAgain'>): boolean {
    const retries = retriesByUpload.get(id) ?? { reachableCount }
    const isAgain = asked === 'unavailable' && retries.reachableCount !== reachableCount
    const reason = isAgain ? 'unavailableAgain' : asked
    const count = retries[reason] ?? 0
    retriesByUpload.set(id, { ...retries, [reason]: count + 1, reachableCount })
    return count < maxRetries[reason]
  }
  /** The server would refuse the other files that are not JPEGs, too. JPEGs are still sent. */
  function retrySlowLater(id: string, delayMs: number): void {
    const waitsUntil = performance.now() + delayMs
    const isSlow = ({ state, file }: UploadItem): boolean => state.status === 'queued' && file.type !== 'image/jpeg'
    const isWaiting = ({ state }: UploadItem): boolean => state.status === 'queued' && state.waitsUntil === waitsUntil
    store.setStateWhere((item) => item.id === id || isSlow(item), { status: 'queued', waitsUntil })
    setTimeout(() => {
      store.setStateWhere(isWaiting, { status: 'queued' })
      onWaitEnd()
    }, delayMs)
  }
  function failWithDetail(id: string, error: unknown): void {
    const detail = error instanceof ApiError ? error.explanation : null
    store.setState(id, { status: 'failed', problem: { kind: 'server-error', detail } })
  }
  function requeueUntilAvailable(id: string, error: unknown, delayMs: number): void {
    pause.serverUnavailable(delayMs)
    if (!mayRetry(id, 'unavailable')) return failWithDetail(id, error)
    const problem = { kind: 'server-unavailable' } as const
    store.setState(id, { status: 'queued', problem, requeuedAt: performance.now() })
  }
  /** The token was replaced during the upload, as by a change of the password: the user is still signed in. */
  const isOldToken = (error: unknown, sentToken: string): boolean => {
    const currentToken = token()
    return error instanceof ApiError && error.status === 401 && currentToken !== null && currentToken !== sentToken
  }
  return {
    handle(id: string, error: unknown, sentToken: string): void {
      if (isOldToken(error, sentToken)) return store.setState(id, { status: 'queued' })
      const failureAction = failureActionFor(error)
      if (failureAction.do === 'wait-for-server') return requeueUntilAvailable(id, error, failureAction.delayMs)
      if (failureAction.do === 'retry-later' || failureAction.do === 'retry-slow-later') {
        const { delayMs } = failureAction
        if (!mayRetry(id, 'asked')) return failWithDetail(id, error)
        if (failureAction.do === 'retry-slow-later') return retrySlowLater(id, delayMs)
        store.setState(id, { status: 'queued' })
        return pause.pauseFor(delayMs, failureAction.reason)
      }
      if (failureAction.do === 'hold') return onOverLimit(id, failureAction.problem)
      if (failureAction.problem.kind === 'no-response') {
        const wasProbe = pause.isProbing()
        // The other uploads would fail too.
        pause.serverUnreachable()
        if (wasProbe && mayRetry(id, 'unavailable'))
          return store.setState(id, { status: 'queued', requeuedAt: performance.now() })
      }
      store.setState(id, {
        status: failureAction.do === 'reject' ? 'rejected' : 'failed',
        problem: failureAction.problem,
      })
    },
    /**
     * Ends the pause. Queued files no longer say that the server is not available; files that had no response are queued again. A
     * single file keeps its message.
     */
    serverReachable(): void {
      pause.serverReachable()
      reachableCount += 1
      const { items, singleUploadId } = store.state()
      for (const item of items) {
        if (item.state.status === 'queued' && 'problem' in item.state)
          store.setState(item.id, { status: 'queued', requeuedAt: item.state.requeuedAt })
        if (item.id !== singleUploadId && hadNoResponse(item) && mayRetry(item.id, 'noResponse'))
          store.setState(item.id, { status: 'queued', requeuedAt: performance.now() })
      }
    },
    /** One upload may show whether the server answers again: if none is queued, one that had no response. */
    probe(): void {
      const { items, singleUploadId } = store.state()
      const failed = items.find((item) => item.id !== singleUploadId && hadNoResponse(item))
      if (failed && !items.some(hasStatus('queued')))
        store.setState(failed.id, { status: 'queued', requeuedAt: performance.now() })
    },
    /** The retries so far are no longer counted. */
    forget: (id: string): void => void retriesByUpload.delete(id),
  }
}

interface SenderOptions {
  store: UploadStore
  api: Api
  /** Whether a user is signed in whose files may be sent. */
  maySend: () => boolean
  /** The largest file that may be sent now; larger ones stay queued. */
  maxFileBytes: () => number
  /** The session's current token; null: nobody is signed in. */
  token: () => string | null
  /** `wasSentBefore`: the photo is from before the file was added to the queue. */
  onUploaded: (id: string, photo: Photo, wasSentBefore: boolean) => void
  /** The server refused the file because of a limit of the plan. */
  onOverLimit: (id: string, problem: LimitProblem) => void
}

/** Uploads the queued files, a few at a time. */
export function createUploadSender(options: SenderOptions) {
  const { store, maySend, maxFileBytes, token, onUploaded, onOverLimit } = options
  const runningUploads = new Map<string, AbortController>()
  /** Ids of the files that were sent at least once: what the server then knows of their keys may come from that. */
  const triedIds = new Set<string>()
  /** Until the next upload: it continues the run. */
  let wasPaused = false
  const sendingPause = createSendingPause({
    onPauseEnd() {
      if (sendingPause.isProbing()) failures.probe()
      startQueued()
    },
    onChange(next) {
      const { pause, run } = store.state()
      wasPaused = true
      if (pause === null || next !== null) return store.update({ pause: next })
      // The pause does not count for the speed.
      store.update({ pause: null, run: run && { ...run, startedAt: run.startedAt + Date.now() - pause.startedAt } })
    },
  })
  const failures = createUploadFailures({ store, token, onOverLimit, pause: sendingPause, onWaitEnd: startQueued })

  /** Starts as many uploads as may run at once. */
  function startQueued(): void {
    if (!maySend() || sendingPause.isActive()) return
    const { items } = store.state()
    // A new run starts here, if there is anything to upload.
    if (runningUploads.size === 0 && !wasPaused && nextToUpload(items, performance.now()).length > 0)
      store.update({ run: { startedAt: Date.now(), sentBytesBefore: totalsOf(items).sentBytes } })
    wasPaused = false
    const isTrial = sendingPause.isServerUnavailable() || sendingPause.isProbing()
    const sendLimits = { maxFileBytes: maxFileBytes(), ...(isTrial && { atOnce: 1 }) }
    for (const id of nextToUpload(items, performance.now(), sendLimits)) void upload(id)
  }
  async function upload(id: string): Promise<void> {
    const sentToken = token()
    const item = store.find(id)
    if (!item) return
    if (sentToken === null) return store.setState(id, { status: 'failed', problem: { kind: 'signed-out' } })
    const uploadAbort = new AbortController()
    runningUploads.set(id, uploadAbort)
    const isFirstAttempt = !triedIds.has(id)
    triedIds.add(id)
    store.setState(id, { status: 'uploading', progress: 0 })
    try {
      const { photo, isRepeated } = await sendFile(options, item, uploadAbort.signal)
      failures.serverReachable()
      if (!uploadAbort.signal.aborted) onUploaded(id, photo, isRepeated && isFirstAttempt)
    } catch (error) {
      if (uploadAbort.signal.aborted) return
      // Its photo was deleted, or another file looked the same.
      if (isFirstAttempt && isKeyRefusal(error)) store.queueAgain(({ id: other }) => other === id)
      else failures.handle(id, error, sentToken)
    } finally {
      if (runningUploads.get(id) === uploadAbort) runningUploads.delete(id)
      startQueued()
    }
  }
  /** Aborts the upload if it is running. Its retries so far are no longer counted. */
  const abort = (id: string): void => {
    runningUploads.get(id)?.abort()
    runningUploads.delete(id)
    failures.forget(id)
  }
  return {
    startQueued,
    /** Starts again after the server could not be reached. */
    resume(): void {
      failures.serverReachable()
      startQueued()
    },
    abort,
    /** Aborts all uploads and puts their files back into the queue. */
    abortAll(): void {
      for (const id of runningUploads.keys()) abort(id)
      sendingPause.cancel()
      wasPaused = false
      store.setStateWhere(hasStatus('uploading'), { status: 'queued' })
    },
  }
}

/** Smaller steps are not shown: each would render the list. */
const minShownStep = 0.01

async function sendFile(
  { store, api }: SenderOptions,
  item: UploadItem,
  signal: AbortSignal,
): Promise<{ photo: Photo; isRepeated: boolean }> {
  const { id, file, order, event } = item
  let isRepeated = false
  const onRepeated = (): void => void (isRepeated = true)
  const onProgress = (progress: number): void => {
    const state = store.find(id)?.state
    if (signal.aborted || state?.status !== 'uploading') return
    if (progress >= 1 || progress - state.progress >= minShownStep)
      store.setState(id, { status: 'uploading', progress })
  }
  try {
    const idempotencyKey = idempotencyKeyOf(item)
    const photo = await api.upload(uploadPhoto, file, {
      onProgress,
      onRepeated,
      signal,
      idempotencyKey,
      order,
      event,
    })
    return { photo, isRepeated }
  } catch (error) {
    // Browsers report a file that they cannot read in the same way as a server that cannot be reached.
    const isUnreachable = error instanceof NetworkError && error.reason === 'unreachable'
    if (isUnreachable && !(await isReadable(file))) throw new UnreadableFileError()
    throw error
  }
}

/** The key of the upload was used before, for a photo that is deleted or for another file. */
const isKeyRefusal = (error: unknown): boolean =>
  isAboutField(error, 'Idempotency-Key') ||
  (error instanceof ApiError && error.status === 409 && error.retryAfter === null)

const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
