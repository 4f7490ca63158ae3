import { sql } from 'kysely'
import { retention, withdrawalLimits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { emailProblem, normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import {
  type CurrentContract,
  makeWithdrawal,
  withdrawalFields,
  type WithdrawalFields,
  withdrawalLinkForm,
  withdrawalLinkPage,
  type WithdrawalMade,
  withdrawalOffer,
  type WithdrawalOffer,
  withdrawalProblemMessage,
  withdrawalProblems,
  type WithdrawalProblems,
} from '@keepsnap/contract/withdrawals.ts'
import type { WithdrawalState } from '@keepsnap/contract/operator-withdrawals.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { endpointNotFound, Fault, unauthorized } from '../../faults.ts'
import { mailboxKey, mailboxKeys, parseEmailAddress } from '../../lib/email-address.ts'
import { newId } from '../../lib/ids.ts'
import { singleLine } from '../../lib/typed-text.ts'
import { networkShares, networksOf } from '../../platform/http/client-address.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { languageOf } from '../../platform/http/request-headers.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { isUnknownCustomer, PaymentsDown } from '../../ports/payments/payments.ts'
import { storedLanguage } from '../emails/compose.ts'
import { lockRecipient, queueEmail } from '../emails/queue-email.ts'
import { guestFrame } from '../guests/page-props.ts'
import { customerOfUser, lockCustomer } from './customers.ts'
import { lockUser, planOf } from './plans.ts'
import {
  enqueueWithdrawal,
  findContract,
  type FoundContract,
  runWithdrawal,
  withdrawalEnd,
} from './withdrawal-refunds.ts'

/**
 * Withdrawals from contracts within 14 days. One is made in the moment in which it is stored, before anything is asked or looked for. That of a
 * session ends its own contract at once. Any other waits for the link in its receipt, which goes to the account's own address, or for
 * an operator: nobody can end the contract of somebody else, nor learn whether an address has one.
 */
export function withdrawalRoutes(serve: Serve, deps: Dependencies): void {
  serve(withdrawalOffer, async (_, { actor }) => offerFor(deps, actor.userId))

  serve(makeWithdrawal, async ({ body }, { actor, req, reply, client }) => {
    if (!deps.payments) throw endpointNotFound()
    const fields = fieldsOf(body)
    const contractId = actor && body.contract_id?.trim()
    const sender: Sender = {
      ...(actor && contractId && { session: { userId: actor.userId, contractId } }),
      client,
      language: languageOf(req),
    }
    const isJson = (req.headers['content-type'] ?? '').toLowerCase().startsWith('application/json')
    if (isJson) return outcomeOf(deps, await declareAndProcess(deps, fields, sender))
    const answer = await answerForm(deps, fields, { sender, confirmed: body.confirmed })
    const frame = guestFrame(deps.config.publicUrl, pages.withdraw)
    await sendGuestPage(reply, deps.guestRenderer, { ...answer, frame })
    // A page was sent.
    return { made_at: '', outcome: 'email', refunded_cents: null, until: null } as const
  })

  serve(withdrawalLinkPage, async ({ params: { token } }, { reply }) => {
    await sendLinkPage(deps, reply, { token, row: await rowOfToken(deps, token) })
  })
  serve(withdrawalLinkForm, async ({ params: { token } }, { reply }) => {
    const found = await rowOfToken(deps, token)
    if (found?.state === 'waiting' && (await acceptWithdrawalOf(deps.db, found.id, 'link')) === 'accepted')
      await processNow(deps, found.id)
    await sendLinkPage(deps, reply, { token, row: await rowOfToken(deps, token) })
  })
}

// The contract of an account

async function offerFor(deps: Dependencies, userId: string): Promise<WithdrawalOffer> {
  const { db, payments } = deps
  if (!payments) throw endpointNotFound()
  const { rows } = await sql<{ username: string; email: string; now: Date }>`
    select username, email, billing_now() as now from users where id = ${userId}`.execute(db)
  const [user] = rows
  if (!user) throw unauthorized()
  const { rows: made } = await sql<{ madeAt: Date; cents: number | null }>`
    select made_at as "madeAt", amount_cents as cents from withdrawals
    where user_id = ${userId} and state in ('accepted', 'done') order by made_at desc limit 1`.execute(db)
  const contract = await contractOf(deps, userId, user.now)
  return {
    name: user.username,
    email: user.email,
    contract: contract ? contractView(contract, user.now) : null,
    made: made[0] ? { made_at: made[0].madeAt.toISOString(), refunded_cents: made[0].cents } : null,
  }
}

function contractView({ invoiceId, invoiceNumber, plan, concludedAt }: FoundContract, now: Date): CurrentContract {
  const { id, name, price_cents, interval_type } = plans[plan]
  const end = withdrawalEnd(concludedAt)
  return {
    id: invoiceId,
    plan: { id, name, price_cents, interval_type },
    invoice_number: invoiceNumber,
    concluded_at: concludedAt.toISOString(),
    until: lastSecondBefore(end),
    is_over: now >= end,
  }
}

/** People are told the last second of the time, which is on its last day. */
export const lastSecondBefore = (end: Date): string => new Date(end.getTime() - 1000).toISOString()

/** The contract of an account or of its customer; undefined also when the provider does not know its customer. */
export async function contractOf(
  { db, payments }: Pick<Dependencies, 'db' | 'payments'>,
  of: string | { customerId: string },
  before: Date,
): Promise<FoundContract | undefined> {
  if (!payments) return undefined
  try {
    const customerId = typeof of === 'string' ? await customerOfUser(db, of, payments.kind) : of.customerId
    return customerId === undefined ? undefined : await findContract({ db, payments }, customerId, before)
  } catch (error) {
    if (isUnknownCustomer(error)) return undefined
    throw error
  }
}

// A withdrawal is made

/** Who makes a withdrawal, and how. */
interface Sender {
  /** With the contract that the page has shown to the account. */
  session?: { userId: string; contractId: string }
  client: string
  /** Of the page. */
  language: Language
}

/** The normalized fields; missing ones are empty. */
const fieldsOf = (body: Partial<WithdrawalFields>): WithdrawalFields => ({
  name: singleLine(body.name ?? ''),
  email: (body.email ?? '').trim(),
  contract: singleLine(body.contract ?? ''),
})

/** The fields with the address that emails can be sent to. Throws 422 with a sentence for each field that is refused. */
function validateFields(fields: WithdrawalFields): WithdrawalFields {
  const email = parseEmailAddress(fields.email)
  const problems = withdrawalProblems(fields)
  // Whether an internationalized domain is valid is known only after its conversion to ASCII.
  if (email === undefined) problems.email = emailProblem(fields.email) ?? 'form'
  const errors = withdrawalFields.flatMap((field) => {
    const problem = problems[field]
    return problem === undefined ? [] : [{ loc: ['body', field], msg: withdrawalProblemMessage(field, problem) }]
  })
  if (errors.length > 0 || email === undefined) throw new Fault('invalid', errors)
  return { ...fields, email }
}

/** Makes a withdrawal; resolves to its id. That of a session is carried out now, as far as the provider lets it. */
async function declareAndProcess(deps: Dependencies, fields: WithdrawalFields, sender: Sender): Promise<string> {
  const checked = validateFields(fields)
  const id = await deps.db.transaction().execute((tx) => storeWithdrawal(deps, tx, { fields: checked, sender }))
  if (sender.session) await processNow(deps, id)
  return id
}

/** Processes a withdrawal for a waiting request. What fails is tried again by the job: the withdrawal is made all the same. */
export async function processNow(deps: Dependencies, id: string): Promise<void> {
  try {
    await processWithdrawal(deps, id)
  } catch (error) {
    deps.log[error instanceof PaymentsDown ? 'warn' : 'error'](
      { err: error, withdrawal: id },
      'a withdrawal from a contract is not carried out yet, and will be tried again',
    )
    await enqueueWithdrawal(deps.db, id, { isAwaited: true })
  }
}

/** Stores a withdrawal, unless the sender made the same a moment ago; resolves to the id of what is stored. */
async function storeWithdrawal(
  { config, payments, tokens }: Dependencies,
  tx: Db,
  { fields, sender }: { fields: WithdrawalFields; sender: Sender },
): Promise<string> {
  const { session, language } = sender
  if (session && !(await lockUser(tx, session.userId))) throw unauthorized()
  const mailbox = mailboxKey(fields.email)
  // What is made twice at once is stored once.
  await lockRecipient(tx, mailbox)
  const [client = '', ...networks] = networksOf(sender.client).map((one) => tokens.clientPseudonym(one))
  const repeated = await findRepeated(tx, { fields, session })
  if (repeated !== undefined) return repeated
  await refuseOverLimits(tx, { fields, session, client, networks, writeTo: config.supportEmail })
  const id = newId()
  await tx
    .insertInto('withdrawals')
    .values({
      id,
      made_at: sql<Date>`billing_now()`,
      ...fields,
      mailbox,
      language,
      client,
      networks: networks.length > 0 ? networks : null,
      user_id: session?.userId ?? null,
      session_invoice_id: session?.contractId ?? null,
      // Kept until the contract is found, also when the account is deleted meanwhile.
      customer_id: (session && payments && (await customerOfUser(tx, session.userId, payments.kind))) ?? null,
      state: 'received',
    })
    .execute()
  await enqueueWithdrawal(tx, id, { isAwaited: session !== undefined })
  return id
}

/** The withdrawal that this one repeats: from the same contract of the session, or in the same words from the same address. */
async function findRepeated(
  tx: Db,
  { fields, session }: { fields: WithdrawalFields; session: Sender['session'] },
): Promise<string | undefined> {
  const { name, email, contract } = fields
  const isSame = session
    ? sql`user_id = ${session.userId} and session_invoice_id = ${session.contractId} and state <> 'dismissed'`
    : sql`mailbox = any(${mailboxKeys(email)}) and lower(email) = lower(${email}) and name = ${name} and contract = ${contract}
        and session_invoice_id is null
        and created_at > now() - make_interval(mins => ${withdrawalLimits.repeatMinutes})`
  const { rows } = await sql<{ id: string }>`
    select id from withdrawals where ${isSame} order by created_at limit 1`.execute(tx)
  return rows[0]?.id
}

interface Counted {
  fields: WithdrawalFields
  session: Sender['session']
  client: string
  networks: readonly string[]
  writeTo: string
}

/**
 * Those of sessions are counted by their accounts, so that no stranger can keep somebody from withdrawing; those whose receipt goes to
 * another address than the account's also by that, so that many accounts do not fill it.
 */
async function refuseOverLimits(tx: Db, { fields, session, client, networks, writeTo }: Counted): Promise<void> {
  const { perAddressDay, perClientDay, perDay } = withdrawalLimits
  const isOfAddress = sql`mailbox = any(${mailboxKeys(fields.email)})`
  const [ofKind, isCounted] = session
    ? [
        sql`session_invoice_id is not null`,
        sql`(user_id = ${session.userId} or ${isOfAddress} and not exists (
          select from users where id = ${session.userId} and email_key = ${normalizeEmail(fields.email)}))`,
      ]
    : [sql`session_invoice_id is null`, isOfAddress]
  const { rows } = await sql<{ ofClients: number[]; ofAddress: number; day: number }>`
    select array[count(*) filter (where client = ${client}), count(*) filter (where ${networks[0] ?? null} = any(networks)),
        count(*) filter (where ${networks[1] ?? null} = any(networks))]::int[] as "ofClients",
      count(*) filter (where ${isCounted})::int as "ofAddress", count(*)::int as day
    from withdrawals where created_at > now() - interval '1 day' and ${ofKind}`.execute(tx)
  const [{ ofClients, ofAddress, day } = { ofClients: [], ofAddress: 0, day: 0 }] = rows
  if (!session && ofClients.some((count, n) => count >= perClientDay * (networkShares[n] ?? 1)))
    throw new Fault(
      'rate_limited',
      `Too many withdrawals have come from your network today. Please write to ${writeTo} instead: a withdrawal by email counts as well.`,
      3_600,
    )
  if (ofAddress >= perAddressDay)
    throw new Fault(
      'rate_limited',
      `Too many withdrawals have been made with this address today. Please write to ${writeTo} instead: a withdrawal by email counts as well.`,
      3_600,
    )
  if (!session && day >= perDay)
    throw new Fault(
      'unavailable',
      `Too many withdrawals are arriving right now. Please write to ${writeTo} instead: a withdrawal by email counts as well.`,
      3_600,
    )
}

/** What a session is told about its withdrawal. Everybody else is told the same for every address. */
async function outcomeOf({ db }: Dependencies, id: string): Promise<WithdrawalMade> {
  const row = await readWithdrawal(db, id)
  if (!row) throw new Fault('unavailable', 'The service is busy right now. Please try again.', 2)
  const made = { made_at: row.madeAt.toISOString(), refunded_cents: null, until: null }
  if (row.sessionInvoiceId === null) return { ...made, outcome: 'email' }
  const { state, amountCents } = await decidedState(db, row)
  if (state === 'accepted' || state === 'done') return { ...made, outcome: 'accepted', refunded_cents: amountCents }
  if (state === 'late' && row.concludedAt)
    return { ...made, outcome: 'late', until: lastSecondBefore(withdrawalEnd(row.concludedAt)) }
  return { ...made, outcome: 'email' }
}

interface FormAnswer {
  page: Extract<GuestPage, { page: 'withdraw' }>
  status: number
}

/** Answers the form of browsers without JavaScript, in its two steps. */
async function answerForm(
  deps: Dependencies,
  fields: WithdrawalFields,
  { sender, confirmed }: { sender: Sender; confirmed: 'yes' | 'no' | undefined },
): Promise<FormAnswer> {
  const page = { page: 'withdraw', fields, problems: {}, problem: null, madeAt: null } as const
  if (confirmed === 'no') return { page: { ...page, state: 'form' }, status: 200 }
  try {
    validateFields(fields)
    if (confirmed === undefined) return { page: { ...page, state: 'confirm' }, status: 200 }
    const made = await readWithdrawal(deps.db, await declareAndProcess(deps, fields, sender))
    return { page: { ...page, state: 'made', madeAt: made?.madeAt.toISOString() ?? null }, status: 200 }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { detail, status } = error
    if (typeof detail === 'string') return { page: { ...page, state: 'failed', problem: detail }, status }
    return { page: { ...page, state: 'bad', problems: problemsOf(fields, detail) }, status }
  }
}

/** The refused fields; `form` for an address that only the server recognizes as invalid. */
function problemsOf(fields: WithdrawalFields, errors: { loc: (string | number)[] }[]): WithdrawalProblems {
  const refused = withdrawalFields.filter((field) => errors.some(({ loc }) => loc[1] === field))
  const problems = withdrawalProblems(fields)
  return Object.fromEntries(refused.map((field) => [field, problems[field] ?? 'form']))
}

// What follows

/** A withdrawal as the rules need it. */
export interface WithdrawalRow {
  id: string
  madeAt: Date
  name: string
  email: string
  contract: string
  language: Language
  userId: string | null
  sessionInvoiceId: string | null
  customerId: string | null
  invoiceId: string | null
  plan: string | null
  concludedAt: Date | null
  state: WithdrawalState
  amountCents: number | null
}

export async function readWithdrawal(db: Db, id: string): Promise<WithdrawalRow | undefined> {
  const { rows } = await sql<Omit<WithdrawalRow, 'language'> & { language: string }>`
    select id, made_at as "madeAt", name, email, contract, language, user_id as "userId", session_invoice_id as "sessionInvoiceId",
      customer_id as "customerId", invoice_id as "invoiceId", plan, concluded_at as "concludedAt", state, amount_cents as "amountCents"
    from withdrawals where id = ${id}`.execute(db)
  const [row] = rows
  return row && { ...row, language: storedLanguage(row.language) }
}

/** The state of a withdrawal, or that of another one from the same contract which was accepted instead. */
export async function decidedState(
  db: Db,
  { state, amountCents, invoiceId }: Pick<WithdrawalRow, 'state' | 'amountCents' | 'invoiceId'>,
): Promise<Pick<WithdrawalRow, 'state' | 'amountCents'>> {
  if (state === 'accepted' || state === 'done' || invoiceId === null) return { state, amountCents }
  const { rows } = await sql<Pick<WithdrawalRow, 'state' | 'amountCents'>>`
    select state, amount_cents as "amountCents" from withdrawals
    where invoice_id = ${invoiceId} and state in ('accepted', 'done')`.execute(db)
  return rows[0] ?? { state, amountCents }
}

/** Looks for the contract of a withdrawal and sends its receipt; carries out one that is accepted. */
export async function processWithdrawal(deps: Dependencies, id: string): Promise<void> {
  const row = await readWithdrawal(deps.db, id)
  if (row?.state === 'received') {
    // Those that keep failing must not keep others from their turn.
    await sql`update withdrawals set tried_at = now() where id = ${id}`.execute(deps.db)
    await matchContract(deps, row)
  }
  await runWithdrawal(deps, id)
}

/** A withdrawal of an account whose contract was ended by another one in so many days repeats that. */
const repeatDays = 30
const repeatedNote = 'Another withdrawal from this contract was accepted.'

async function matchContract(deps: Dependencies, row: WithdrawalRow): Promise<void> {
  const { db, payments } = deps
  // The customer of a session stays when its account is deleted; the address may be another account's by then.
  const kept = row.customerId === null ? undefined : { customerId: row.customerId }
  const userId = row.userId ?? (kept ? undefined : await activeUserOf(db, row.email))
  const owner = kept ?? userId
  let contract: FoundContract | undefined
  try {
    contract = owner === undefined ? undefined : await contractOf({ db, payments }, owner, row.madeAt)
  } catch (error) {
    // The receipt does not wait for the provider; another one says what was found.
    await queueReceipt(db, row.id, { isFirst: true })
    throw error
  }
  if (!contract && userId !== undefined && (await awaitPayment(db, { id: row.id, userId }))) return
  await db.transaction().execute(async (tx) => {
    if (contract) await lockCustomer(tx, contract.customerId)
    else if (userId !== undefined) await lockUser(tx, userId)
    const earlier = await acceptedBefore(tx, { userId, invoiceId: contract?.invoiceId })
    const state = earlier ? 'dismissed' : stateOf(row, contract)
    const { numUpdatedRows } = await tx
      .updateTable('withdrawals')
      .set({
        state,
        user_id: userId ?? null,
        ...(contract && contractColumns(contract)),
        ...(earlier && { ...earlier, note: repeatedNote, decided_at: sql<Date>`billing_now()` }),
        ...(state === 'accepted' && { accepted_by: 'customer', decided_at: sql<Date>`billing_now()` }),
      })
      .where('id', '=', row.id)
      .where('state', '=', 'received')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    if (state === 'accepted' && contract) await dismissOthers(tx, row.id, contract.invoiceId)
    await queueReceipt(tx, row.id, { isFirst: false })
  })
}

/**
 * Whether the first payment of an account is under way, as by bank debit, which ends nothing and gives nothing back yet: its withdrawal
 * is looked at again until that has arrived or failed. The receipt does not wait.
 */
async function awaitPayment(db: Db, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const { rows } = await sql`
      update withdrawals set tried_at = now(), user_id = ${userId}, customer_id = pending.customer_id
      from (select customer_id from checkouts join billing_customers using (customer_id)
        where billing_customers.user_id = ${userId} and state = 'pending' limit 1) as pending
      where id = ${id} and withdrawals.state = 'received' returning id`.execute(tx)
    if (rows.length > 0) await queueReceipt(tx, id, { isFirst: true })
    return rows.length > 0
  })
}

