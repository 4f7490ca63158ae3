import { sql } from 'kysely'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../dependencies.ts'
import { createPasswords, type PasswordHashing } from '../features/accounts/passwords.ts'
import { addSession, addUser } from '../features/accounts/queries.ts'
import { hashOf, newId, newSecret } from '../lib/ids.ts'
import { plural } from '../lib/operator-texts.ts'
import { StartupError } from '../runtime/startup-error.ts'

/** The owner of a demo account. Addresses under `.example` are reserved (RFC 2606), so nobody can have them. */
interface Person {
  email: `${string}.example`
  username: string
  /** What guests are shown. */
  brandName: string | null
  timeZone: string
  /** The age of the account. */
  memberDays: number
  /** A paid plan, and for how many months it has been paid. */
  paidPlan: { id: Exclude<PlanId, 'free'>; months: number } | null
  isVerified: boolean
  /** Whether guests must give an email address before they get a photo. */
  asksForEmail: boolean
  /** For the operator, in the list at the end. */
  situation: string
}

const usual = { paidPlan: null, isVerified: true, asksForEmail: false, timeZone: 'Europe/Brussels' } as const

/** The accounts, each in a different situation. */
export const people = {
  studio: {
    ...usual,
    email: 'hello@lumen-booths.example',
    username: 'Lumen Booths',
    brandName: 'Lumen Photo Booths',
    memberDays: 431,
    paidPlan: { id: 'pro_yearly', months: 14 },
    situation: 'Pro Yearly: logo, watermark, weeks of guests, API key, webhook',
  },
  photographer: {
    ...usual,
    email: 'nora@nora-lind.example',
    username: 'Nora Lind',
    brandName: 'Nora Lind Photography',
    timeZone: 'Europe/Amsterdam',
    memberDays: 167,
    paidPlan: { id: 'pro_monthly', months: 5 },
    asksForEmail: true,
    situation: 'Pro Monthly: two weddings, guests must give an email address',
  },
  host: {
    ...usual,
    email: 'tom@garden-party.example',
    username: 'Tom',
    brandName: null,
    memberDays: 19,
    isVerified: false,
    situation: 'Free: 8 of 10 photos this month, email address not confirmed',
  },
  newcomer: {
    ...usual,
    email: 'mia@first-evening.example',
    username: 'Mia',
    brandName: null,
    memberDays: 0,
    situation: 'Free: nothing yet',
  },
  closed: {
    ...usual,
    email: 'bar@old-harbour.example',
    username: 'Old Harbour Bar',
    brandName: 'Old Harbour Bar',
    memberDays: 260,
    situation: 'deactivated: signing in is refused',
  },
} as const satisfies Record<string, Person>
export type PersonName = keyof typeof people
export const personNames = Object.keys(people) as PersonName[] // its own keys

/** A created account: its credentials, and the token with which this command calls the API for it. */
export interface DemoAccount {
  id: string
  email: string
  password: string
  token: string
}
export type DemoAccounts = Record<PersonName, DemoAccount>

/** Random groups, plus the character classes that the password rules require. */
const newPassword = (): string => `${newId(5)}-${newId(5)}-${newId(5)}.Kq7`

const refusalOf = (accounts: number, isDemo: boolean): string =>
  isDemo
    ? 'This instance was filled by demo before. To fill it again, stop the server, delete the data folder (or empty the database of DATABASE_URL), and run demo again.'
    : `The database holds ${plural(accounts, 'account')}. demo fills only an empty instance: set DATA_DIR to a new folder (or DATABASE_URL to an empty database), and run it again.`

/** Throws if the database already has accounts. */
export async function refuseUsedDatabase(db: Dependencies['db']): Promise<void> {
  const { rows } = await sql<{ accounts: number; isDemo: boolean }>`
    select count(*)::int as accounts,
      coalesce(bool_or(email_key = any(${Object.values(people).map(({ email }) => email)}::text[])), false) as "isDemo"
    from users`.execute(db)
  const [{ accounts, isDemo } = { accounts: 0, isDemo: false }] = rows
  if (accounts > 0) throw new StartupError(refusalOf(accounts, isDemo))
}

/** Creates all accounts in one transaction. A concurrent second run waits for the table lock, then is refused. */
export async function addAccounts(
  { db }: Pick<Dependencies, 'db'>,
  passwordHashing?: Partial<PasswordHashing>,
): Promise<DemoAccounts> {
  const passwords = await createPasswords(passwordHashing)
  const added = await Promise.all(
    personNames.map(async (name) => {
      const password = newPassword()
      const account = { id: newId(), email: people[name].email, password, token: newSecret() }
      return { name, account, passwordHash: await passwords.hash(password, { account: name }) }
    }),
  )
  await db.transaction().execute(async (tx) => {
    await sql`lock table users in share row exclusive mode`.execute(tx)
    await refuseUsedDatabase(tx)
    for (const { name, account, passwordHash } of added) {
      const { id, email, token } = account
      const { username, timeZone, brandName, memberDays, isVerified, asksForEmail } = people[name]
      await addUser(tx, { id, email, username, timeZone, passwordHash })
      await addSession(tx, { tokenHash: hashOf(token), userId: id, userAgent: 'Keepsnap demo' })
      await sql`
        update users set created_at = now() - make_interval(days => ${memberDays}), brand_name = ${brandName},
          email_verified_at = case when ${isVerified} then now() - make_interval(days => ${memberDays}) + interval '6 minutes' end,
          ask_email_to_receive_photo = ${asksForEmail}
        where id = ${id}`.execute(tx)
    }
  })
  return Object.fromEntries(added.map(({ name, account }) => [name, account])) as DemoAccounts // one of each
}
