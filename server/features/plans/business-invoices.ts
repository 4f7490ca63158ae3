import { type RawBuilder, type Selectable, sql } from 'kysely'
import { adminLimits, retention } from '@keepsnap/contract/limits.ts'
import {
  type BusinessInvoice,
  getBusinessInvoice,
  type InvoiceWait,
  listBusinessInvoices,
  setInvoiceRate,
} from '@keepsnap/contract/operator-invoices.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { productName } from '@keepsnap/contract/site.ts'
import type { Config } from '../../config.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { isId, newId } from '../../lib/ids.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { BusinessInvoices } from '../../platform/db/schema.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { enqueue, enqueueAll } from '../../platform/jobs/queue.ts'
import { sampleSettings } from '../../ports/mail/mail-settings.ts'
import {
  type Business,
  type Invoice,
  isUnknownCustomer,
  type Payment,
  type Payments,
  type Subscription,
} from '../../ports/payments/payments.ts'
import { actAsOperator, recordRead, userSubject } from '../operators/audit-log.ts'
import { readBusiness } from './businesses.ts'
import { lockCustomer, planOfPrice, type Provider } from './customers.ts'
import {
  amountsOf,
  type BusinessDocument,
  type DocumentLine,
  enterpriseNumber,
  plainVatNumber,
  type Seller,
  type Vat,
  vatOf,
  writeUbl,
} from './ubl.ts'

/** Invoices of businesses and their credit notes, for the operator's bookkeeping. */
export function businessInvoiceRoutes(serve: Serve, { db }: Dependencies): void {
  serve(listBusinessInvoices, async ({ query: { skip = 0, limit = adminLimits.pageDefault } }) => {
    const rows = await invoiceRows(db)
      .orderBy(sql`business_invoices.waits_for <> '{}'`, 'desc')
      .orderBy('business_invoices.issued_at', 'desc')
      .orderBy('business_invoices.id', 'desc')
      .offset(skip)
      .limit(limit)
      .execute()
    return { invoices: rows.map(invoiceView), ...(await countInvoices(db)), skip, limit }
  })

  serve(getBusinessInvoice, async ({ params: { id } }, { actor: operator }) => {
    const row = await findInvoice(db, id)
    const subject = row.user_id === null ? undefined : await userSubject(db, row.user_id)
    await recordRead(db, { operator, action: 'read invoice of a business', person: id, subject })
    const document = documentOf(row)
    if (!document)
      throw new Fault('conflict', 'This invoice waits for something that is missing, so it cannot be downloaded yet.')
    return { file_name: fileNameOf(document.number), xml: writeUbl(document) }
  })

  serve(setInvoiceRate, async ({ params: { id }, body: { eur_rate: rate, reason } }, { actor: operator }) => {
    const { customer_id: customerId, user_id: userId } = await findInvoice(db, id)
    const subject = userId === null ? undefined : await userSubject(db, userId)
    await actAsOperator(db, { operator, action: 'enter rate of invoice', subject, reason }, async (tx) => {
      if (customerId !== null) await lockCustomer(tx, customerId)
      const row = await findInvoice(tx, id)
      if (row.rate_by === 'provider')
        throw new Fault('conflict', 'The payment provider has exchanged the money of this invoice, so its rate counts.')
      await setRate(tx, row.corrects ?? id, { rate, by: 'operator' })
    })
    return invoiceView(await findInvoice(db, id))
  })
}

/** What the table has of a document besides its own columns. */
interface StoredDocument {
  buyer: Business
  /** Null until the operator's settings name a Belgian business. */
  seller: Seller | null
  lines: DocumentLine[]
  vat: Vat
  isCharged: boolean
  /** Of a credit note for a refund: the payment that was given back. */
  paymentId?: string
}

type InvoiceRow = Omit<Selectable<BusinessInvoices>, 'document'> & {
  document: StoredDocument
  corrected_number: string | null
  corrected_at: Date | null
  user_id: string | null
  username: string | null
}

