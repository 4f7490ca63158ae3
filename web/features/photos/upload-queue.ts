import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { maxFileBytes, planIds, plans } from '@keepsnap/contract/plans.ts'
import { rateLimitExceeded } from '@keepsnap/contract/errors.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { photosLeft, storageLeftBytes } from '../plans/plan-status.ts'
import { ApiError, isAboutField } from '../../lib/api-errors.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import type { FileOrder } from '../../lib/post-file.ts'
import { useApi } from '../../lib/app-services.tsx'
import { photoStateOf } from './photo-state.ts'
import { photoQuery } from './photo-cache.ts'

/** What the user's plan still has room for, as far as this tab knows. */
export interface PlanRoom {
  /** The largest file that the plan allows. */
  maxFileBytes: number
  /** Photos that may be uploaded this month. */
  photos: number
  storageBytes: number
}

/** As long as the plan is not known, larger files wait. */
export const leastMaxFileBytes = Math.min(...planIds.map((id) => maxFileBytes(plans[id])))

export const planRoomOf = (status: SubscriptionStatus): PlanRoom => ({
  maxFileBytes: status.plan_limits.max_file_size_mb * 1024 ** 2,
  photos: photosLeft(status),
  storageBytes: storageLeftBytes(status),
})

/** The room after the server has refused a file for this reason, until the status says otherwise. */
export function roomAfterRefusal(room: PlanRoom, problem: LimitProblem, fileBytes: number): PlanRoom {
  if (problem.kind !== 'quota-exceeded') return room
  if (problem.quota === 'photos') return { ...room, photos: 0 }
  return { ...room, storageBytes: Math.min(room.storageBytes, fileBytes - 1) }
}

/** Whether the plan has room now for a file that this problem stopped. */
export function hasRoomFor(room: PlanRoom, problem: LimitProblem, fileBytes: number): boolean {
  if (fileBytes > room.maxFileBytes) return false
  if (problem.kind !== 'quota-exceeded') return true
  return problem.quota === 'photos' ? room.photos > 0 : room.storageBytes >= fileBytes
}

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
type FailureAction =
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

export interface UploadItem {
  readonly id: string
  readonly file: File
  /** The user wants it as another photo, although the same file was uploaded before. */
  readonly isAgain?: boolean
  /** The place among the files that were chosen together. */
  readonly order?: FileOrder
  /** Where its photo goes, fixed when it was chosen: an id, or `none`. Only in accounts that have events. */
  readonly event?: string
  readonly previewUrl: string
  readonly state: UploadState
}
export type UploadState =
  /** Shown to the user, who has not pressed Upload Photo yet. `sentAt`: when this tab uploaded the same file before. */
  | { status: 'selected'; sentAt?: string }
  | Queued
  /** `progress`: share of the file that was sent, 0 to 1. */
  | { status: 'uploading'; progress: number }
  /** The server has stored the file; the photo has a processing state of its own. */
  | { status: 'uploaded'; photoId: string }
  /** The user may retry. */
  | { status: 'failed'; problem: UploadProblem }
  | { status: 'rejected'; problem: UploadProblem }
  | SentBefore
  | OverLimit
/** `waitsUntil` and `requeuedAt` are in milliseconds of `performance.now()`. */
export type Queued =
  /** `waitsUntil`: the server has asked to send it no earlier. `requeuedAt`: the last attempt had no response. */
  | { status: 'queued'; waitsUntil?: number; requeuedAt?: number }
  /** The last attempt was answered by a proxy without a server, or by a server that is not available. */
  | { status: 'queued'; waitsUntil?: never; requeuedAt: number; problem: { kind: 'server-unavailable' } }
/** The user may upload it again. `at`: when this tab uploaded the same file; null while that one is in the list, too. */
interface SentBefore {
  status: 'sent-before'
  at: string | null
}
/** Over a limit of the plan; uploaded automatically once there is room. */
export interface OverLimit {
  status: 'over-limit'
  problem: LimitProblem
}

interface UploadTotals {
  /** Bytes of all files that are uploaded, being uploaded or queued. */
  bytes: number
  sentBytes: number
  /** 0 to 1; 1 when nothing is left to send. */
  progress: number
}

/** Files in the queue at one time. */
export const maxUploads = 500

/** `room`: null while the plan is not known. */
export function initialUploadState(
  size: number,
  { room, isImage }: { room: PlanRoom | null; isImage: boolean },
): UploadState {
  if (!isImage) return { status: 'rejected', problem: { kind: 'not-image' } }
  return room && size > room.maxFileBytes ? tooLargeFor(room) : { status: 'queued' }
}

