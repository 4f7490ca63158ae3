import { type Kysely, sql } from 'kysely'

/**
 * Which email named a report, so that none is left out that arrived while an email was being sent; and what a report's
 * decision was before the last one, so that this can be undone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Not a foreign key: the email is deleted after some months, and the report was named nevertheless.
  await sql`alter table photo_reports add email_id text, add previous_decision text, add previous_decided_at timestamptz`.execute(
    db,
  )
  await sql`
    create index emails_about_reports on emails (user_id, created_at desc) where kind in ('report', 'report-digest')`.execute(
    db,
  )
  // Until now the times told which reports an email had named.
  await sql`
    update photo_reports set email_id = (
      select id from emails
      where emails.user_id = photo_reports.user_id and state = 'sent' and sent_at >= photo_reports.reported_at
        and (kind = 'report-digest' or (kind = 'report' and emails.photo_id = photo_reports.photo_id))
      order by sent_at limit 1)
    where decided_at is null`.execute(db)
}
