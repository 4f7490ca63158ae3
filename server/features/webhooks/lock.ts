import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Webhooks as WebhooksTable } from '../../db/schema.ts'
import { currentPlan, planOf, type PlanColumn } from '../../domain/plans.ts'

/** A row of the table webhooks. */
export type WebhookRow = Selectable<WebhooksTable>

/** The owner of webhooks, as far as it counts for them. */
export interface WebhookOwner {
  email: string
  /** Whether the account is active and its plan has API access. */
  mayDeliver: boolean
}

/** Locks an account against deletion; undefined when it is deleted. Before any of its rows is written. */
export async function lockWebhookOwner(tx: Db, userId: string): Promise<WebhookOwner | undefined> {
  const { rows } = await sql<PlanColumn & { email: string; is_active: boolean }>`
    select email, is_active, ${currentPlan} as plan from users where id = ${userId} for key share`.execute(tx)
  const [owner] = rows
  return owner && { email: owner.email, mayDeliver: owner.is_active && planOf(owner).features.api_access }
}

/**
 * Locks a webhook, after its owner. All code that adds, finishes or cancels deliveries holds this lock: this prevents a
 * race in which the next job is enqueued with an outdated time.
 */
export async function lockWebhook(
  tx: Db,
  webhookId: string,
): Promise<{ webhook: WebhookRow; owner: WebhookOwner } | undefined> {
  const found = await tx.selectFrom('webhooks').select('user_id').where('id', '=', webhookId).executeTakeFirst()
  const owner = found && (await lockWebhookOwner(tx, found.user_id))
  if (!owner) return undefined
  const webhook = await tx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return webhook && { webhook, owner }
}

/** The same of a user's own webhook; undefined when there is none. */
export async function lockOwnWebhook(
  tx: Db,
  userId: string,
  webhookId: string,
): Promise<{ webhook: WebhookRow; owner: WebhookOwner } | undefined> {
  const locked = await lockWebhook(tx, webhookId)
  return locked?.webhook.user_id === userId ? locked : undefined
}
