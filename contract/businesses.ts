import { Boolean, Object, Optional, String, type Static } from 'typebox'
import { endpoint, exact, nullable } from './endpoint.ts'
import { normalizeName } from './form-rules.ts'
import { normalizeVatNumber, vatExample, type VatProblem, vatProblem } from './vat-numbers.ts'

/** The longest fields of a business, in characters. */
export const businessChars = { name: 150, vat_number: 30, street: 150, postal_code: 16, city: 100 } as const

/** What people enter about a business, in the order of the form. */
export const businessFields = ['name', 'vat_number', 'street', 'postal_code', 'city'] as const
export type BusinessField = (typeof businessFields)[number]
export type BusinessFields = Record<BusinessField, string>
export const noBusiness: BusinessFields = { name: '', vat_number: '', street: '', postal_code: '', city: '' }

/** Why a field is refused. `payments`: the payment provider does not take this VAT number. */
export type BusinessProblem = VatProblem | 'long' | 'characters' | 'payments'
export type BusinessProblems = Partial<Record<BusinessField, BusinessProblem>>

/** The fields as they are stored. */
export const normalizeBusiness = (fields: BusinessFields): BusinessFields => ({
  name: normalizeName(fields.name),
  vat_number: normalizeVatNumber(fields.vat_number),
  street: normalizeName(fields.street),
  postal_code: normalizeName(fields.postal_code),
  city: normalizeName(fields.city),
})

function fieldProblem(field: BusinessField, value: string): BusinessProblem | null {
  if (value === '') return 'missing'
  if (Array.from(value).length > businessChars[field]) return 'long'
  if (field === 'vat_number') return vatProblem(value)
  // Control and format characters, line separators and private use, which invoices cannot show.
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(value) ? 'characters' : null
}

/** The refused fields, which are normalized. */
export const businessProblems = (fields: BusinessFields): BusinessProblems =>
  globalThis.Object.fromEntries(
    businessFields.flatMap((field) => {
      const problem = fieldProblem(field, fields[field])
      return problem === null ? [] : [[field, problem]]
    }),
  )

const fieldNames: Record<BusinessField, string> = {
  name: 'the name of the company',
  vat_number: 'the VAT number',
  street: 'the street and number',
  postal_code: 'the postal code',
  city: 'the city',
}

/** The server's sentence about a refused field. */
export function businessProblemMessage(field: BusinessField, problem: BusinessProblem, value: string): string {
  switch (problem) {
    case 'missing':
      return `Please enter ${fieldNames[field]}`
    case 'long':
      return `Please use at most ${businessChars[field]} characters`
    case 'characters':
      return 'This contains line breaks or invisible characters. Please type it again'
    case 'country':
      return `Start with the letters of a country of the European Union, as in ${vatExample(value)}`
    case 'form':
      return `VAT numbers of this country look like ${vatExample(value)}`
    case 'digits':
      return 'This VAT number cannot be right: its check digits do not match. Compare it with your registration'
    case 'payments':
      return 'The payment provider does not accept this VAT number. Compare it with your registration'
  }
}

/** The business that a user buys for. Parts of the address that the payment provider does not know are empty. */
export const Business = Object({
  name: String(),
  /** With the prefix of its country. */
  vat_number: String(),
  street: String(),
  postal_code: String(),
  city: String(),
  /** ISO 3166-1, two letters. */
  country: String(),
})
export type Business = Static<typeof Business>

const BusinessReply = Object({
  /** Null for a private person. */
  business: nullable(Business),
  /** Only while the payment provider, which writes the invoices, does not have it yet. */
  is_pending: Optional(Boolean()),
})

export const getBusiness = endpoint({
  method: 'GET',
  path: '/subscriptions/business',
  access: 'user',
  summary: 'Get the business that your invoices name.',
  reply: BusinessReply,
})

/** Longer than what is accepted, so that the refusal can say which field is too long. */
const text = String({ maxLength: 1_000, pattern: '^[^\\0]*$' })

export const setBusiness = endpoint({
  method: 'PUT',
  path: '/subscriptions/business',
  access: 'user',
  summary: 'Set the business that the invoices from now on name.',
  rate: 'billing',
  /** The country is that of the VAT number. */
  body: exact({ name: text, vat_number: text, street: text, postal_code: text, city: text }),
  reply: BusinessReply,
})

export const removeBusiness = endpoint({
  method: 'DELETE',
  path: '/subscriptions/business',
  access: 'user',
  summary: 'Remove the business: the invoices from now on name no company.',
  rate: 'billing',
  reply: BusinessReply,
})
