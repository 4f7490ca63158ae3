import { ApiError } from '../../../lib/answers.ts'
import type { Format } from '../../../lib/format.ts'
import type { Catalogue } from '../../../messages/en.ts'

/** Why a file is not up. */
export type UploadProblem =
  /** `detail`: the server's own explanation. */
  | { kind: 'failed'; detail: string | null }
  | { kind: 'no-answer' }
  | { kind: 'signed-out' }
  | { kind: 'not-image' }
  /** Over the plan's file size, in bytes; found before it was sent. */
  | { kind: 'too-large'; mostBytes: number }
  /** Refused for its size, but not by our server: a proxy has limits of its own. */
  | { kind: 'on-the-way' }
  /** The plan's month or storage is full; `detail` names the limit, the plan and the way out. */
  | { kind: 'no-room'; what: 'photos' | 'storage'; detail: string | null }

/** `wait`: the server asks for patience. `stop`: a person may try again. `refuse`: it would not help. `hold`: until there is room. */
export type Verdict = { do: 'wait'; ms: number } | { do: 'stop' | 'refuse' | 'hold'; problem: UploadProblem }

const patienceMs = 5_000
const refusals = new Set(['not_an_image', 'unsupported_type', 'too_large'])

/** What a failed upload means for its file. */
export function verdictOn(error: unknown): Verdict {
  if (!(error instanceof ApiError)) return { do: 'stop', problem: { kind: 'no-answer' } }
  const { status, code, retryAfter, sentence: detail } = error
  if (code === 'quota_photos') return { do: 'hold', problem: { kind: 'no-room', what: 'photos', detail } }
  if (code === 'quota_storage') return { do: 'hold', problem: { kind: 'no-room', what: 'storage', detail } }
  if (status === 413 && code === null) return { do: 'refuse', problem: { kind: 'on-the-way' } }
  if (status === 429 || ((status === 503 || status === 409) && retryAfter !== null)) {
    return { do: 'wait', ms: retryAfter === null ? patienceMs : retryAfter * 1000 }
  }
  if (status === 401) return { do: 'stop', problem: { kind: 'signed-out' } }
  const refused = code !== null && refusals.has(code)
  return { do: refused ? 'refuse' : 'stop', problem: { kind: 'failed', detail } }
}

/** What to say about it; spec section 8. `size` is the file's, in bytes. */
export function uploadMessage(
  problem: UploadProblem,
  size: number,
  { text, format }: { text: Catalogue['upload']['errors']; format: Format },
): string {
  switch (problem.kind) {
    case 'failed':
      return problem.detail ?? text.failed
    case 'no-answer':
      return text.noAnswer
    case 'signed-out':
      return text.signedOut
    case 'not-image':
      return text.notImage
    case 'too-large':
      return text.tooLarge(format.size(size), format.size(problem.mostBytes))
    case 'on-the-way':
      return text.refusedOnTheWay(format.size(size))
    case 'no-room':
      return problem.detail ?? text.failed
  }
}
