import { uploadPhoto, type Photo } from '@keepsnap/contract/photos.ts'
import { ApiError, isAboutField, NetworkError } from '../../../lib/api-errors.ts'
import type { Api } from '../../../lib/api.ts'
import { UnreadableFileError, type LimitProblem } from './problems.ts'
import { idempotencyKeyOf, nextToUpload, totalsOf, type UploadItem } from './queue.ts'
import { createSendingPause } from './sending-pause.ts'
import { createUploadFailures } from './upload-failures.ts'
import { hasStatus, type UploadStore } from './upload-store.ts'

interface SenderOptions {
  store: UploadStore
  api: Pick<Api, 'upload'>
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
export interface UploadSender {
  /** Starts as many uploads as may run at once. */
  startQueued(): void
  /** Starts again after the server could not be reached. */
  resume(): void
  /** Aborts the upload if it is running. Its retries so far are no longer counted. */
  abort(id: string): void
  /** Aborts all uploads and puts their files back into the queue. */
  abortAll(): void
}

export function createUploadSender(options: SenderOptions): UploadSender {
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

  function startQueued(): void {
    if (!maySend() || sendingPause.isActive()) return
    if (runningUploads.size === 0 && !wasPaused) startUploadRun(store)
    wasPaused = false
    const isTrial = sendingPause.isServerUnavailable() || sendingPause.isProbing()
    const sendLimits = { maxFileBytes: maxFileBytes(), ...(isTrial && { atOnce: 1 }) }
    for (const id of nextToUpload(store.state().items, performance.now(), sendLimits)) void upload(id)
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
  const abort = (id: string): void => {
    runningUploads.get(id)?.abort()
    runningUploads.delete(id)
    failures.forget(id)
  }
  return {
    startQueued,
    resume() {
      failures.serverReachable()
      startQueued()
    },
    abort,
    abortAll() {
      for (const id of runningUploads.keys()) abort(id)
      sendingPause.cancel()
      wasPaused = false
      store.setStateWhere(hasStatus('uploading'), { status: 'queued' })
    },
  }
}

async function sendFile(
  { store, api }: SenderOptions,
  item: UploadItem,
  signal: AbortSignal,
): Promise<{ photo: Photo; isRepeated: boolean }> {
  const { id, file, order } = item
  let isRepeated = false
  const onRepeated = (): void => void (isRepeated = true)
  const onProgress = (progress: number): void => showProgress(store, { id, progress, signal })
  try {
    const idempotencyKey = idempotencyKeyOf(item)
    const photo = await api.upload(uploadPhoto, file, { onProgress, onRepeated, signal, idempotencyKey, order })
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

/** Notes where the next run of uploads starts, if there is anything to upload. */
function startUploadRun(store: UploadStore): void {
  const { items } = store.state()
  if (nextToUpload(items, performance.now()).length === 0) return
  const { sentBytes } = totalsOf(items)
  store.update({ run: { startedAt: Date.now(), sentBytesBefore: sentBytes } })
}

const minShownStep = 0.01

/** Steps below one percent are not shown: each would render the list. */
function showProgress(
  store: UploadStore,
  { id, progress, signal }: { id: string; progress: number; signal: AbortSignal },
): void {
  const state = store.find(id)?.state
  if (signal.aborted || state?.status !== 'uploading') return
  if (progress >= 1 || progress - state.progress >= minShownStep) store.setState(id, { status: 'uploading', progress })
}
