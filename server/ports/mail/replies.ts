import type { Sent } from './mail.ts'

/** What nodemailer says about a failed attempt. */
export interface Failure {
  code?: string | undefined
  command?: string | undefined
  response?: string | undefined
  responseCode?: number | undefined
}

const gone = 'This address does not exist.'
const noMail = 'This domain takes no mail.'
const full = 'The mailbox is full.'
const tooLarge = 'The letter is too large for this mailbox.'
const unwanted = 'The receiving server does not want this letter.'
const later = 'The mail server asks to try again later.'

/** Subject and detail of enhanced status codes (RFC 3463, RFC 7505), as sentences for a photo's owner. */
const sentences: Record<string, string> = {
  '1.0': gone,
  '1.1': gone,
  '1.2': noMail,
  '1.3': gone,
  '1.6': 'This address has moved.',
  '1.7': 'The mail server does not accept the sender.',
  '1.8': 'The mail server does not accept the sender.',
  '1.10': noMail,
  '2.0': 'The mailbox cannot be used.',
  '2.1': 'The mailbox is not in use.',
  '2.2': full,
  '2.3': tooLarge,
  '3.4': tooLarge,
  '4.1': 'The receiving server does not answer.',
  '4.4': noMail,
  '4.7': 'The receiving server did not answer in time.',
}

/** For servers without enhanced codes: RFC 5321 section 4.2.3. */
const byCode: Record<number, string> = {
  450: 'The mailbox is busy.',
  451: later,
  452: 'The receiving server has no room now.',
  530: 'The mail server wants a sign-in.',
  550: 'The receiving server does not take letters for this address.',
  551: 'This address has moved.',
  552: full,
  553: 'The receiving server does not know this form of address.',
}

const connection: Record<string, string> = {
  EAUTH: 'The mail server refused our sign-in.',
  ENOAUTH: 'The mail server wants a sign-in.',
  ETLS: 'No safe connection to the mail server came about.',
  EDNS: 'The mail server could not be found.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  EABORT: 'The mail server did not answer in time.',
}

function sentenceFor(response: string, code: number): string {
  const [, detail = ''] = /^\d{3}[ -][245]\.(\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const known = sentences[detail]
  if (known) return known
  if (detail.startsWith('7.')) return unwanted
  return byCode[code] ?? (code < 500 ? later : unwanted)
}

const lost = new Set([
  'ECONNECTION',
  'ESOCKET',
  'ETIMEDOUT',
  'EDNS',
  'ETLS',
  'EPROTOCOL',
  'EAUTH',
  'ENOAUTH',
  'EABORT',
  'EENVELOPE',
  'EMESSAGE',
])

/**
 * Judges a failed attempt. `begun`: the server was being given this letter, so whatever went wrong may be the letter's.
 * @returns undefined when it was not the server's doing
 */
export function judge(failure: Failure, begun: boolean): Exclude<Sent, { kind: 'sent' }> | undefined {
  const { code = '', response = '', responseCode } = failure
  if (!lost.has(code)) return undefined
  if (!begun) {
    return { kind: 'again', unreachable: true, reason: connection[code] ?? 'The mail server could not be reached.' }
  }
  if (responseCode === undefined || responseCode < 400) {
    return { kind: 'again', unreachable: false, reason: connection[code] ?? 'The connection to the mail server broke.' }
  }
  const reason = sentenceFor(response, responseCode)
  // 503 is about the order of commands, 530 and 538 about our sign-in: none of them about this letter.
  const isForGood = responseCode >= 500 && ![503, 530, 538].includes(responseCode)
  return isForGood
    ? { kind: 'refused', reason, tooLarge: reason === tooLarge || responseCode === 552 }
    : { kind: 'again', unreachable: false, reason }
}
