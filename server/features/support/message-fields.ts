import {
  supportProblemMessage,
  supportProblems,
  supportFields,
  type SupportFields,
} from '@keepsnap/contract/support.ts'
import { emailProblem } from '@keepsnap/contract/emails.ts'
import { Fault } from '../../faults.ts'
import { parseEmailAddress } from '../../lib/email-address.ts'

/** Control characters, and those that reverse the order in which the following text is shown. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** Reduces a text to one line, for email headers and lists. */
const singleLine = (text: string): string => text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim()

/** Normalizes line ends to LF (forms send CR LF) and removes control characters. */
const severalLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(unprintable, (characters) => characters.replace(/[^\n\t]/g, ''))
    .trim()

/** The normalized fields; missing ones are empty. */
export const supportFieldsOf = (body: Partial<SupportFields>): SupportFields => ({
  name: singleLine(body.name ?? ''),
  email: (body.email ?? '').trim(),
  subject: singleLine(body.subject ?? ''),
  message: severalLines(body.message ?? ''),
})

/** The fields with the address that emails can be sent to. Throws 422 with a sentence for each field that is refused. */
export function validateFields(fields: SupportFields): SupportFields {
  const email = parseEmailAddress(fields.email)
  const problems = supportProblems(fields)
  // Whether an internationalized domain is valid is known only after its conversion to ASCII.
  if (email === undefined) problems.email = emailProblem(fields.email) ?? 'form'
  const errors = supportFields.flatMap((field) => {
    const problem = problems[field]
    return problem === undefined ? [] : [{ loc: ['body', field], msg: supportProblemMessage(field, problem) }]
  })
  if (errors.length > 0 || email === undefined) throw new Fault('invalid', errors)
  return { ...fields, email }
}
