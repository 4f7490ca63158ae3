import type { HttpRequest } from './http-types.ts'

/** Both names mean the same. */
const keyHeaders = ['api-key', 'x-api-key'] as const

/**
 * What the request's key headers say; undefined without one. Two different values are no key at all: a proxy in front may
 * have checked only one of them. Node.js joins a header that is sent twice, which is no key either.
 */
export function apiKeyHeaderOf({ headers }: Pick<HttpRequest, 'headers'>): string | undefined {
  const values = keyHeaders.map((name) => headers[name]).filter((value) => value !== undefined)
  const [first] = values
  if (first === undefined) return undefined
  return typeof first === 'string' && values.every((value) => value === first) ? first : ''
}