export const tooLargeFor = ({ maxFileBytes: maxBytes }: PlanRoom): OverLimit => ({
  status: 'over-limit',
  problem: { kind: 'too-large', maxBytes },
})

/** The queue with more files: a single file waits for Upload Photo, several start at once. */
export function withAdded(
  items: readonly UploadItem[],
  added: readonly UploadItem[],
): { items: readonly UploadItem[]; singleUploadId: string | null } {
  const [first] = added
  if (first && items.length === 0 && added.length === 1) {
    return { items: [{ ...first, state: selectedState(first.state) }], singleUploadId: first.id }
  }
  const started = items.map((item) => ({ ...item, state: startedState(item.state) }))
  return { items: [...started, ...added], singleUploadId: null }
}

function selectedState(state: UploadState): UploadState {
  if (state.status === 'sent-before') return { status: 'selected', ...(state.at !== null && { sentAt: state.at }) }
  return state.status === 'queued' ? { status: 'selected' } : state
}

function startedState(state: UploadState): UploadState {
  if (state.status !== 'selected') return state
  return state.sentAt === undefined ? { status: 'queued' } : { status: 'sent-before', at: state.sentAt }
}

/**
 * Equal for the same file chosen again, unless it was changed. A hash, so that the server does not learn when a file was made. If two
 * files have the same one, the server refuses the second, which then gets another key.
 */
export function fileKey({ name, size, lastModified }: File): string {
  const text = `${lastModified} ${name}`
  let [one, two] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index += 1) {
    one = Math.imul(one ^ text.charCodeAt(index), 2_654_435_761)
    two = Math.imul(two ^ text.charCodeAt(index), 1_597_334_677)
  }
  return ['file', size, ...[one, two].map((hash) => (hash >>> 0).toString(16))].join('-')
}

/** The idempotency key of every attempt: the server answers a file that it has stored before with its photo. */
export const idempotencyKeyOf = ({ id, file, isAgain }: UploadItem): string => (isAgain ? id : fileKey(file))

/** The groups of the list, in their order: problems, what is under way, then what needs nothing more. */
export const uploadGroups = ['failed', 'overLimit', 'underway', 'sentBefore', 'done'] as const
export type UploadGroup = (typeof uploadGroups)[number]

/** `photo`: the state of its photo, once the server has stored the file. */
export function groupOf(
  { state: { status } }: Pick<UploadItem, 'state'>,
  photo: UploadedPhotoStatus['state'] | undefined,
): UploadGroup {
  if (photo === 'failed' || status === 'failed' || status === 'rejected') return 'failed'
  if (photo === 'ready' || photo === 'deleted') return 'done'
  if (status === 'over-limit') return 'overLimit'
  return status === 'sent-before' ? 'sentBefore' : 'underway'
}

const requeuedAtOf = ({ state }: UploadItem): number => (state.status === 'queued' ? (state.requeuedAt ?? -1) : -1)

/**
 * Ids of the files to upload now, oldest first, of those not larger than `maxFileBytes`. `now`: `performance.now()`. Files
 * that were queued again come last: if a file itself causes the failure, it must not keep the others from being sent.
 */
export function nextToUpload(
  items: readonly UploadItem[],
  now: number,
  { maxFileBytes = Infinity, atOnce = limits.uploadsAtOncePerUser }: { maxFileBytes?: number; atOnce?: number } = {},
): string[] {
  const uploading = items.filter(({ state }) => state.status === 'uploading').length
  const free = Math.max(0, atOnce - uploading)
  return items
    .filter(
      ({ state, file }) => state.status === 'queued' && (state.waitsUntil ?? 0) <= now && file.size <= maxFileBytes,
    )
    .sort((one, other) => requeuedAtOf(one) - requeuedAtOf(other))
    .slice(0, free)
    .map(({ id }) => id)
}

/** Whether the user may upload the file once more. Files over a limit are uploaded automatically. */
export const mayRetry = ({ status }: UploadState): boolean => status === 'failed' || status === 'sent-before'

/** The limit that a file waits for; null when it does not, or when it is larger than the plan allows. */
export const quotaOf = ({ state }: Pick<UploadItem, 'state'>): 'photos' | 'storage' | null =>
  state.status === 'over-limit' && state.problem.kind === 'quota-exceeded' ? state.problem.quota : null

