import { KeepsnapError, KeepsnapNetworkError } from '../errors.ts'
import { retryDelay } from '../retry.ts'
import { texts } from './texts.ts'

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