const invoiceRows = (db: Db) =>
  db
    .selectFrom('business_invoices')
    .leftJoin('business_invoices as corrected', 'corrected.id', 'business_invoices.corrects')
    .leftJoin('billing_customers', 'billing_customers.customer_id', 'business_invoices.customer_id')
    .leftJoin('users', 'users.id', 'billing_customers.user_id')
    .selectAll('business_invoices')
    .select(['corrected.number as corrected_number', 'corrected.issued_at as corrected_at'])
    .select(['users.id as user_id', 'users.username'])
    .$castTo<InvoiceRow>()

async function findInvoice(db: Db, id: string): Promise<InvoiceRow> {
  const row = isId(id) ? await invoiceRows(db).where('business_invoices.id', '=', id).executeTakeFirst() : undefined
  if (!row) throw new Fault('not_found', 'This invoice does not exist.')
  return row
}

async function countInvoices(db: Db): Promise<{ total: number; waiting: number }> {
  const { rows } = await sql<{ total: number; waiting: number }>`
    select count(*)::int as total, count(*) filter (where waits_for <> '{}')::int as waiting
    from business_invoices`.execute(db)
  return rows[0] ?? { total: 0, waiting: 0 }
}

/** A document as it is written; undefined while something is missing. */
function documentOf(row: InvoiceRow): BusinessDocument | undefined {
  const { kind, number, issued_at: issuedAt, currency, eur_rate: rate, corrected_number, corrected_at, document } = row
  const { buyer, seller, lines, vat, isCharged } = document
  if (row.waits_for.length > 0 || seller === null || rate === null) return undefined
  return {
    kind: kind === 'invoice' ? 'invoice' : 'credit_note',
    number,
    issuedAt,
    currency,
    buyer,
    seller,
    lines,
    vat,
    eurRate: Number(rate),
    isCharged,
    corrects: corrected_number !== null && corrected_at ? { number: corrected_number, issuedAt: corrected_at } : null,
  }
}

function invoiceView(row: InvoiceRow): BusinessInvoice {
  const { document } = row
  const rate = row.eur_rate === null ? null : Number(row.eur_rate)
  return {
    id: row.id,
    kind: row.kind as BusinessInvoice['kind'], // by the check of its column
    number: row.number,
    corrects: row.corrected_number,
    issued_at: row.issued_at.toISOString(),
    buyer: { name: document.buyer.name, vat_number: document.buyer.vatNumber },
    currency: row.currency.toUpperCase(),
    total_cents: row.total_cents,
    vat_cents: amountsOf(document.lines, document.vat, 1).vatCents,
    reverse_charge: document.vat.category === 'AE',
    eur_rate: rate,
    rate_by: row.rate_by as BusinessInvoice['rate_by'], // by the check of its column
    waits_for: row.waits_for as InvoiceWait[], // written by `waitsFor`
    account: row.user_id === null ? null : { id: row.user_id, username: row.username ?? '' },
  }
}

/** A name of a file that is safe everywhere, from a number that a provider has made. */
const fileNameOf = (number: string): string => `${number.replaceAll(/[^\w-]/g, '_')}.xml`

/** A document that is handed over, or what it waits for. */
export interface HandedOver {
  number: string
  fileName: string
  xml: string | undefined
  waitsFor: readonly InvoiceWait[]
  username: string | null
}

const handedOverAtOnce = 100

/** The documents that were issued since a time, and all that wait; the oldest first. */
export async function* documentsSince(db: Db, since: Date): AsyncGenerator<HandedOver> {
  let last: { id: string; issued_at: Date } | undefined
  for (;;) {
    // Rows have microseconds, dates have milliseconds: a few may come twice, but for the last one.
    const after: RawBuilder<boolean> = last
      ? sql`(business_invoices.issued_at, business_invoices.id) > (select issued_at, id from business_invoices where id = ${last.id})`
      : sql`true`
    const rows = await invoiceRows(db)
      .where(after)
      .where(sql<boolean>`(business_invoices.issued_at >= ${since} or business_invoices.waits_for <> '{}')`)
      .orderBy('business_invoices.issued_at')
      .orderBy('business_invoices.id')
      .limit(handedOverAtOnce)
      .execute()
    for (const row of rows) {
      const document = documentOf(row)
      yield {
        number: row.number,
        fileName: fileNameOf(row.number),
        xml: document && writeUbl(document),
        waitsFor: row.waits_for as InvoiceWait[], // written by `waitsFor`
        username: row.username,
      }
    }
    last = rows.at(-1)
    if (rows.length < handedOverAtOnce) return
  }
}

