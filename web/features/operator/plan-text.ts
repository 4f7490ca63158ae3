import type { OperatorUser } from '@keepsnap/contract/operator-users.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import { noonOf } from './times.ts'

type Text = Catalogue['operatorUsers']

/** The last day of a plan that was given: it ends with that day in UTC, as it was typed. */
const lastDayOf = (until: string, format: Format): string => format.date(noonOf(until.slice(0, 10)))

/** The plan of an account by its name, and whether it was given. */
export function planText(
  { plan, is_complimentary, plan_until: until }: OperatorUser,
  text: Text,
  format: Format,
): string {
  const name = text.plans[plan]
  if (!is_complimentary) return name
  return until === null ? text.plan.given(name) : text.plan.givenUntil(name, lastDayOf(until, format))
}
