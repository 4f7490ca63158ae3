import { Boolean, Integer, Object, Optional, String, type Static } from 'typebox'
import { endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import { emailProblem, type EmailProblem, emailProblemMessages } from './form-rules.ts'
import { languageParameter } from './languages.ts'
import { limits, withdrawalLimits } from './limits.ts'

// Withdrawal from a contract within 14 days: article 11a of Directive 2011/83/EU. Times are ISO 8601 in UTC, of the billing clock.

/** The fields of a withdrawal; all are required. */
export interface WithdrawalFields {
  name: string
  email: string
  /** Which contract, as a person says it: the plan and its date, or the number of an invoice. */
  contract: string
}
/** The fields in the order of the form. */
export const withdrawalFields = ['name', 'email', 'contract'] as const satisfies (keyof WithdrawalFields)[]

/** How long each text may be, in UTF-16 code units as browsers count them. */
export const withdrawalFieldChars = {
  name: withdrawalLimits.nameChars,
  contract: withdrawalLimits.contractChars,
} as const

/** Why a field is refused. */
export type WithdrawalProblem = 'missing' | 'long' | EmailProblem
/** The fields that are refused. */
export type WithdrawalProblems = Partial<Record<keyof WithdrawalFields, WithdrawalProblem>>

// A text without any visible character says nothing.
const hasContent = (value: string): boolean => /[\p{L}\p{N}]/u.test(value)

function textProblem(name: keyof typeof withdrawalFieldChars, value: string): WithdrawalProblem | null {
  if (!hasContent(value)) return 'missing'
  return value.length > withdrawalFieldChars[name] ? 'long' : null
}

/** What is wrong with the fields of a withdrawal: the same rules on the page and on the server. */
export function withdrawalProblems(fields: WithdrawalFields): WithdrawalProblems {
  const problems: WithdrawalProblems = {}
  for (const name of withdrawalFields) {
    const problem = name === 'email' ? emailProblem(fields.email) : textProblem(name, fields[name].trim())
    if (problem !== null) problems[name] = problem
  }
  return problems
}

/** The sentence of the server for a field that is refused; the page has its own in each language. */
export function withdrawalProblemMessage(field: keyof WithdrawalFields, problem: WithdrawalProblem): string {
  if (field === 'email') return emailProblemMessages[problem]
  if (problem === 'long') return `Please use at most ${withdrawalFieldChars[field]} characters`
  return field === 'name'
    ? 'Please enter your name'
    : 'Please say which contract: the plan and its date, or the number of an invoice'
}

/** The contract that an account has now: that with which it came to its paid plan, which a change of plan begins anew. */
export const CurrentContract = Object({
  /** Names it in a withdrawal. */
  id: String(),
  plan: Object({ id: String(), name: String(), price_cents: Integer(), interval_type: oneOf('month', 'year') }),
  /** The number of the invoice with which it began. */
  invoice_number: String(),
  concluded_at: String(),
  /** The last second in which a withdrawal can be made. */
  until: String(),
  /** Whether that is over. */
  is_over: Boolean(),
})
export type CurrentContract = Static<typeof CurrentContract>

/** What the page of withdrawals fills in for an account. */
export const WithdrawalOffer = Object({
  name: String(),
  email: String(),
  /** Null without a contract. */
  contract: nullable(CurrentContract),
  /** The newest withdrawal that ended a plan of the account; null when there is none. */
  made: nullable(
    Object({
      made_at: String(),
      /** Null until everything is refunded. */
      refunded_cents: nullable(Integer()),
    }),
  ),
})
export type WithdrawalOffer = Static<typeof WithdrawalOffer>

/** Asks the payment provider; 503 when it cannot be reached. */
export const withdrawalOffer = endpoint({
  method: 'GET',
  path: '/subscriptions/withdrawal',
  access: 'user',
  summary: 'Get the contract that you can withdraw from, and until when.',
  rate: 'billing',
  reply: WithdrawalOffer,
})

// Limited by the body size only: `withdrawalProblems` checks lengths, so that a form without JavaScript shows the error.
const Text = Optional(text(limits.jsonBodyBytes))

/** What was made of a withdrawal. */
export const WithdrawalMade = Object({
  made_at: String(),
  /**
   * `accepted`: the contract of the session's account; its plan has ended and its money goes back. `late`: that contract, whose 14 days
   * were over. `email`: an email says what follows, which is the same answer for every address.
   */
  outcome: oneOf('accepted', 'late', 'email'),
  /** For `accepted`: what was refunded; null until everything is. */
  refunded_cents: nullable(Integer()),
  /** For `late`: when the 14 days were over. */
  until: nullable(String()),
})
export type WithdrawalMade = Static<typeof WithdrawalMade>

/**
 * JSON makes the withdrawal at once and is answered with JSON; the page has asked for the confirmation. A form, for browsers without
 * JavaScript, is answered with a page that asks for it, and makes the withdrawal with `confirmed`.
 */
export const makeWithdrawal = endpoint({
  method: 'POST',
  path: '/withdraw',
  access: ['public', 'user'],
  rate: 'withdrawals',
  summary: 'Withdraw from a contract. The answer is the same for every address.',
  form: 'or JSON',
  // Of the page: the receipt is in this language. Without it, that of the browser.
  query: Object({ [languageParameter]: Optional(String({ maxLength: 8 })) }),
  body: exact({
    name: Text,
    email: Text,
    contract: Text,
    /** With a session: the `id` of its contract, which ends at once. */
    contract_id: Optional(text(255)),
    /** Of a form: the button of the second step. `no`: back to the first. */
    confirmed: Optional(oneOf('yes', 'no')),
  }),
  reply: WithdrawalMade,
})

const ByToken = Object({ token: pathId })
/** The link of the receipt, which is sent to the address of the account. GET changes nothing, because mail scanners open links. */
export const withdrawalLinkPage = endpoint({
  method: 'GET',
  path: '/withdraw/:token',
  access: 'public',
  rate: 'linkChecks',
  summary: 'The page on which a withdrawal from a contract is completed.',
  params: ByToken,
  reply: 'bytes',
})
/** The button of that page: ends the plan and refunds. Repeating it changes nothing. */
export const withdrawalLinkForm = endpoint({
  method: 'POST',
  path: '/withdraw/:token',
  access: 'public',
  rate: 'linkChecks',
  summary: 'Complete a withdrawal from a contract.',
  params: ByToken,
  ignoreBody: true,
  reply: 'bytes',
})