const sentBytesOf = ({ file, state }: UploadItem): number => {
  if (state.status === 'uploaded') return file.size
  return state.status === 'uploading' ? file.size * state.progress : 0
}
const isUnfinished = ({ state }: UploadItem): boolean => state.status === 'queued' || state.status === 'uploading'

/** Progress of the whole queue; files that cannot be uploaded are not counted. */
export function totalsOf(items: readonly UploadItem[]): UploadTotals {
  const countedFiles = items.filter((item) => isUnfinished(item) || item.state.status === 'uploaded')
  const bytes = countedFiles.reduce((sum, { file }) => sum + file.size, 0)
  const sentBytes = countedFiles.reduce((sum, item) => sum + sentBytesOf(item), 0)
  return { bytes, sentBytes, progress: bytes === 0 ? 1 : sentBytes / bytes }
}

/** Whether files are queued or being uploaded. */
export const hasUnfinishedUploads = (items: readonly UploadItem[]): boolean => items.some(isUnfinished)

const hasFailedReadable = ({ state }: UploadItem): boolean =>
  state.status === 'failed' && state.problem.kind !== 'unreadable-file'

/** Whether closing the tab now would lose files that were chosen and may still be uploaded. */
export const hasUnsentFiles = (items: readonly UploadItem[]): boolean =>
  items.some((item) => isUnfinished(item) || item.state.status === 'selected' || hasFailedReadable(item))

/**
 * Whether the user asked to upload the file, and it may still be: as `hasUnsentFiles`, without a file that was only chosen, and with
 * files over a limit.
 */
export const isUnsent = (item: UploadItem): boolean =>
  isUnfinished(item) || hasFailedReadable(item) || item.state.status === 'over-limit'

const minMeasuredMs = 3_000

/**
 * Seconds until everything is sent, after a pause of so many, at the speed of this run; null while there is too little to estimate
 * from, and when nobody knows how long the pause is.
 */
export function secondsLeft(
  totals: UploadTotals,
  run: { sentBytes: number; ms: number } | null,
  pauseSeconds: number | null = null,
): number | null {
  if (!run || run.ms < minMeasuredMs || run.sentBytes <= 0 || totals.progress >= 1) return null
  const seconds = ((totals.bytes - totals.sentBytes) / run.sentBytes) * (run.ms / 1000) + (pauseSeconds ?? 0)
  return seconds === Infinity ? null : Math.max(1, Math.round(seconds))
}

/** The photo of an uploaded file. `unknown`: the request for it failed, and is not repeated. */
export interface UploadedPhotoStatus {
  photo: Photo | null
  state: 'processing' | 'ready' | 'failed' | 'deleted' | 'unknown'
}

/** Unfinished photos that are polled at one time; the live connection reports changes of the others too. */
const maxPolledPhotos = 3
const photoStaleTimeMs = 60_000

/** The photos of uploaded files, by id; polled every two seconds until they are finished. */
export function useUploadedPhotos(ids: readonly string[]): ReadonlyMap<string, UploadedPhotoStatus> {
  const api = useApi()
  const queryClient = useQueryClient()
  const isUnfinished = (photo: Photo | undefined): boolean => !photo || photoStateOf(photo) === 'processing'
  const unfinishedIds = ids.filter((id) => isUnfinished(queryClient.getQueryData(photoQuery(api, id).queryKey)))
  const polledIds = new Set(unfinishedIds.slice(0, maxPolledPhotos))
  return useQueries({
    queries: ids.map((id) => ({
      ...photoQuery(api, id),
      staleTime: photoStaleTimeMs,
      retry: false,
      refetchInterval: ({ state: { data, status } }: { state: { data: Photo | undefined; status: string } }) =>
        polledIds.has(id) && status !== 'error' && isUnfinished(data) && limits.uploadStatusPollMs,
    })),
    combine: (results) =>
      new Map(
        results.map(({ data, error }, index): [string, UploadedPhotoStatus] => [
          ids[index] ?? '',
          { photo: data ?? null, state: uploadedState(data, error) },
        ]),
      ),
  })
}

function uploadedState(photo: Photo | undefined, error: Error | null): UploadedPhotoStatus['state'] {
  if (error instanceof ApiError && error.status === 404) return 'deleted'
  if (photo && photoStateOf(photo) !== 'processing') return photoStateOf(photo)
  return error ? 'unknown' : 'processing'
}