/** Enqueues the job that reads the invoices of a customer. */
export const enqueueInvoices = (db: Db, customerId: string): Promise<void> =>
  enqueue(db, { name: 'write-invoices', payload: { customerId }, key: `invoices:${customerId}` })

/** Whether a customer is a business, or has been one. */
const isBusiness = sql<boolean>`(
  exists (select from businesses where businesses.user_id = billing_customers.user_id)
  or exists (select from business_invoices where business_invoices.customer_id = billing_customers.customer_id))`

/** The same for a customer that is a business, or was one: others have no such invoices. */
export async function enqueueInvoicesIfBusiness(tx: Db, customerId: string): Promise<void> {
  const found = await tx
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('customer_id', '=', customerId)
    .where(isBusiness)
    .executeTakeFirst()
  if (found) await enqueueInvoices(tx, customerId)
}

/** Enqueues businesses whose invoices were not read for a day, or have waited for something; the longest ago first. */
export async function enqueueInvoicesToRead(db: Db, provider: Provider, batchSize: number): Promise<void> {
  const rows = await db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('provider', '=', provider)
    .where(isBusiness)
    .where(
      sql<boolean>`(invoices_read_at is null or invoices_read_at < now() - interval '1 day'
        or invoices_read_at < now() - interval '10 minutes' and exists (select from business_invoices
          where business_invoices.customer_id = billing_customers.customer_id and waits_for <> '{}'))`,
    )
    .orderBy(sql`invoices_read_at nulls first`)
    .limit(batchSize)
    .execute()
  await enqueueAll(
    db,
    rows.map(({ customer_id: customerId }) => ({
      name: 'write-invoices' as const,
      payload: { customerId },
      key: `invoices:${customerId}`,
    })),
  )
}

/**
 * Writes the invoices of a customer that name a business, and a credit note for what was refunded of each since; completes
 * those that wait. It can run again and at the same time: each document is written once.
 */
export async function writeInvoices(
  { db, config, log, payments }: Pick<Dependencies, 'db' | 'config' | 'log' | 'payments'>,
  customerId: string,
): Promise<void> {
  if (!payments) return
  const known = await db
    .selectFrom('billing_customers')
    .select('provider')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  // The customer of a deleted account is known no more, but its last refund has a credit note as well.
  if (known && known.provider !== payments.kind) return
  const answer = await readAnswer({ log, payments }, customerId)
  await db.transaction().execute(async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    await sql`select pg_advisory_xact_lock(hashtext(${`invoices ${customerId}`}))`.execute(tx)
    if (answer) {
      const of = { tx, provider: payments.kind, customerId: customer ? customerId : null, seller: sellerOf(config) }
      await addInvoices(of, answer)
      await addRates(of, answer)
      await addCreditNotes(of, answer)
      await completeDocuments(of, answer)
    }
    await sql`update billing_customers set invoices_read_at = now() where customer_id = ${customerId}`.execute(tx)
  })
}

/** What the provider says about a customer. */
interface Answer {
  payments: readonly Payment[]
  invoices: readonly Invoice[]
  subscriptions: readonly Subscription[]
  business: Business | null
  /** Euros for one unit of a payment's currency, by its id. */
  rates: ReadonlyMap<string, number>
}

/**
 * Undefined when the provider does not know the customer. One after the other: whoever sees a refund then sees the invoice of the
 * change before it, and the end of the subscription.
 */
async function readAnswer(
  { log, payments }: Pick<Dependencies, 'log'> & { payments: Payments },
  customerId: string,
): Promise<Answer | undefined> {
  try {
    const paid = await payments.paymentsOf(customerId)
    const invoices = await payments.invoicesOf(customerId)
    const subscriptions = await payments.subscriptionsOf(customerId)
    const rates = await payments.eurRatesOf(customerId)
    const business = (await readBusiness({ log }, payments, customerId)) ?? null
    return { payments: paid, invoices, subscriptions, rates, business }
  } catch (error) {
    if (isUnknownCustomer(error)) return undefined
    throw error
  }
}