function stateOf(
  { madeAt, userId, sessionInvoiceId }: WithdrawalRow,
  contract: FoundContract | undefined,
): WithdrawalState {
  if (!contract) return 'unmatched'
  if (madeAt >= withdrawalEnd(contract.concludedAt)) return 'late'
  // Neither that of a contract which another one has replaced meanwhile, nor of an account that was deleted since.
  return userId !== null && sessionInvoiceId === contract.invoiceId ? 'accepted' : 'waiting'
}

/** The columns of a contract that was found. */
const contractColumns = ({ customerId, invoiceId, subscriptionId, plan, concludedAt, cost }: FoundContract) => ({
  customer_id: customerId,
  invoice_id: invoiceId,
  subscription_id: subscriptionId,
  plan,
  concluded_at: concludedAt,
  cost: JSON.stringify(cost),
})

/** The contract of which a withdrawal was accepted: this one, or the last one of an account without any. */
async function acceptedBefore(
  tx: Db,
  { userId, invoiceId }: { userId: string | undefined; invoiceId: string | undefined },
): Promise<{ invoice_id: string; plan: string } | undefined> {
  const isIt =
    invoiceId === undefined
      ? sql`user_id = ${userId ?? null} and made_at > billing_now() - make_interval(days => ${repeatDays})`
      : sql`invoice_id = ${invoiceId}`
  const { rows } = await sql<{ invoice_id: string; plan: string }>`
    select invoice_id, plan from withdrawals where state in ('accepted', 'done') and ${isIt} order by made_at desc limit 1`.execute(
    tx,
  )
  return rows[0]
}

