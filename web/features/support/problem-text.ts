import {
  supportFieldChars,
  supportProblems,
  type SupportFields,
  type SupportProblems,
} from '@keepsnap/contract/support.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'

type SupportText = Catalogue['support']

/** What is wrong with a field, as a sentence; undefined when nothing is. */
export function fieldProblemText(
  name: keyof SupportFields,
  problems: SupportProblems,
  { text, format }: { text: SupportText; format: Pick<Format, 'count'> },
): string | undefined {
  const problem = problems[name]
  if (problem === undefined) return undefined
  if (name === 'email') return text.problems.email[problem]
  const sentences = text.problems[name]
  return problem === 'long' ? sentences.long(format.count(supportFieldChars[name])) : sentences.missing
}

/** The fields that the server refused. Only the server detects some invalid domains. */
export function refusedFields(error: unknown, fields: SupportFields): SupportProblems {
  if (!(error instanceof ApiError) || !Array.isArray(error.detail)) return {}
  const known = supportProblems(fields)
  return Object.fromEntries(
    error.detail.flatMap(({ loc }) => {
      const name = loc[1]
      return typeof name === 'string' && name in fields ? [[name, known[name as keyof SupportFields] ?? 'form']] : [] // a key, see `in`
    }),
  )
}

const minuteSeconds = 60
const hourSeconds = 3_600

/** Why a message was not sent, by the code of the refusal. */
export function failureText(error: unknown, text: SupportText): string {
  if (error instanceof NetworkError) return error.reason === 'unreachable' ? text.offline : text.tryAgain
  if (!(error instanceof ApiError) || error.code !== 'rate_limited') return text.tryAgain
  const seconds = error.retryAfter ?? minuteSeconds
  const wait =
    seconds < hourSeconds
      ? text.waitMinutes(Math.ceil(seconds / minuteSeconds))
      : text.waitHours(Math.ceil(seconds / hourSeconds))
  return text.tooMany(wait)
}