/** The operator as a Belgian business; null while one of the settings has its sample value or the number is not right. */
export function sellerOf(config: Pick<Config, 'operator' | 'supportEmail'>): Seller | null {
  const { name, address, vat, email } = config.operator
  const hasSamples = sampleSettings(config).some((setting) => setting.startsWith('OPERATOR_'))
  const number = enterpriseNumber(vat) ?? enterpriseNumber(`BE${vat}`)
  return hasSamples || number === undefined ? null : { name, address, vatNumber: `BE${number}`, email }
}

/** Where documents are written, and whose they are. */
interface Target {
  tx: Db
  provider: Provider
  /** Null when the customer was deleted with its account. */
  customerId: string | null
  seller: Seller | null
}

/** What a document waits for. */
function waitsFor({ buyer, seller }: Pick<StoredDocument, 'buyer' | 'seller'>, hasRate: boolean): InvoiceWait[] {
  const isWrong = buyer.vatNumber.startsWith('BE') && enterpriseNumber(buyer.vatNumber) === undefined
  const missing: Record<InvoiceWait, boolean> = {
    rate: !hasRate,
    seller: seller === null,
    buyer_name: buyer.name.trim() === '',
    buyer_vat_number: isWrong,
    buyer_street: buyer.street.trim() === '',
    buyer_postal_code: buyer.postalCode.trim() === '',
    buyer_city: buyer.city.trim() === '',
  }
  return (Object.keys(missing) as InvoiceWait[]).filter((name) => missing[name]) // the keys of the record's type
}