/** Closes other open withdrawals from a contract. The caller has locked the customer. */
async function dismissOthers(tx: Db, id: string, invoiceId: string): Promise<void> {
  await sql`
    update withdrawals set state = 'dismissed', note = ${repeatedNote}, decided_at = billing_now()
    where invoice_id = ${invoiceId} and id <> ${id} and state in ('waiting', 'late')`.execute(tx)
}

/** The account with an address, unless it is deactivated: then nothing goes on that could be ended. */
export async function activeUserOf(db: Db, email: string): Promise<string | undefined> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', normalizeEmail(email))
    .where('is_active', '=', true)
    .executeTakeFirst()
  return user?.id
}

/**
 * Accepts a withdrawal that waits, or for an operator also one that is late or was dismissed, and enqueues what follows. `gone`: its customer was
 * deleted. `other`: nothing was changed, because it or another one from its contract was accepted, or it has no contract.
 */
export async function acceptWithdrawalOf(
  db: Db,
  id: string,
  by: 'link' | 'operator',
): Promise<'accepted' | 'gone' | 'other'> {
  return db.transaction().execute((tx) => acceptIn(tx, id, by))
}

export async function acceptIn(tx: Db, id: string, by: 'link' | 'operator'): Promise<'accepted' | 'gone' | 'other'> {
  const row = await readWithdrawal(tx, id)
  if (!row || row.invoiceId === null) return 'other'
  if (row.customerId === null || !(await lockCustomer(tx, row.customerId))) return 'gone'
  if (await acceptedBefore(tx, { userId: undefined, invoiceId: row.invoiceId })) return 'other'
  const { numUpdatedRows } = await tx
    .updateTable('withdrawals')
    .set({ state: 'accepted', accepted_by: by, decided_at: sql<Date>`billing_now()`, note: null })
    .where('id', '=', id)
    .where('subscription_id', 'is not', null)
    .where('state', 'in', by === 'link' ? ['waiting'] : ['waiting', 'late', 'dismissed'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return 'other'
  await dismissOthers(tx, id, row.invoiceId)
  await enqueueWithdrawal(tx, id, { isAwaited: true })
  return 'accepted'
}

/**
 * Closes a withdrawal for which there is nothing to do, also one whose customer the payment provider does not know any more; false for others. The
 * caller has locked the account.
 */
export async function dismissIn(tx: Db, id: string, note: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('withdrawals')
    .set({ state: 'dismissed', accepted_by: null, note, decided_at: sql<Date>`billing_now()` })
    .where('id', '=', id)
    .where(
      sql<boolean>`(state in ('received', 'waiting', 'unmatched', 'late') or state = 'accepted' and customer_id is null)`,
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives an unmatched withdrawal the contract that an operator has found; false for others. */
export async function linkIn(
  tx: Db,
  { id, userId, contract }: { id: string; userId: string; contract: FoundContract },
): Promise<boolean> {
  await lockCustomer(tx, contract.customerId)
  const { numUpdatedRows } = await tx
    .updateTable('withdrawals')
    .set({
      state: sql`case when made_at < ${withdrawalEnd(contract.concludedAt)} then 'waiting' else 'late' end`,
      user_id: userId,
      ...contractColumns(contract),
    })
    .where('id', '=', id)
    .where('state', '=', 'unmatched')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

// The receipt and its link

/** What is kept with a receipt. `isFirst`: before the contract was looked for. */
export type ReceiptPayload = { withdrawalId: string; isFirst: boolean }

/** Queues the receipt, to the account's own address where there is one: it may have the link. */
async function queueReceipt(tx: Db, id: string, { isFirst }: { isFirst: boolean }): Promise<void> {
  const payload: ReceiptPayload = { withdrawalId: id, isFirst }
  const { rows } = await sql<{ email: string; mailbox: string; userId: string | null }>`
    select case when session_invoice_id is null then coalesce(users.email, withdrawals.email) else withdrawals.email end as email,
      mailbox, user_id as "userId"
    from withdrawals left join users on users.id = user_id where withdrawals.id = ${id}
      and not exists (select from emails where kind = 'withdrawal-received' and recipient_key = mailbox
        and payload = ${JSON.stringify(payload)}::jsonb)`.execute(tx)
  const [to] = rows
  if (!to) return
  await queueEmail(tx, {
    id: newId(),
    kind: 'withdrawal-received',
    ...(to.userId !== null && { userId: to.userId }),
    recipient: to.email,
    recipientKey: to.mailbox,
    payload,
  })
}

const linkSeconds = withdrawalLimits.linkDays * 86_400

/** The address of the page that completes a withdrawal. */
export const withdrawalLink = (
  { config, tokens }: Pick<Dependencies, 'config' | 'tokens'>,
  { id, madeAt }: Pick<WithdrawalRow, 'id' | 'madeAt'>,
): string =>
  `${config.publicUrl}${pages.withdraw}/${tokens.withdrawals.token(id, Math.floor(madeAt.getTime() / 1000) + linkSeconds)}`

/** The withdrawal of a link; undefined when the link is not ours or too old. */
async function rowOfToken({ db, tokens }: Dependencies, token: string): Promise<WithdrawalRow | undefined> {
  const link = tokens.withdrawals.read(token)
  return link && link.expiresAt * 1000 > Date.now() ? readWithdrawal(db, link.userId) : undefined
}

async function sendLinkPage(
  { config, db, guestRenderer }: Dependencies,
  reply: Call['reply'],
  { token, row }: { token: string; row: WithdrawalRow | undefined },
): Promise<void> {
  // Not the path with the token: pages name it for search engines and previews.
  const frame = guestFrame(config.publicUrl, pages.withdraw)
  if (!row || row.plan === null) {
    const page: GuestPage = { page: 'gone', why: 'withdrawal' }
    return sendGuestPage(reply, guestRenderer, { page, frame, status: 404 })
  }
  const { state, amountCents } = await decidedState(db, row)
  const shown = { waiting: 'ask', accepted: 'accepted', done: 'done' } as const
  const isWaiting = state === 'waiting'
  const page: GuestPage = {
    page: 'withdrawal-link',
    state: shown[state as keyof typeof shown] ?? 'closed', // other states are not among the keys
    action: isWaiting ? `${pages.withdraw}/${token}` : null,
    plan: planOf({ plan: row.plan }).id,
    madeAt: row.madeAt.toISOString(),
    refundedCents: amountCents,
    isDemo: config.payments.kind === 'demo',
  }
  await sendGuestPage(reply, guestRenderer, { page, frame, linkLanguage: row.language })
}

const deletedAtOnce = 500

/** Deletes withdrawals that are too old, and forgets the clients of those that no longer count. */
export async function cleanUpWithdrawals(db: Db): Promise<void> {
  await sql`
    delete from withdrawals where id in (select id from withdrawals
      where made_at < billing_now() - make_interval(days => ${retention.withdrawalDays})
      order by made_at limit ${deletedAtOnce})`.execute(db)
  await sql`
    update withdrawals set client = null, networks = null
    where client is not null and created_at < now() - make_interval(days => ${retention.requestAttemptDays})`.execute(
    db,
  )
}
