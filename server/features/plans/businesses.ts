import { sql } from 'kysely'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import {
  businessFields,
  type BusinessFields,
  businessProblemMessage,
  businessProblems,
  type BusinessProblem,
  type BusinessProblems,
  type BusinessField,
  getBusiness,
  normalizeBusiness,
  removeBusiness,
  setBusiness,
} from '@keepsnap/contract/businesses.ts'
import { countryOfVatNumber } from '@keepsnap/contract/vat-numbers.ts'
import type { FieldError } from '@keepsnap/contract/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, unauthorized } from '../../faults.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { enqueue, enqueueAll } from '../../platform/jobs/queue.ts'
import {
  type Business,
  isUnknownCustomer,
  PaymentRefused,
  type Payments,
  PaymentsDown,
} from '../../ports/payments/payments.ts'
import type { LockedCustomer, Provider } from './customers.ts'
import { lockUser } from './plans.ts'
import { requirePayments } from './prices.ts'

type BusinessDependencies = Pick<Dependencies, 'db' | 'log' | 'payments'>

/**
 * The business that a user buys for. The payment provider writes the invoices: what is saved here is stored first, then set
 * there at once, and by a job if that fails. What is entered at a checkout, or on the provider's page, is read from there.
 */
export function businessRoutes(serve: Serve, deps: Dependencies): void {
  const { db, payments } = deps
  const replyOf = async (userId: string): Promise<Reply<typeof getBusiness>> => {
    const found = await businessOfUser(db, userId, payments?.kind)
    if (!found) return { business: null }
    const { name, vatNumber, street, postalCode, city, country, isPending } = found
    const business = vatNumber ? { name, vat_number: vatNumber, street, postal_code: postalCode, city, country } : null
    return { business, ...(isPending && { is_pending: true }) }
  }
  serve(getBusiness, async (_, { actor }) => replyOf(actor.userId))

  serve(setBusiness, async ({ body }, { actor: { userId } }) => {
    requirePayments(payments)
    const fields = normalizeBusiness(body)
    const problems = businessProblems(fields)
    if (Object.keys(problems).length > 0) throw new Fault('invalid', fieldErrors(fields, problems))
    await saveBusiness(db, userId, businessFrom(fields))
    if ((await pushNow(deps, userId)) === 'refused')
      throw new Fault('invalid', fieldErrors(fields, { vat_number: 'payments' }))
    return replyOf(userId)
  })

  serve(removeBusiness, async (_, { actor: { userId } }) => {
    await saveBusiness(db, userId, null)
    await pushNow(deps, userId)
    return replyOf(userId)
  })
}

const fieldErrors = (fields: BusinessFields, problems: BusinessProblems): FieldError[] =>
  Object.entries(problems).map(([name, problem]: [string, BusinessProblem]) => {
    const field = businessFields.find((one): one is BusinessField => one === name) ?? 'name'
    return { loc: ['body', field], msg: businessProblemMessage(field, problem, fields[field]) }
  })

/** The business of checked fields. */
export const businessFrom = ({ name, vat_number: vatNumber, street, postal_code, city }: BusinessFields): Business => ({
  name,
  vatNumber,
  street,
  postalCode: postal_code,
  city,
  country: countryOfVatNumber(vatNumber),
})

/** What people enter about a business. */
export const businessFieldsFrom = ({ name, vatNumber, street, postalCode, city }: Business): BusinessFields => ({
  name,
  vat_number: vatNumber,
  street,
  postal_code: postalCode,
  city,
})

const noBusiness: Business = { name: '', vatNumber: '', street: '', postalCode: '', city: '', country: '' }

const columnsOf = ({ name, vatNumber, street, postalCode, city, country }: Business) => ({
  name,
  vat_number: vatNumber,
  street,
  postal_code: postalCode,
  city,
  country,
})

/** A user's business as it is stored; of one that was removed, every text is empty. */
interface StoredBusiness extends Business {
  version: number
  /** The user's customer at the provider; null for one who never opened a checkout. */
  customerId: string | null
  /** Whether that customer does not have it yet. */
  isPending: boolean
}

async function businessOfUser(
  db: Db,
  userId: string,
  provider: Provider | undefined,
): Promise<StoredBusiness | undefined> {
  const { rows } = await sql<StoredBusiness>`
    select name, vat_number as "vatNumber", street, postal_code as "postalCode", city, country, version,
      customer.customer_id as "customerId",
      customer.customer_id is not null and businesses.customer_id is distinct from customer.customer_id as "isPending"
    from businesses left join billing_customers customer on customer.user_id = businesses.user_id
      and provider = ${provider ?? null} and replaced_at is null
    where businesses.user_id = ${userId}`.execute(db)
  return rows[0]
}

const pushJob = (userId: string) => ({
  name: 'push-business' as const,
  payload: { userId },
  key: `business:${userId}`,
})
/** A request tells the provider at once; the job is a fallback for an interrupted one. */
const jobDelay = sql<Date>`now() + interval '1 minute'`

/** Stores what the provider is to be told, with the job that does so. */
async function saveBusiness(db: Db, userId: string, business: Business | null): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await lockUser(tx, userId))) throw unauthorized()
    const columns = columnsOf(business ?? noBusiness)
    const values = { ...columns, customer_id: null, updated_at: sql<Date>`clock_timestamp()` }
    if (business)
      await tx
        .insertInto('businesses')
        .values({ ...values, user_id: userId })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet({ ...values, version: sql<number>`businesses.version + 1` }),
        )
        .execute()
    else
      await tx
        .updateTable('businesses')
        .set({ ...values, version: sql<number>`version + 1` })
        .where('user_id', '=', userId)
        .execute()
    await enqueue(tx, { ...pushJob(userId), at: jobDelay })
  })
}