/** Adds a document, unless it is there. */
async function addDocument(
  { tx, provider, customerId }: Target,
  row: {
    kind: BusinessDocument['kind']
    number: string
    sourceId: string
    corrects: string | null
    issuedAt: Date | RawBuilder<Date>
    currency: string
    document: StoredDocument
    totalCents: number
    rate: { rate: number | string; by: string } | null
  },
): Promise<void> {
  await tx
    .insertInto('business_invoices')
    .values({
      id: newId(),
      kind: row.kind,
      provider,
      customer_id: customerId,
      number: row.number,
      source_id: row.sourceId,
      corrects: row.corrects,
      issued_at: row.issuedAt,
      currency: row.currency,
      document: JSON.stringify(row.document),
      total_cents: row.totalCents,
      eur_rate: row.rate?.rate ?? null,
      rate_by: row.rate?.by ?? null,
      waits_for: waitsFor(row.document, row.rate !== null),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const rateOf = (currency: string, exchanged: number | undefined): { rate: number; by: string } | null => {
  const rate = currency === 'eur' ? 1 : exchanged
  return rate === undefined ? null : { rate, by: 'provider' }
}

/** Adds the invoices that were paid and name a business in the EU. One that credit exceeds is a credit note. */
async function addInvoices(target: Target, { invoices, payments, rates }: Answer): Promise<void> {
  const { tx, provider, seller } = target
  // One that is not paid may still be voided.
  for (const invoice of invoices.toReversed()) {
    const { id, number, issuedAt, currency, totalCents, business, isPaid } = invoice
    const vat = business && vatOf(business.vatNumber)
    if (!business || !vat || !isPaid) continue
    const sign = totalCents < 0 ? -1 : 1
    const lines = (await linesOf(tx, provider, invoice)).map((line) => ({ ...line, cents: sign * line.cents }))
    if (lines.every(({ cents }) => cents === 0)) continue
    const payment = payments.find(({ invoiceId }) => invoiceId === id)
    await addDocument(target, {
      kind: sign < 0 ? 'credit_note' : 'invoice',
      number,
      sourceId: id,
      corrects: null,
      issuedAt,
      currency,
      document: {
        buyer: { ...business, vatNumber: plainVatNumber(business.vatNumber) },
        seller,
        lines,
        vat,
        isCharged: payment !== undefined,
      },
      totalCents: Math.abs(totalCents),
      rate: rateOf(currency, payment && rates.get(payment.id)),
    })
  }
}

/** The lines of an invoice with what is sold; a discount or the like is a line of its own, so that they add up. */
async function linesOf(tx: Db, provider: Provider, invoice: Invoice): Promise<DocumentLine[]> {
  const lines: DocumentLine[] = []
  for (const { priceId, cents, from, to } of invoice.lines) {
    const plan = priceId === null ? undefined : await planOfPrice(tx, provider, priceId)
    const [start, end] = from <= to ? [from, to] : [to, from]
    const name = plan ? `${productName} ${plans[plan].name}` : productName
    lines.push({ name, cents, from: start.toISOString(), to: end.toISOString() })
  }
  const difference = invoice.totalCents - lines.reduce((sum, { cents }) => sum + cents, 0)
  const at = invoice.issuedAt.toISOString()
  if (difference !== 0) lines.push({ name: `${productName}: adjustment`, cents: difference, from: at, to: at })
  return lines
}

/** Sets the rate of a document and of its credit notes. */
async function setRate(tx: Db, id: string, { rate, by }: { rate: number; by: 'provider' | 'operator' }): Promise<void> {
  await sql`
    update business_invoices set eur_rate = ${rate}, rate_by = ${by}, waits_for = array_remove(waits_for, 'rate')
    where (id = ${id} or corrects = ${id}) and rate_by is distinct from 'provider'`.execute(tx)
}

/** Takes over rates that the provider knows by now: it counts more than what an operator has entered only while nothing was. */
async function addRates({ tx, provider }: Target, { payments, rates }: Answer): Promise<void> {
  for (const { id, invoiceId } of payments) {
    const eurRate = rates.get(id)
    if (invoiceId === null || eurRate === undefined) continue
    const row = await tx
      .selectFrom('business_invoices')
      .select('id')
      .where('provider', '=', provider)
      .where('source_id', '=', invoiceId)
      .where('corrects', 'is', null)
      .where('eur_rate', 'is', null)
      .executeTakeFirst()
    if (row) await setRate(tx, row.id, { rate: eurRate, by: 'provider' })
  }
}

/**
 * What of each payment needs a credit note: what was refunded, less the credit of its subscription that had one already. A change
 * to a smaller plan is a credit note of the provider, whose money stays as credit; when the subscription has ended, a refund
 * gives that money back, and nothing more is corrected by it. The oldest payments count first.
 */
export function centsToCredit({
  payments,
  invoices,
  subscriptions,
}: Pick<Answer, 'payments' | 'invoices' | 'subscriptions'>): Map<string, number> {
  const ended = new Set(subscriptions.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id))
  const credit = new Map<string, number>()
  for (const { subscriptionId: id, dueCents, totalCents, business } of invoices)
    // What was given back to a private person is no document here.
    if (id !== null && ended.has(id) && (totalCents >= 0 || business))
      credit.set(id, (credit.get(id) ?? 0) + dueCents - totalCents)
  const toCredit = new Map<string, number>()
  for (const { id, subscriptionId, refundedCents } of payments.toReversed()) {
    const left = Math.max(0, credit.get(subscriptionId ?? '') ?? 0)
    const covered = Math.min(left, refundedCents)
    if (subscriptionId !== null) credit.set(subscriptionId, left - covered)
    toCredit.set(id, refundedCents - covered)
  }
  return toCredit
}

/** Adds a credit note for what was refunded of an invoice since its last one. */
async function addCreditNotes(target: Target, answer: Answer): Promise<void> {
  const { tx, provider } = target
  const toCredit = centsToCredit(answer)
  for (const payment of answer.payments.toReversed()) {
    const cents = toCredit.get(payment.id) ?? 0
    if (payment.invoiceId === null || cents === 0) continue
    const invoice = await invoiceRows(tx)
      .where('business_invoices.provider', '=', provider)
      .where('business_invoices.source_id', '=', payment.invoiceId)
      .where('business_invoices.corrects', 'is', null)
      .executeTakeFirst()
    if (invoice?.kind !== 'invoice') continue
    const { rows } = await sql<{ credited: number }>`
      select coalesce(sum(total_cents), 0)::int as credited from business_invoices
      where corrects = ${invoice.id} and document->>'paymentId' = ${payment.id}`.execute(tx)
    const added = cents - (rows[0]?.credited ?? 0)
    if (added > 0) await addCreditNote(target, { invoice, paymentId: payment.id, cents: added })
  }
}

async function addCreditNote(
  target: Target,
  { invoice, paymentId, cents }: { invoice: InvoiceRow; paymentId: string; cents: number },
): Promise<void> {
  const { buyer, seller, lines, vat } = invoice.document
  // What was sold has the largest amount.
  const sold = lines.reduce((largest, line) => (line.cents > largest.cents ? line : largest))
  await addDocument(target, {
    kind: 'credit_note',
    number: await nextCreditNoteNumber(target),
    sourceId: invoice.source_id,
    corrects: invoice.id,
    issuedAt: sql<Date>`greatest(billing_now(), ${invoice.issued_at})`,
    currency: invoice.currency,
    document: { buyer, seller, lines: [{ ...sold, cents }], vat, isCharged: true, paymentId },
    totalCents: cents,
    rate: invoice.eur_rate === null ? null : { rate: invoice.eur_rate, by: invoice.rate_by ?? 'operator' },
  })
}

/** The law wants numbers without gaps: the next one of this year in Belgium. Other transactions wait until this one has ended. */
async function nextCreditNoteNumber({ tx, provider }: Target): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtext('credit note numbers'))`.execute(tx)
  const kind = provider === 'demo' ? 'DEMO-CN' : 'CN'
  const { rows } = await sql<{ number: string }>`
    with series as (select ${kind} || '-' || to_char(billing_now() at time zone 'Europe/Brussels', 'YYYY') || '-' as prefix)
    select prefix || to_char(coalesce((
      select max(substr(number, length(prefix) + 1)::int) from business_invoices
      where provider = ${provider} and corrects is not null and number like prefix || '%'), 0) + 1, 'FM000000') as number
    from series`.execute(tx)
  if (!rows[0]) throw new Error('a select without rows')
  return rows[0].number
}

/**
 * Completes documents that wait with what the customer has entered since, or with the operator's settings; of customers that
 * were deleted only with these.
 */
async function completeDocuments({ tx, customerId, seller }: Target, { business }: Answer): Promise<void> {
  const rows = await invoiceRows(tx)
    .where(
      sql<boolean>`(business_invoices.customer_id = ${customerId} or business_invoices.customer_id is null
        and 'seller' = any(business_invoices.waits_for) and ${seller !== null})`,
    )
    .where(sql<boolean>`business_invoices.waits_for <> '{}'`)
    .forUpdate('business_invoices')
    .execute()
  for (const { id, customer_id: owner, document, eur_rate: rate } of rows) {
    const buyer = owner === null ? document.buyer : completeBuyer(document.buyer, business)
    const completed = { ...document, buyer, seller: document.seller ?? seller }
    await tx
      .updateTable('business_invoices')
      .set({ document: JSON.stringify(completed), waits_for: waitsFor(completed, rate !== null) })
      .where('id', '=', id)
      .execute()
  }
}

/** Fills in what is missing of a buyer, if it is the same business as now. What it was, it stays. */
function completeBuyer(buyer: Business, now: Business | null): Business {
  if (!now) return buyer
  const number = plainVatNumber(now.vatNumber)
  // Only a number that cannot be right is replaced.
  const isWrong = buyer.vatNumber.startsWith('BE') && enterpriseNumber(buyer.vatNumber) === undefined
  const vatNumber = isWrong && enterpriseNumber(number) !== undefined ? number : buyer.vatNumber
  if (vatNumber !== number) return buyer
  const filled = (before: string, after: string): string => (before.trim() === '' ? after : before)
  return {
    name: filled(buyer.name, now.name),
    vatNumber,
    street: filled(buyer.street, now.street),
    postalCode: filled(buyer.postalCode, now.postalCode),
    city: filled(buyer.city, now.city),
    country: buyer.country,
  }
}

/** Deletes what the law does not want to be kept any more; credit notes with their invoices. */
export async function deleteOldInvoices(db: Db): Promise<void> {
  const isOld = (issuedAt: RawBuilder<unknown>) =>
    sql`${issuedAt} < date_trunc('year', now()) - make_interval(years => ${retention.invoiceYears})`
  await sql`
    delete from business_invoices where ${isOld(sql`issued_at`)} and not exists (
      select from business_invoices as notes where notes.corrects = business_invoices.id and not ${isOld(sql`notes.issued_at`)})`.execute(
    db,
  )
}
