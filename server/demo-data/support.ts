import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { mailboxKey } from '../lib/email-address.ts'
import { newId } from '../lib/ids.ts'
import type { DemoAccounts } from './accounts.ts'
import { people, type PersonName } from './people.ts'

/** A message to support: of an account, or of a visitor. */
interface SupportMessage {
  from: PersonName | { name: string; email: `${string}.example` }
  subject: string
  message: string
  daysAgo: number
  isAnswered: boolean
}

const messages: readonly SupportMessage[] = [
  {
    from: 'studio',
    subject: 'Second booth from Saturday on',
    message:
      'We rent out a second booth from Saturday on. Can both upload with the same key, or does each need its own?',
    daysAgo: 1,
    isAnswered: false,
  },
  {
    from: { name: 'Greta Maes', email: 'greta.maes@city-hall.example' },
    subject: 'A party for 400 people',
    message:
      'We plan a party for about 400 people in June. Which plan do we need, and does it work in our own network?',
    daysAgo: 2,
    isAnswered: false,
  },
  {
    from: 'photographer',
    subject: 'Invoice with our VAT number',
    message: 'Could the next invoice show the VAT number of my company? Thank you.',
    daysAgo: 9,
    isAnswered: true,
  },
  {
    from: 'host',
    subject: 'How do guests find their photo again?',
    message:
      'My aunt closed the page before she saved her photo. Can she open it again without the code on the screen?',
    daysAgo: 5,
    isAnswered: true,
  },
]

/** Writes messages to support, as if all emails about them had been sent. */
export async function addSupportMessages(tx: Db, accounts: DemoAccounts): Promise<void> {
  for (const { from, subject, message, daysAgo, isAnswered } of messages) {
    const account = typeof from === 'string' ? { ...people[from], id: accounts[from].id } : null
    const { name, email } = typeof from === 'string' ? { name: people[from].username, email: people[from].email } : from
    await sql`
      insert into support_messages (id, user_id, name, email, mailbox, subject, message, is_priority, filled_honeypot, state,
        is_emailed, is_confirmed, created_at, answered_at)
      values (${newId()}, ${account?.id ?? null}, ${name}, ${email}, ${mailboxKey(email)}, ${subject}, ${message},
        ${account?.paidPlan != null}, false, ${isAnswered ? 'answered' : 'open'}, true, true,
        now() - make_interval(days => ${daysAgo}, hours => 3),
        ${isAnswered ? sql`now() - make_interval(days => ${daysAgo}) + interval '2 hours'` : null})`.execute(tx)
  }
}
