import { sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { enqueueNextDelivery } from './delivery-queue.ts'
import { lockWebhook } from './lock.ts'

/** What one run of the clean-up job does at most. */
const maxWebhooks = 200
const maxDeliveries = 10_000

/** Enqueues deliveries whose time has passed although no job made them, as when a job failed too often. */
async function enqueueOverdueDeliveries(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct webhook_id as id from webhook_deliveries
    where state = 'waiting' and next_attempt_at < now() - interval '1 minute' limit ${maxWebhooks}`.execute(db)
  for (const { id } of rows)
    await db.transaction().execute(async (tx) => {
      const locked = await lockWebhook(tx, id)
      if (locked) await enqueueNextDelivery(tx, id)
    })
}

/**
 * After the secret key was replaced, encrypts signing secrets with the new one, while the former one is still accepted. A
 * secret that its owner replaces meanwhile is left out.
 */
async function renewSecrets({ db, webhooks: { secrets } }: Pick<Dependencies, 'db' | 'webhooks'>): Promise<void> {
  let after = ''
  for (;;) {
    const page = await db
      .selectFrom('webhooks')
      .select(['id', 'encrypted_secret', 'encrypted_previous_secret'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(maxWebhooks)
      .execute()
    for (const { id, encrypted_secret: current, encrypted_previous_secret: previous } of page) {
      const renewed = secrets.renew(current, id)
      const renewedPrevious = previous && secrets.renew(previous, id)
      if (!renewed && !renewedPrevious) continue
      await db
        .updateTable('webhooks')
        .set({
          ...(renewed && { encrypted_secret: renewed }),
          ...(renewedPrevious && { encrypted_previous_secret: renewedPrevious }),
        })
        .where('id', '=', id)
        .where('encrypted_secret', '=', current)
        .execute()
    }
    const last = page.at(-1)
    if (!last || page.length < maxWebhooks) return
    after = last.id
  }
}

/** Removes old deliveries and expired secrets, and enqueues what was missed. Leaves out what is locked. */
export async function cleanUpWebhooks(deps: Pick<Dependencies, 'db' | 'webhooks'>): Promise<void> {
  const { db } = deps
  if (deps.webhooks.isKeyReplaced) await renewSecrets(deps)
  await enqueueOverdueDeliveries(db)
  await sql`delete from webhook_deliveries where id in (
    select id from webhook_deliveries where finished_at < now() - make_interval(days => ${webhookLimits.keepDays})
    limit ${maxDeliveries} for update skip locked)`.execute(db)
  await sql`update webhooks set encrypted_previous_secret = null, previous_secret_until = null where id in (
    select id from webhooks where previous_secret_until < now() limit ${maxWebhooks} for update skip locked)`.execute(
    db,
  )
}
