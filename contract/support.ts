import { Object, Optional, String } from 'typebox'
import { emailProblem, emailProblemMessages, type EmailProblem } from './emails.ts'
import { endpoint } from './endpoint.ts'
import { languageParameter } from './languages.ts'
import { limits, supportLimits } from './limits.ts'

/** The fields of the contact form on the support page; all are required. */
export interface SupportFields {
  name: string
  email: string
  subject: string
  message: string
}
/** The fields in the order of the form. */
export const supportFields = ['name', 'email', 'subject', 'message'] as const satisfies (keyof SupportFields)[]

/** How long each text may be, in UTF-16 code units as browsers count them. */
export const supportFieldChars = {
  name: supportLimits.nameChars,
  subject: supportLimits.subjectChars,
  message: supportLimits.messageChars,
} as const

/** Why a field is refused. */
export type SupportProblem = 'missing' | 'long' | EmailProblem
/** The fields that are refused. */
export type SupportProblems = Partial<Record<keyof SupportFields, SupportProblem>>

// A text without any visible character says nothing.
const hasContent = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

function textProblem(name: keyof typeof supportFieldChars, text: string): SupportProblem | null {
  if (!hasContent(text)) return 'missing'
  return text.length > supportFieldChars[name] ? 'long' : null
}

/** What is wrong with the fields of the form: the same rules on the page and on the server. */
export function supportProblems(fields: SupportFields): SupportProblems {
  const problems: SupportProblems = {}
  for (const name of supportFields) {
    const problem = name === 'email' ? emailProblem(fields.email) : textProblem(name, fields[name].trim())
    if (problem !== null) problems[name] = problem
  }
  return problems
}

/** The sentence of the server for a field that is refused; the page has its own in each language. */
export function supportProblemMessage(field: keyof SupportFields, problem: SupportProblem): string {
  if (field === 'email') return emailProblemMessages[problem]
  return problem === 'long'
    ? `Please use at most ${supportFieldChars[field]} characters`
    : { name: 'Please enter your name', subject: 'Please enter a subject', message: 'Please write a message' }[field]
}

// Limited by the body size only: `supportProblems` checks lengths, so that a form without JavaScript shows the error.
const Text = Optional(String({ maxLength: limits.jsonBodyBytes, pattern: '^[^\\0]*$' }))

/** The answer to every accepted message. */
export const supportReceived = 'Your message has been sent.'

/**
 * JSON is answered with JSON; a form, for browsers without JavaScript, with a page. With a session, the message belongs to
 * that account, whose plan decides about priority; without a valid one it is a visitor's.
 */
export const sendSupportMessage = endpoint({
  method: 'POST',
  path: '/support',
  access: ['public', 'user'],
  rate: 'support',
  summary: 'Send a message to support. The answer is the same for every address.',
  form: 'or JSON',
  // Of the page: the confirmation is in this language. Without it, that of the browser.
  query: Object({ [languageParameter]: Optional(String({ maxLength: 8 })) }),
  // `website` is a honeypot: people do not see the field, so only bots fill it in.
  body: Object(
    // `website` has no limit: a message whose honeypot is filled in is accepted, too.
    { name: Text, email: Text, subject: Text, message: Text, website: Optional(String()) },
    { additionalProperties: false },
  ),
  reply: Object({ detail: String() }),
})
