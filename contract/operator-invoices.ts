import { Array, Boolean, Integer, Number, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf } from './endpoint.ts'
import { adminLimits, billingLimits, limits } from './limits.ts'
import { Reason } from './operators.ts'

// Invoices of businesses and their credit notes, which operators hand over to their Peppol provider as UBL.

/** What is missing in a document: the rate of the euro, the operator's settings, or a part of what the customer entered. */
export const invoiceWaits = [
  'rate',
  'seller',
  'buyer_name',
  'buyer_vat_number',
  'buyer_street',
  'buyer_postal_code',
  'buyer_city',
] as const
/** One of these. */
export type InvoiceWait = (typeof invoiceWaits)[number]

/** An invoice of a business, or a credit note. Times are ISO 8601 in UTC; amounts include VAT. */
export const BusinessInvoice = Object({
  id: String(),
  kind: oneOf('invoice', 'credit_note'),
  number: String(),
  /** Of a credit note for a refund: the number of the invoice that it corrects. */
  corrects: nullable(String()),
  issued_at: String(),
  buyer: Object({ name: String(), vat_number: String() }),
  /** ISO 4217, in capitals. */
  currency: String(),
  total_cents: Integer(),
  /** 0 for a customer in another country of the EU, who owes the VAT there. */
  vat_cents: Integer(),
  reverse_charge: Boolean(),
  /** Euros for one unit of the currency; null until it is known. */
  eur_rate: nullable(Number()),
  rate_by: nullable(oneOf('provider', 'operator')),
  /** Empty when it can be handed over. */
  waits_for: Array(oneOf(...invoiceWaits)),
  /** Null when the account was deleted. */
  account: nullable(Object({ id: String(), username: String() })),
})
export type BusinessInvoice = Static<typeof BusinessInvoice>

export const listBusinessInvoices = endpoint({
  method: 'GET',
  path: '/api/operator/invoices',
  access: 'operator',
  rate: 'operator',
  summary: 'List invoices of businesses and their credit notes: those that wait first, then the newest.',
  query: exact({
    skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
    limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
  }),
  reply: Object({
    invoices: Array(BusinessInvoice),
    /** How many wait. */
    waiting: Integer(),
    total: Integer(),
    skip: Integer(),
    limit: Integer(),
  }),
})
/** 409 while something is missing. */
export const getBusinessInvoice = endpoint({
  method: 'GET',
  path: '/api/operator/invoices/:id',
  access: 'operator',
  rate: 'operator',
  summary: 'Get an invoice or a credit note as UBL, with the name of its file.',
  params: ById,
  reply: Object({ file_name: String(), xml: String() }),
})
/** 409 when the payment provider has exchanged the money, so that its rate counts. */
export const setInvoiceRate = endpoint({
  method: 'POST',
  path: '/api/operator/invoices/:id/rate',
  access: 'operator',
  rate: 'operator',
  summary: 'Enter or correct the rate of the euro of an invoice and its credit notes.',
  params: ById,
  body: exact({
    /** Euros for one unit of its currency. */
    eur_rate: Number({ minimum: billingLimits.eurRateMin, maximum: billingLimits.eurRateMax }),
    reason: Reason,
  }),
  reply: BusinessInvoice,
})
