import { type Client, photoLink } from '../client.ts'
import { KeepsnapError, KeepsnapNetworkError } from '../errors.ts'
import type { Photo } from '../api.ts'
import { type ContentFile, FileChanged, openContentFile } from './content-file.ts'
import type { FoundFile } from './file-scan.ts'
import { findInterrupted, recordAttempt } from './interrupted-upload.ts'
import { type Outcome, outcomeOf } from './outcomes.ts'
import type { Output } from './output.ts'
import { type KnownFile, type State, StateError } from './state-file.ts'
import { texts } from './texts.ts'
import { timeIn, type WaitReporter } from './waits.ts'

/** How the upload of one file ended. */
export type UploadResult =
  | { is: 'uploaded' | 'known' | 'refused' }
  /** It is being written, or is gone: the scan decides. */
  | { is: 'changed' }
  | { is: 'later'; seconds: number }

/** Uploading cannot continue; the message says what to do. */
export class Stopped extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}
export const exitCodes = { done: 0, failed: 1, usage: 2, noAccess: 3 } as const

export interface UploaderOptions {
  /** Sends each call once. */
  client: Client
  url: string
  state: State
  output: Output
  waits: WaitReporter
  /** The time of the server, in ms since 1970. */
  serverTime: () => number
  /** Asks the server for its time again. */
  updateServerTime: () => Promise<void>
  /** End at a limit of the plan, instead of waiting until there is space; name files that were refused before. */
  once: boolean
  /** How many files wait besides this one. */
  waiting: () => number
  signal: AbortSignal
}

export interface Uploader {
  /** Uploads a file, unless its content is already uploaded. Waits as long as nothing can be uploaded. */
  upload(found: FoundFile): Promise<UploadResult>
}

const busySeconds = 5
/** With `once`, a file that cannot be read for this long is not uploaded. */
const maxBusySeconds = 120
const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error

export function createUploader(options: UploaderOptions): Uploader {
  const { output, signal, state } = options
  /** How often each file could not be read. */
  const busy = new Map<string, number>()

  async function uploadContent(file: ContentFile): Promise<UploadResult> {
    const hash = await file.hash(signal)
    const known = state.byHash(hash)
    if (!known) return sendUntilAnswered(options, file, hash)
    // With its path and time, the next start need not read it again.
    const { path, name, size, modified } = file
    await state.remember({ ...known, path, name, size, modified })
    const isSame = known.name === name && known.size === size && known.modified === modified
    if (known.result !== 'refused' && !isSame) output.line(texts.uploadedBefore(name, known.name))
    return resultOfKnown(options, known, name)
  }

  return {
    async upload(found) {
      if (found.size === 0) return resultOfEmpty(options, found.name)
      const known = state.byStat(found)
      if (known) return resultOfKnown(options, known, found.name)
      let file: ContentFile | undefined
      try {
        file = await openContentFile(found.path)
        if (file.size !== found.size || file.modified !== found.modified) return { is: 'changed' }
        const result = await uploadContent(file)
        busy.delete(found.path)
        return result
      } catch (error) {
        if (error instanceof FileChanged) return { is: 'changed' }
        if (error instanceof StateError || signal.aborted || !isSystemError(error)) throw error
        if (error.code === 'ENOENT') return { is: 'changed' }
        // Another program writes it and keeps others from reading, or the folder is not available.
        const failures = (busy.get(found.path) ?? 0) + 1
        busy.set(found.path, failures)
        if (failures === 1) output.line(texts.fileBusy(found.name, error.code ?? error.message))
        if (!options.once || failures * busySeconds <= maxBusySeconds) return { is: 'later', seconds: busySeconds }
        output.line(texts.fileGone(found.name))
        return { is: 'refused' }
      } finally {
        output.progress('')
        await file?.close()
      }
    },
  }
}

function resultOfKnown({ once, output }: UploaderOptions, { result }: KnownFile, name: string): UploadResult {
  if (result !== 'refused') return { is: 'known' }
  if (once) output.line(texts.refusedBefore(name))
  return { is: 'refused' }
}

/** A file that another program has only just created; with `once`, nobody waits for its content. */
function resultOfEmpty({ once, output }: UploaderOptions, name: string): UploadResult {
  if (!once) return { is: 'changed' }
  output.line(texts.skipped(name, texts.empty))
  return { is: 'refused' }
}

