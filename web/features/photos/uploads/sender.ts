import { uploadPhoto, type Photo } from '@keepsnap/contract/photos.ts'
import { ApiError } from '../../../lib/answers.ts'
import type { Api } from '../../../lib/api.ts'
import { verdictOn, type UploadProblem } from './problems.ts'
import { nextToSend, totalsOf } from './queue.ts'
import { isAt, type UploadStore } from './upload-store.ts'

interface SenderParts {
  store: UploadStore
  api: Pick<Api, 'upload'>
  /** Whether somebody is there whose files may be sent. */
  mayRun: () => boolean
  /** What the session goes by at the moment; null: nobody is signed in. */
  token: () => string | null
  onStored: (id: string, photo: Photo) => void
  /** A limit of the plan refused the file. */
  onNoRoom: (id: string, problem: UploadProblem) => void
}

/** Sends what waits, a few at a time. */
export interface Sender {
  /** Starts as many as may be sent now. */
  pump(): void
  /** The server did not answer before; somebody or something says that it does now. */
  wake(): void
  /** Breaks an upload off. */
  abort(id: string): void
  /** Breaks all uploads off; they wait again. */
  rest(): void
}

/** Times that the server may ask for patience over one file. */
const mostWaits = 40

export function createSender({ store, api, mayRun, token, onStored, onNoRoom }: SenderParts): Sender {
  let stalled = false
  let pausedUntil = 0
  let pause: ReturnType<typeof setTimeout> | undefined
  const sending = new Map<string, AbortController>()
  const waits = new Map<string, number>()

  function pump(): void {
    if (!mayRun() || stalled || Date.now() < pausedUntil) return
    const { items } = store.state()
    const ids = nextToSend(items)
    if (ids.length > 0 && sending.size === 0) {
      store.become({ run: { startedAt: Date.now(), sentBefore: totalsOf(items).sentBytes } })
    }
    for (const id of ids) void send(id)
  }

  async function send(id: string): Promise<void> {
    const item = store.find(id)
    if (!item) return
    const fits = (other: { id: string }): boolean => other.id === id
    const sentBy = token()
    if (sentBy === null) return store.turn(fits, { at: 'stopped', problem: { kind: 'signed-out' } })
    const stop = new AbortController()
    sending.set(id, stop)
    store.turn(fits, { at: 'sending', share: 0 })
    const onProgress = (share: number): void => {
      const now = store.find(id)?.state
      const enough = now?.at === 'sending' && (share >= 1 || share - now.share >= 0.01)
      if (enough && !stop.signal.aborted) store.turn(fits, { at: 'sending', share })
    }
    try {
      const photo = await api.upload(uploadPhoto, item.file, { onProgress, signal: stop.signal, idempotencyKey: id })
      if (!stop.signal.aborted) onStored(id, photo)
    } catch (error) {
      if (stop.signal.aborted) return
      if (isLate(error, sentBy)) store.turn(fits, { at: 'waiting' })
      else failed(id, error)
    } finally {
      if (sending.get(id) === stop) sending.delete(id)
      pump()
    }
  }

  /** The token was replaced meanwhile, as by a change of the password: its person is still signed in, under another. */
  function isLate(error: unknown, sentBy: string): boolean {
    const now = token()
    return error instanceof ApiError && error.status === 401 && now !== null && now !== sentBy
  }

  function failed(id: string, error: unknown): void {
    const verdict = verdictOn(error)
    if (verdict.do === 'wait') return wait(id, verdict.ms, error)
    if (verdict.do === 'hold') return onNoRoom(id, verdict.problem)
    // The others would only fail as well.
    if (verdict.problem.kind === 'no-answer') stalled = true
    const at = verdict.do === 'refuse' ? 'refused' : 'stopped'
    store.turn((item) => item.id === id, { at, problem: verdict.problem })
  }

  function wait(id: string, ms: number, error: unknown): void {
    const times = (waits.get(id) ?? 0) + 1
    waits.set(id, times)
    const fits = (item: { id: string }): boolean => item.id === id
    if (times > mostWaits) {
      const detail = error instanceof Error ? error.message : null
      return store.turn(fits, { at: 'stopped', problem: { kind: 'failed', detail } })
    }
    store.turn(fits, { at: 'waiting' })
    pausedUntil = Math.max(pausedUntil, Date.now() + ms)
    clearTimeout(pause)
    pause = setTimeout(pump, pausedUntil - Date.now())
  }

  const abort = (id: string): void => {
    sending.get(id)?.abort()
    sending.delete(id)
    waits.delete(id)
  }
  return {
    pump,
    wake() {
      stalled = false
      pump()
    },
    abort,
    rest() {
      for (const id of sending.keys()) abort(id)
      clearTimeout(pause)
      pausedUntil = 0
      store.turn(isAt('sending'), { at: 'waiting' })
    },
  }
}
