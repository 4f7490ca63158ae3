import { rateLimitExceeded } from '@keepsnap/contract/errors.ts'
import { ApiError, isAboutField } from '../../../lib/api-errors.ts'
import type { Format } from '../../../lib/format.ts'
import type { Catalogue } from '../../../messages/en.ts'

/** A limit of the plan that a file exceeds. */
export type LimitProblem =
  /** Larger than the plan's maximum file size, in bytes; checked before the upload. */
  | { kind: 'too-large'; maxBytes: number }
  /** The monthly quota or the storage is full; `detail` names the limit, the plan and what to do. */
  | { kind: 'quota-exceeded'; quota: 'photos' | 'storage'; detail: string | null }

/** Why a file was not uploaded. */
export type UploadProblem =
  /** `detail`: the server's own explanation. */
  | { kind: 'server-error'; detail: string | null }
  | { kind: 'no-response' }
  /** The file waits: the server restarts, or its database or its store is down. */
  | { kind: 'server-unavailable' }
  | { kind: 'unreadable-file' }
  /** The file was changed since an earlier attempt, which the server has stored. */
  | { kind: 'changed-file' }
  | { kind: 'signed-out' }
  | { kind: 'not-image' }
  /** Refused for its size, but not by our server: a proxy has a limit of its own. */
  | { kind: 'too-large-for-proxy' }
  | LimitProblem

/** The device can no longer read the file: its memory card was removed, or the file was changed or deleted. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
}

/** `fail`: the user may retry. `reject`: a retry would not help. `hold`: until the limit allows the file. */
export type FailureAction =
  | { do: 'retry-later'; delayMs: number; reason: 'rate-limit' | 'busy' }
  /** The server is not available: this concerns all files. */
  | { do: 'wait-for-server'; delayMs: number }
  /** The server limits files that take long to process; until the delay is over, it accepts only plain JPEGs. */
  | { do: 'retry-slow-later'; delayMs: number }
  | { do: 'fail' | 'reject'; problem: UploadProblem }
  | { do: 'hold'; problem: LimitProblem }

const defaultDelayMs = 5_000
/** A file that would have to wait for longer is shown as failed, with the reason. */
const maxSlowWaitMs = 10 * 60_000
/** Sent by proxies that cannot reach the server, or wait too long for it. */
const gatewayStatuses = new Set([502, 503, 504])
const rejectingCodes = new Set(['not_an_image', 'unsupported_type', 'too_large'])

/** What to do with a file whose upload failed. */
export function failureActionFor(error: unknown): FailureAction {
  if (error instanceof UnreadableFileError) return { do: 'fail', problem: { kind: 'unreadable-file' } }
  if (!(error instanceof ApiError)) return { do: 'fail', problem: { kind: 'no-response' } }
  const { status, code, retryAfter, explanation: detail } = error
  const delayMs = retryAfter === null ? defaultDelayMs : retryAfter * 1000
  if (code === 'quota_photos') return { do: 'hold', problem: { kind: 'quota-exceeded', quota: 'photos', detail } }
  if (code === 'quota_storage') return { do: 'hold', problem: { kind: 'quota-exceeded', quota: 'storage', detail } }
  if (status === 413 && code === null && detail === null)
    return { do: 'reject', problem: { kind: 'too-large-for-proxy' } }
  if (code === 'processing_limit') {
    if (delayMs <= maxSlowWaitMs) return { do: 'retry-slow-later', delayMs }
    return { do: 'fail', problem: { kind: 'server-error', detail } }
  }
  if ((code === null && gatewayStatuses.has(status)) || (status === 503 && retryAfter !== null))
    return { do: 'wait-for-server', delayMs }
  if (status === 429 || (status === 409 && retryAfter !== null))
    return { do: 'retry-later', delayMs, reason: error.detail === rateLimitExceeded ? 'rate-limit' : 'busy' }
  if (isAboutField(error, 'Idempotency-Key')) return { do: 'reject', problem: { kind: 'changed-file' } }
  if (status === 401) return { do: 'fail', problem: { kind: 'signed-out' } }
  const rejected = status === 413 || (code !== null && rejectingCodes.has(code))
  return { do: rejected ? 'reject' : 'fail', problem: { kind: 'server-error', detail } }
}

/** The sentence that the user reads. `size` is the file's, in bytes. */
export function uploadProblemMessage(
  problem: UploadProblem,
  size: number,
  { text, format }: { text: Catalogue['upload']['errors']; format: Format },
): string {
  switch (problem.kind) {
    case 'server-error':
    case 'quota-exceeded':
      return problem.detail ?? text.failed
    case 'no-response':
      return text.noResponse
    case 'server-unavailable':
      return text.serverUnavailable
    case 'unreadable-file':
      return text.unreadableFile
    case 'changed-file':
      return text.changedFile
    case 'signed-out':
      return text.signedOut
    case 'not-image':
      return text.notImage
    case 'too-large':
      return text.tooLarge(format.size(size), format.size(problem.maxBytes))
    case 'too-large-for-proxy':
      return text.tooLargeForProxy(format.size(size))
  }
}