/** Tells the provider for a waiting request. One that cannot be reached is told by the job. */
async function pushNow(deps: BusinessDependencies, userId: string): Promise<Pushed> {
  try {
    return await pushBusiness(deps, userId)
  } catch (error) {
    if (!(error instanceof PaymentsDown)) throw error
    deps.log.warn(
      { err: error, user: userId },
      'a business could not be set at the payment provider; it is tried again',
    )
    return 'none'
  }
}

/** `none`: nothing was to be told. `refused`: the provider does not take the VAT number, and what it has is stored instead. */
type Pushed = 'set' | 'none' | 'refused'

/** A user who saves again meanwhile starts another round. */
const mostRounds = 10

/**
 * Sets a user's business at the provider. Of two that run at the same time, the one that ends last sets what is newest, as it
 * looks again when it is done.
 */
export async function pushBusiness(
  { db, log, payments }: BusinessDependencies,
  userId: string,
  { onlyPending = false } = {},
): Promise<Pushed> {
  if (!payments) return 'none'
  for (let round = 0; round < mostRounds; round += 1) {
    const business = await businessOfUser(db, userId, payments.kind)
    if (!business || business.customerId === null || (onlyPending && !business.isPending)) return 'none'
    const { customerId, version } = business
    try {
      await payments.setBusiness(customerId, business.vatNumber ? portBusiness(business) : null)
    } catch (error) {
      // The next checkout gives the user another customer, and then tells it.
      if (isUnknownCustomer(error)) return 'none'
      if (!(error instanceof PaymentRefused)) throw error
      log.warn({ err: error, customer: customerId }, 'the payment provider refused the business of a customer')
      await storeVersion(db, { userId, version, customerId }, (await payments.businessOf(customerId)) ?? noBusiness)
      return 'refused'
    }
    if (await storeVersion(db, { userId, version, customerId })) return 'set'
  }
  throw new Error('the business of a user changes all the time')
}

const portBusiness = ({ name, vatNumber, street, postalCode, city, country }: Business): Business => ({
  name,
  vatNumber,
  street,
  postalCode,
  city,
  country,
})

/** Records that the customer has this version, or `instead` of it another business; false when a newer one was saved meanwhile. */
async function storeVersion(
  db: Db,
  { userId, version, customerId }: { userId: string; version: number; customerId: string },
  instead?: Business,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockUser(tx, userId))) return true
    const { numUpdatedRows } = await tx
      .updateTable('businesses')
      .set({ customer_id: customerId, updated_at: sql<Date>`clock_timestamp()` })
      .$if(instead !== undefined, (update) =>
        update.set({ ...columnsOf(instead ?? noBusiness), version: sql<number>`version + 1` }),
      )
      .where('user_id', '=', userId)
      .where('version', '=', version)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  })
}

/** Before a checkout, so that its page and its invoice name the business. The provider's page asks for it in any case. */
export async function pushBeforeCheckout(deps: BusinessDependencies, userId: string): Promise<void> {
  try {
    await pushBusiness(deps, userId, { onlyPending: true })
  } catch (error) {
    if (!(error instanceof PaymentsDown) || error.kind !== 'refused') throw error
    deps.log.error({ err: error, user: userId }, 'a business cannot be set at the payment provider')
  }
}

/** The business of a customer at the provider; undefined when the key may not read it, which must not stop a synchronization. */
export async function readBusiness(
  { log }: Pick<Dependencies, 'log'>,
  payments: Payments,
  customerId: string,
): Promise<Business | null | undefined> {
  try {
    return await payments.businessOf(customerId)
  } catch (error) {
    if (!(error instanceof PaymentsDown) || error.kind !== 'refused') throw error
    log.error({ err: error, customer: customerId }, 'the business of a customer cannot be read: see `keepsnap billing`')
    return undefined
  }
}

/**
 * Stores what the provider said about a customer's business. Not over what the provider is still to be told, nor over what
 * was changed after it was asked. The caller has locked the customer.
 */
export async function saveReadBusiness(
  tx: Db,
  { userId, customerId, isReplaced }: LockedCustomer,
  { business, askedAt }: { business: Business | null; askedAt: Date },
): Promise<void> {
  if (userId === null || isReplaced) return
  const row = columnsOf(business ?? noBusiness)
  if (business)
    await tx
      .insertInto('businesses')
      .values({ ...row, user_id: userId, customer_id: customerId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await sql`
    update businesses set name = ${row.name}, vat_number = ${row.vat_number}, street = ${row.street},
      postal_code = ${row.postal_code}, city = ${row.city}, country = ${row.country}, version = version + 1,
      updated_at = clock_timestamp()
    where user_id = ${userId} and customer_id = ${customerId} and updated_at < ${askedAt}
      and (name, vat_number, street, postal_code, city, country) is distinct from
        (${row.name}, ${row.vat_number}, ${row.street}, ${row.postal_code}, ${row.city}, ${row.country})`.execute(tx)
}

/** Enqueues the businesses that the provider does not have yet, whose job was lost or has given up. */
export async function enqueueBusinessesToPush(db: Db, provider: Provider, limit: number): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select businesses.user_id as "userId" from businesses join billing_customers customer on customer.user_id = businesses.user_id
    where provider = ${provider} and replaced_at is null and closed_at is null
      and businesses.customer_id is distinct from customer.customer_id
      and updated_at < now() - interval '1 minute'
    order by updated_at limit ${limit}`.execute(db)
  await enqueueAll(
    db,
    rows.map(({ userId }) => pushJob(userId)),
  )
}
