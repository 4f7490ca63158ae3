import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  type Client,
  type FileSource,
  KeepsnapError,
  KeepsnapNetworkError,
  photoLink,
  retryDelay,
  uploadTimeout,
} from '../client.ts'
import type { Photo } from '../api.ts'
import { type KnownFile, type StartedUpload, type State, StateError } from './state-file.ts'
import { texts } from './options.ts'
import type { FoundFile } from './file-scan.ts'
import { type Output, timeIn, type WaitReporter } from './output.ts'

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

interface UploaderOptions {
  /** Sends each call once. */
  client: Client
  url: string
  state: State
  output: Output
  waits: WaitReporter
  /** The time of the server, in ms since 1970. */
  serverTime: () => number
  /** The event that the photos belong to, or `none`; undefined for that of the key, or the current one. */
  event?: string | undefined
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
  const { client, state, output, signal, waiting, updateServerTime, event } = options
  const { name, size } = file
  // The machine may have been suspended since the last attempt, and its clock with it.
  if (state.started()?.hash === hash) await updateServerTime()
  const accepted = await findInterrupted(options, { hash, name, size })
  if (accepted) return accepted
  return recordAttempt(options, { hash, name }, () =>
    sendFile(client, file, {
      idempotencyKey: `sha256-${hash}`,
      event,
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
  options: {
    idempotencyKey: string
    event?: string | undefined
    onProgress: (percent: number) => void
    signal: AbortSignal
  },
): Promise<Photo> {
  const stalled = new AbortController()
  const stall = (): void => stalled.abort(new KeepsnapNetworkError('timeout', 'The upload makes no progress.'))
  let timer = setTimeout(stall, stallMs.sending)
  try {
    return await client.uploadPhoto(source, {
      filename: name,
      idempotencyKey: options.idempotencyKey,
      ...(options.event !== undefined && { event: options.event }),
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

/** The file is not what it was when it was looked at: it is still being written, or was replaced. */
class FileChanged extends Error {}

/** A file that is read twice, to hash and to send it, and that must be the same both times. */
interface ContentFile {
  path: string
  name: string
  size: number
  modified: number
  /** SHA-256 of the content, in hexadecimal. Throws `FileChanged`. */
  hash(signal: AbortSignal): Promise<string>
  /** Its stream fails before its end if the file has changed. */
  source: FileSource
  isUnchanged(): Promise<boolean>
  close(): Promise<void>
}

const chunkBytes = 256 * 1024

/** Opens a file as it is now. Nothing about it is changed. */
async function openContentFile(path: string): Promise<ContentFile> {
  const handle = await open(path, 'r')
  const { size, mtimeMs: modified } = await handle.stat()
  const isUnchanged = async (): Promise<boolean> => {
    const now = await handle.stat()
    return now.size === size && now.mtimeMs === modified
  }
  const checkUnchanged = async (): Promise<void> => {
    if (!(await isUnchanged())) throw new FileChanged()
  }
  return {
    path,
    name: basename(path),
    size,
    modified,
    async hash(signal) {
      const hash = createHash('sha256')
      for await (const chunk of chunksOf(handle, size)) {
        signal.throwIfAborted()
        hash.update(chunk)
      }
      await checkUnchanged()
      return hash.digest('hex')
    },
    source: {
      size,
      stream() {
        const chunks = chunksOf(handle, size)
        return new ReadableStream({
          async pull(controller) {
            const { done, value } = await chunks.next()
            if (!done) return controller.enqueue(value)
            await checkUnchanged()
            controller.close()
          },
        })
      },
    },
    isUnchanged,
    close: () => handle.close(),
  }
}

async function* chunksOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size;) {
    const buffer = new Uint8Array(Math.min(chunkBytes, size - position))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) throw new FileChanged()
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** For how long the server knows an idempotency key, less an hour for the doubt about when it began. In ms. */
const keyIsKnownMs = 23 * 60 * 60 * 1000
/** The clock of the server, as the command knows it, can be a little late or early. */
const toleranceMs = 60_000
/** The server replaces characters that names of files cannot have everywhere. */
const plainName = (name: string): string => name.normalize('NFC').replace(/[^\p{L}\p{N}.]+/gu, '_')
/** Other uploads may have been accepted in the meantime. */
const maxSearched = 5_000

/** With these codes the server refuses an upload after it has looked for the idempotency key: it has no photo of it. */
const codesAfterKeyLookup: ReadonlySet<string | null> = new Set([
  'quota_photos',
  'quota_storage',
  'too_large',
  'not_an_image',
  'processing_limit',
])

/** Whether this content was begun so recently that its idempotency key prevents a second photo. */
export const isKeyKnown = (started: StartedUpload | null, hash: string, serverTime: number): boolean =>
  started?.hash === hash && serverTime - Date.parse(started.at) < keyIsKnownMs

/**
 * Whether an attempt has certainly created no photo. 408: a proxy does not know; `conflict`: an earlier attempt may be in
 * progress; `not_found`: also the answer for a photo that was accepted and deleted at once.
 */
function isRefused(error: unknown): error is KeepsnapError {
  if (!(error instanceof KeepsnapError) || error.status < 400 || error.status >= 500) return false
  return error.status !== 408 && error.status !== 409 && error.code !== 'not_found'
}

/**
 * Sends a content with a record of the attempt in the state file, from before it begins. After a refusal, the record is
 * what it was before: attempts that were certainly not accepted neither begin an upload nor make it last longer.
 */
export async function recordAttempt<Result>(
  { state, serverTime }: { state: Pick<State, 'started' | 'start'>; serverTime: () => number },
  { hash, name }: { hash: string; name: string },
  send: () => Promise<Result>,
): Promise<Result> {
  const started = state.started()
  const now = serverTime()
  const lastAt = new Date(now).toISOString()
  const isContinued = isKeyKnown(started, hash, now)
  await state.start({ hash, name, at: isContinued && started ? started.at : lastAt, lastAt })
  try {
    return await send()
  } catch (error) {
    const isNothingAccepted = started?.hash === hash && (!isContinued || hasLookedUpKey(error))
    if (isRefused(error)) await state.start(isNothingAccepted ? null : started)
    throw error
  }
}

const hasLookedUpKey = (error: unknown): boolean =>
  error instanceof KeepsnapError && codesAfterKeyLookup.has(error.code)

/**
 * The photo of an upload that was interrupted so long ago that its idempotency key has expired: with it, the server would
 * accept the content a second time. Found by its name among the photos of the time of its attempts, without those of other
 * files: cameras and booths reuse names, and a photo of another one must not keep this one from being sent. Undefined if it
 * was not accepted, and for uploads that were not interrupted.
 */
export async function findInterrupted(
  {
    client,
    state,
    serverTime,
    signal,
  }: {
    client: Client
    state: Pick<State, 'started' | 'hasPhoto'>
    serverTime: () => number
    signal: AbortSignal
  },
  { hash, name, size }: { hash: string; name: string; size: number },
): Promise<Photo | undefined> {
  const started = state.started()
  if (started?.hash !== hash || isKeyKnown(started, hash, serverTime())) return undefined
  const since = Date.parse(started.at) - toleranceMs
  // Earlier versions did not store the last attempt, which began while the key was known.
  const lastAt = started.lastAt === undefined ? Date.parse(started.at) + keyIsKnownMs : Date.parse(started.lastAt)
  const until = lastAt + uploadTimeout(size) * 1000 + toleranceMs
  const isOfUpload = ({ id, filename, created_at }: Photo): boolean =>
    plainName(filename) === plainName(name) &&
    Date.parse(created_at) >= since &&
    Date.parse(created_at) <= until &&
    !state.hasPhoto(id)
  let searched = 0
  for await (const photo of client.allPhotos({ signal })) {
    if (isOfUpload(photo)) return photo
    searched += 1
    if (Date.parse(photo.created_at) < since || searched >= maxSearched) return undefined
  }
  return undefined
}

/** How to handle a failed upload. */
export type Outcome =
  /** Nothing else can be uploaded now either: all wait, in their order. `ends`: only a person can change it. */
  | { do: 'wait'; seconds: number; reason: string; ends?: 'failed' | 'noAccess' }
  /** This file is tried later; the others go on. */
  | { do: 'later'; seconds: number; reason: string }
  /** Never again; `isFinal` also after the next start. */
  | { do: 'skip'; reason: string; isFinal: boolean }
  /** The server has had it before; it was deleted there. */
  | { do: 'deleted' }
  | { do: 'stop'; reason: string }

const minute = 60
/** How often one file may fail for a reason that is not clear before others are tried. */
const maxUnclearAttempts = 4

/** Doubles from one minute to ten. */
const limitDelay = (attempt: number): number => Math.min(10 * minute, minute * 2 ** (attempt - 1))

/** `attempt` counts the attempts at this file, from 1. */
export function outcomeOf(error: KeepsnapError | KeepsnapNetworkError, attempt: number, url: string): Outcome {
  const backOff = (): Outcome => ({ do: 'wait', seconds: retryDelay(error, attempt) ?? minute, reason: error.message })
  if (error instanceof KeepsnapNetworkError) return backOff()
  switch (error.code) {
    case 'unauthorized':
      return { do: 'stop', reason: texts.wrongKey }
    case 'event_gone':
      return { do: 'wait', seconds: minute, reason: error.message, ends: 'noAccess' }
    case 'forbidden':
      return { do: 'wait', seconds: minute, reason: texts.noApiAccess, ends: 'noAccess' }
    case 'quota_photos':
    case 'quota_storage':
      return { do: 'wait', seconds: limitDelay(attempt), reason: texts.limitReached(error.message), ends: 'failed' }
    case 'too_large':
      // A larger plan takes it.
      return { do: 'skip', reason: error.message, isFinal: false }
    case 'not_an_image':
    case 'unsupported_type':
      return { do: 'skip', reason: error.message, isFinal: true }
    case 'conflict':
      return error.retryAfter === null ? { do: 'deleted' } : backOff()
    case 'processing_limit':
      return { do: 'later', seconds: error.retryAfter ?? minute, reason: error.message }
    case 'bad_request':
    case 'internal':
      return attempt < maxUnclearAttempts ? backOff() : { do: 'later', seconds: 10 * minute, reason: error.message }
    case 'not_found':
    case 'method_not_allowed':
    case 'misdirected':
      return { do: 'wait', seconds: minute, reason: texts.noKeepsnap(url) }
    case null:
      return proxyOutcome(error, attempt, url)
    case 'invalid': {
      if (error.fields.some(({ loc }) => loc.join('.') === 'query.event')) return { do: 'stop', reason: error.message }
      const isOtherFile = error.fields.some(({ loc }) => loc[0] === 'header')
      return { do: 'skip', reason: isOtherFile ? texts.otherFile : error.message, isFinal: false }
    }
    default:
      return error.status === 422 ? { do: 'skip', reason: error.message, isFinal: false } : backOff()
  }
}

/** Of an answer that is not Keepsnap's. */
function proxyOutcome(error: KeepsnapError, attempt: number, url: string): Outcome {
  if (error.status === 413) return { do: 'skip', reason: texts.tooLargeForProxy, isFinal: false }
  if (error.status === 404) return { do: 'wait', seconds: minute, reason: texts.noKeepsnap(url) }
  return { do: 'wait', seconds: retryDelay(error, attempt) ?? minute, reason: error.message }
}
