import type Stripe from 'stripe'
import { PaymentRefused, PaymentsDown } from './payments.ts'

/** Times of calls to Stripe. */
export const stripeTimes = {
  /** One attempt; a slower one is repeated with the same idempotency key. */
  attemptMs: 8_000,
  /** All attempts of one request together. */
  requestMs: 10_000,
  retries: 2,
} as const

/** In one page of a list; Stripe allows no more. */
const pageItems = 100
/** Of a list about one customer; more are not read. */
export const mostItems = 1_000

/** What the parts of the port use. */
export interface StripeContext {
  stripe: Stripe
  calls: StripeCalls
}

/** Whether an id can be a part of a path; `..` and the like are not ids. */
export const isStripeId = (id: string): boolean => /^\w[\w.-]*$/.test(id)

/** Sends requests to Stripe: they end in time, and fail with the errors of the port. */
export interface StripeCalls {
  send<T>(request: () => Promise<T>): Promise<T>
  /** Null when Stripe knows nothing under the id. */
  find<T>(request: () => Promise<T>): Promise<T | null>
  /** The items of a list, newest first, as far as `mostItems`; each page is a request of its own. */
  list<T extends { id: string }>(readPage: ReadPage<T>, mostItems: number): Promise<T[]>
}

/** Reads a page of a list, after an item. */
type ReadPage<T> = (page: { limit: number; starting_after?: string }) => Promise<{ data: T[]; has_more: boolean }>

/** Whether Stripe answered that something does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof PaymentRefused && stripeErrorCode(error) === 'resource_missing'

/** Stripe's code of a refusal, such as `charge_already_refunded`. */
export const stripeErrorCode = ({ cause }: PaymentRefused): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined

/** The HTTP status of Stripe's answer; undefined without one. */
export const stripeStatus = ({ cause }: PaymentsDown): number | undefined =>
  cause instanceof Error && 'statusCode' in cause && typeof cause.statusCode === 'number' ? cause.statusCode : undefined

async function withDeadline<T>(request: Promise<T>): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => deadline.reject(new PaymentsDown(`Stripe did not answer in ${stripeTimes.requestMs / 1000} s`)),
    stripeTimes.requestMs,
  )
  try {
    return await Promise.race([request, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Translates an error of the package `stripe`; other errors are bugs and stay as they are. */
function translate(errors: typeof Stripe.errors, error: unknown): unknown {
  if (!(error instanceof errors.StripeError)) return error
  const { statusCode = 0, type, message } = error
  const text = `${type}: ${message}`
  // A key that is wrong or lacks a permission must be fixed by the operator; the call itself is not wrong.
  const isRefused = statusCode === 401 || statusCode === 403
  const isDown = isRefused || statusCode >= 500 || [0, 409, 429].includes(statusCode)
  if (isDown) return new PaymentsDown(text, { cause: error, isRefused })
  const isCustomerUnknown = error.code === 'resource_missing' && error.param === 'customer'
  return new PaymentRefused(text, { cause: error, isCustomerUnknown })
}

/** Creates the sender of requests; `errors` are the classes of the package. */
export function createStripeCalls(errors: typeof Stripe.errors): StripeCalls {
  const send: StripeCalls['send'] = async (request) => {
    try {
      return await withDeadline(request())
    } catch (error) {
      throw translate(errors, error)
    }
  }
  return {
    send,
    async find(request) {
      try {
        return await send(request)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async list<T extends { id: string }>(readPage: ReadPage<T>, mostItems: number) {
      const items: T[] = []
      for (;;) {
        const last = items.at(-1)
        const after = last ? { starting_after: last.id } : {}
        const page = await send(() => readPage({ limit: pageItems, ...after }))
        items.push(...page.data)
        if (!page.has_more || !page.data.length || items.length >= mostItems) return items
      }
    },
  }
}
