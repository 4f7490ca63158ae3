import { listAt, numbersAt, valueAt, type Form } from './form.ts'
import { listOf } from './objects.ts'
import { invalidRequest } from './stripe-fault.ts'

const compare: Record<string, (created: number, limit: number) => boolean> = {
  gt: (created, limit) => created > limit,
  gte: (created, limit) => created >= limit,
  lt: (created, limit) => created < limit,
  lte: (created, limit) => created <= limit,
}

/** A page of a list as Stripe gives it: newest first, 10 unless the request says otherwise, at most 100. */
export function pageOf<T extends { id: string; created: number }>(url: string, items: Iterable<T>, params: Form) {
  const bounds = Object.entries(numbersAt(params, 'created'))
  const matching = [...items].filter(({ created }) => bounds.every(([name, limit]) => compare[name]?.(created, limit)))
  // The order of creation decides between those of one second.
  const newestFirst = matching.toReversed().sort((a, b) => b.created - a.created)
  const limit = Number(valueAt(params, 'limit') ?? 10)
  if (limit < 1 || limit > 100) throw invalidRequest('This value must be between 1 and 100.', { param: 'limit' })
  const after = valueAt(params, 'starting_after')
  const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0)
    throw invalidRequest(`No such object: '${after}'`, { code: 'resource_missing', param: 'starting_after' })
  return listOf(url, newestFirst.slice(start, start + limit), newestFirst.length > start + limit)
}

/** What a list shall expand; only what is listed here can be. */
export function expandsOf(params: Form, known: readonly string[]): string[] {
  const asked = listAt(params, 'expand') ?? []
  for (const one of asked) if (!known.includes(one)) throw invalidRequest(`This property cannot be expanded (${one}).`)
  return asked
}
