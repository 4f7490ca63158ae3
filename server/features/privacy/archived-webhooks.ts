import { sql } from 'kysely'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import type { CsvCell, CsvWriter } from '../../lib/csv.ts'

const batchSize = 500

/** The webhooks, without their secrets. */
export const archivedWebhooksOf = (db: Db, userId: string) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'url', 'events', 'disabled_because', 'disabled_at', 'failing_since', 'created_at', 'url_set_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .limit(webhookLimits.webhooksMax)
    .execute()

interface ArchivedDelivery {
  id: string
  webhook_id: string
  message_id: string
  is_replay: boolean
  state: string
  attempts: number
  body: string
  created_at: Date
  finished_at: Date | null
  last_status: number | null
  last_error: string | null
}

const cellsOf = (csv: CsvWriter, delivery: ArchivedDelivery): CsvCell[] => [
  delivery.webhook_id,
  delivery.message_id,
  delivery.body,
  delivery.is_replay,
  delivery.created_at,
  csv.translate(delivery.state),
  delivery.finished_at,
  delivery.attempts,
  delivery.last_status,
  delivery.last_error && csv.translate(delivery.last_error),
]

/** A table of the events that were sent, with what the last attempt led to. */
export async function* webhookDeliveriesCsv(csv: CsvWriter, db: Db, userId: string): AsyncGenerator<string> {
  yield csv.heading([
    'Webhook ID',
    'Event ID',
    'Event',
    'Replay',
    'Created (UTC)',
    'State',
    'Finished (UTC)',
    'Attempts',
    'Last answer',
    'Last error',
  ])
  for (let after: string | undefined = ''; after !== undefined;) {
    const { rows }: { rows: ArchivedDelivery[] } = await sql<ArchivedDelivery>`
      select delivery.id, webhook_id, message_id, is_replay, state, attempts, body, delivery.created_at, finished_at,
        last.status as last_status, last.error as last_error
      from webhook_deliveries delivery join webhooks on webhooks.id = webhook_id
        left join webhook_attempts last on last.delivery_id = delivery.id and last.number = attempts
      where user_id = ${userId} and delivery.id > ${after} order by delivery.id limit ${batchSize}`.execute(db)
    for (const row of rows) yield csv.line(cellsOf(csv, row))
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id
  }
}