/** Sends one file until the server has accepted or refused it. */
async function sendUntilAnswered(options: UploaderOptions, file: ContentFile, hash: string): Promise<UploadResult> {
  const { state, output, waits, url } = options
  const { path, name, size, modified } = file
  const remember = (result: KnownFile['result'], more: Pick<KnownFile, 'photoId'> = {}): Promise<void> =>
    state.remember({ hash, path, name, size, modified, result, ...more })
  for (let attempt = 1; ; attempt++) {
    try {
      const photo = await sendOnce(options, file, hash)
      await remember('uploaded', { photoId: photo.id })
      waits.over()
      output.progress('')
      output.line(texts.uploaded(name, photoLink(photo)))
      output.qrCode(photoLink(photo))
      return { is: 'uploaded' }
    } catch (error) {
      if (!(error instanceof KeepsnapError || error instanceof KeepsnapNetworkError)) throw error
      if (!(await file.isUnchanged())) throw new FileChanged()
      const outcome = outcomeOf(error, attempt, url)
      const result = await applyOutcome(options, file, outcome)
      if (outcome.do === 'deleted') await remember('deleted')
      if (outcome.do === 'skip' && outcome.isFinal) await remember('refused')
      if (result !== 'again') return result
    }
  }
}

/** Sends one file once, with the same idempotency key each time, after the state file records its start. */
async function sendOnce(options: UploaderOptions, file: ContentFile, hash: string): Promise<Photo> {
  const { client, state, output, signal, waiting, updateServerTime } = options
  const { name, size } = file
  // The machine may have been suspended since the last attempt, and its clock with it.
  if (state.started()?.hash === hash) await updateServerTime()
  const accepted = await findInterrupted(options, { hash, name, size })
  if (accepted) return accepted
  return recordAttempt(options, { hash, name }, () =>
    sendFile(client, file, {
      idempotencyKey: `sha256-${hash}`,
      onProgress: (percent) => output.progress(texts.sending(name, percent, waiting())),
      signal,
    }),
  )
}

/** Applies the outcome of a failed attempt, and waits if necessary. */
async function applyOutcome(
  { output, waits, once, signal }: UploaderOptions,
  { name }: ContentFile,
  outcome: Outcome,
): Promise<UploadResult | 'again'> {
  switch (outcome.do) {
    case 'stop':
      throw new Stopped(outcome.reason, exitCodes.noAccess)
    case 'deleted':
      output.line(texts.deletedSince(name))
      return { is: 'known' }
    case 'skip':
      output.line(texts.skipped(name, outcome.reason))
      return { is: 'refused' }
    case 'later':
      output.line(texts.waiting(`${name}: ${outcome.reason}`, timeIn(outcome.seconds)))
      return { is: 'later', seconds: outcome.seconds }
    case 'wait':
      if (outcome.ends && once) throw new Stopped(outcome.reason, exitCodes[outcome.ends])
      await waits.for(outcome, signal)
      return 'again'
  }
}

/**
 * An upload without progress for this long is aborted: the network has failed without an error. `sending` is longer than the
 * 40 s for which the server lets an upload wait before it reads it or refuses it. In ms.
 */
const stallMs = { sending: 60_000, answering: 90_000 }

/**
 * Sends a file once. Rejects with `KeepsnapError`, `KeepsnapNetworkError`, or the signal's reason. `onProgress` gets whole
 * percents.
 */
export async function sendFile(
  client: Client,
  { name, source }: Pick<ContentFile, 'name' | 'source'>,
  options: { idempotencyKey: string; onProgress: (percent: number) => void; signal: AbortSignal },
): Promise<Photo> {
  const stalled = new AbortController()
  const stall = (): void => stalled.abort(new KeepsnapNetworkError('timeout', 'The upload makes no progress.'))
  let timer = setTimeout(stall, stallMs.sending)
  try {
    return await client.uploadPhoto(source, {
      filename: name,
      idempotencyKey: options.idempotencyKey,
      signal: AbortSignal.any([options.signal, stalled.signal]),
      onProgress(sent, total) {
        clearTimeout(timer)
        timer = setTimeout(stall, sent < total ? stallMs.sending : stallMs.answering)
        options.onProgress(Math.floor((100 * sent) / total))
      },
    })
  } finally {
    clearTimeout(timer)
  }
}
