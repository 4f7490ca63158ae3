import { KeepsnapError, KeepsnapNetworkError, photoLink, type Client, type Photo } from '../client.ts'
import { FileChanged, openContentFile, type ContentFile } from './content-file.ts'
import type { FoundFile } from './file-scan.ts'
import { findInterrupted, isKeyKnown } from './interrupted-upload.ts'
import { outcomeOf, type Outcome } from './outcomes.ts'
import type { Output } from './output.ts'
import { sendFile } from './send-file.ts'
import { StateError, type KnownFile, type State } from './state-file.ts'
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
const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error

export function createUploader(options: UploaderOptions): Uploader {
  const { output, signal, state } = options
  const busy = new Set<string>()

  async function uploadContent(file: ContentFile): Promise<UploadResult> {
    const hash = await file.hash(signal)
    const known = state.byHash(hash)
    if (!known) return sendUntilAnswered(options, file, hash)
    // With its name and time, the next start need not read it again.
    const { name, size, modified } = file
    await state.remember({ ...known, name, size, modified })
    if (known.result !== 'refused') output.line(texts.uploadedBefore(name, known.name))
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
        if (!busy.has(found.path)) output.line(texts.fileBusy(found.name, error.code ?? error.message))
        busy.add(found.path)
        return { is: 'later', seconds: busySeconds }
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
  const { name, size, modified } = file
  const remember = (result: KnownFile['result']): Promise<void> =>
    state.remember({ hash, name, size, modified, result })
  for (let attempt = 1; ; attempt++) {
    try {
      const photo = await sendOnce(options, file, hash)
      await remember('uploaded')
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
  const { client, state, output, signal, waiting, serverTime } = options
  const { name } = file
  const accepted = await findInterrupted(options, { hash, name })
  if (accepted) return accepted
  if (!isKeyKnown(state.started(), hash, serverTime()))
    await state.start({ hash, name, at: new Date(serverTime()).toISOString() })
  return sendFile(client, file, {
    idempotencyKey: `sha256-${hash}`,
    onProgress: (percent) => output.progress(texts.sending(name, percent, waiting())),
    signal,
  })
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
