import { businessChars, type BusinessField, type BusinessProblem } from '@keepsnap/contract/businesses.ts'
import { vatExample } from '@keepsnap/contract/vat-numbers.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'

/** How browsers fill in the fields of a business. */
export const businessAutoComplete: Record<BusinessField, string> = {
  name: 'organization',
  vat_number: 'off',
  street: 'street-address',
  postal_code: 'postal-code',
  city: 'address-level2',
}

/** Why a field of a business is refused, as a sentence. */
export function businessProblemText(
  text: Catalogue['business'],
  { count }: Pick<Format, 'count'>,
  { field, problem, value }: { field: BusinessField; problem: BusinessProblem; value: string },
): string {
  const { problems } = text
  switch (problem) {
    case 'missing':
      return text.missing[field]
    case 'long':
      return problems.long(count(businessChars[field]))
    case 'country':
      return problems.country(vatExample(value))
    case 'form':
      return problems.form(vatExample(value))
    default:
      return problems[problem]
  }
}
