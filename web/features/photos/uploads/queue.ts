import type { User } from '@keepsnap/contract/accounts.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { maxFileBytes, plans } from '@keepsnap/contract/plans.ts'
import type { UploadProblem } from './problems.ts'

export type Tier = User['subscription_tier']

/** One file on its way. */
export interface UploadItem {
  /** Also its idempotency key, over all attempts. */
  readonly id: string
  readonly file: File
  /** Object address of the file, for its preview. */
  readonly preview: string
  readonly state: UploadState
}
export type UploadState =
  /** Shown to its person, who has not pressed Upload Photo yet. */
  | { at: 'chosen' }
  | { at: 'waiting' }
  /** `share` of the file that has left, 0 to 1. */
  | { at: 'sending'; share: number }
  /** The server has it; what becomes of it is told by the photo. */
  | { at: 'stored'; photoId: string }
  /** A person may try again. */
  | { at: 'stopped'; problem: UploadProblem }
  | { at: 'refused'; problem: UploadProblem }
  /** Refused by a limit at a time, on a plan; it goes up by itself when either has changed. */
  | Held
export interface Held {
  at: 'held'
  problem: UploadProblem
  tier: Tier
  /** Milliseconds. */
  since: number
}

export interface Totals {
  files: number
  /** Bytes of all files that are or may get up. */
  bytes: number
  sentBytes: number
  /** 0 to 1; 1 when nothing is left to send. */
  share: number
}

/** Files in the queue at one time. */
export const mostItems = 500

/** The largest file of a plan. Both paid plans take the same. */
export const mostBytesOf = (tier: Tier): number => maxFileBytes(tier === 'pro' ? plans.pro_monthly : plans.free)

/** A file as it comes in: sent when asked for, or held at once when the plan does not take its size. */
export function firstState(
  size: number,
  { tier, now, isImage }: { tier: Tier; now: number; isImage: boolean },
): UploadState {
  if (!isImage) return { at: 'refused', problem: { kind: 'not-image' } }
  const mostBytes = mostBytesOf(tier)
  if (size > mostBytes) return { at: 'held', problem: { kind: 'too-large', mostBytes }, tier, since: now }
  return { at: 'waiting' }
}

/** Ids of the files to send now, oldest first. */
export function nextToSend(items: readonly UploadItem[]): string[] {
  const sending = items.filter(({ state }) => state.at === 'sending').length
  const free = Math.max(0, limits.uploadsAtOncePerUser - sending)
  return items
    .filter(({ state }) => state.at === 'waiting')
    .slice(0, free)
    .map(({ id }) => id)
}

/** Whether what held a file back may be gone: another plan, or another month for a full month. */
export function mayGoNow({ problem, tier, since }: Held, now: { tier: Tier; at: number }): boolean {
  if (tier !== now.tier) return true
  const month = (at: number): string => new Date(at).toISOString().slice(0, 7)
  return problem.kind === 'no-room' && problem.what === 'photos' && month(now.at) > month(since)
}

/** Whether a person may press Retry. A file over the plan's size stays so. */
export const mayRetry = ({ at, problem }: Extract<UploadState, { problem: UploadProblem }>): boolean =>
  at === 'stopped' || (at === 'held' && problem.kind === 'no-room')

const sentOf = ({ file, state }: UploadItem): number => {
  if (state.at === 'stored') return file.size
  return state.at === 'sending' ? file.size * state.share : 0
}
const counts = ({ state }: UploadItem): boolean =>
  state.at === 'waiting' || state.at === 'sending' || state.at === 'stored'

/** How far the whole queue is; files that cannot go up do not count. */
export function totalsOf(items: readonly UploadItem[]): Totals {
  const under = items.filter(counts)
  const bytes = under.reduce((sum, { file }) => sum + file.size, 0)
  const sentBytes = under.reduce((sum, item) => sum + sentOf(item), 0)
  return { files: under.length, bytes, sentBytes, share: bytes === 0 ? 1 : sentBytes / bytes }
}

/** Whether closing the tab now would lose something. */
export const isUnderway = (items: readonly UploadItem[]): boolean =>
  items.some(({ state }) => state.at === 'waiting' || state.at === 'sending')

const leastMs = 3_000

/** Seconds until all is sent, at the speed since the run began; null while there is too little to tell by. */
export function secondsLeft(totals: Totals, run: { sentBytes: number; ms: number } | null): number | null {
  if (!run || run.ms < leastMs || run.sentBytes <= 0 || totals.share >= 1) return null
  return Math.max(1, Math.round(((totals.bytes - totals.sentBytes) / run.sentBytes) * (run.ms / 1000)))
}
