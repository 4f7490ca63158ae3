import { sql } from 'kysely'
import type { Dependencies } from '../dependencies.ts'
import { createPasswords, type PasswordHashing } from '../features/accounts/passwords.ts'
import { addSession, addUser } from '../features/accounts/queries.ts'
import { hashOf, newId, newSecret } from '../lib/ids.ts'
import { StartupError } from '../runtime/startup-error.ts'
import { people, personNames, type PersonName } from './people.ts'

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

const newAccount = (name: PersonName): DemoAccount => ({
  id: newId(),
  email: people[name].email,
  password: newPassword(),
  token: newSecret(),
})

const refusalOf = (accounts: number, isDemo: boolean): string =>
  isDemo
    ? 'This instance was filled by demo before. To fill it again, stop the server, delete the data folder (or empty the database of DATABASE_URL), and run demo again.'
    : `The database holds ${accounts} account${accounts === 1 ? '' : 's'}. demo fills only an empty instance: set DATA_DIR to a new folder (or DATABASE_URL to an empty database), and run it again.`

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
  const accounts = Object.fromEntries(personNames.map((name) => [name, newAccount(name)])) as DemoAccounts // one of each
  const hashes = Object.fromEntries(
    await Promise.all(personNames.map(async (name) => [name, await passwords.hash(accounts[name].password)] as const)),
  )
  await db.transaction().execute(async (tx) => {
    await sql`lock table users in share row exclusive mode`.execute(tx)
    await refuseUsedDatabase(tx)
    for (const name of personNames) {
      const { id, email, token } = accounts[name]
      const { username, timeZone, brandName, memberDays, isVerified, asksForEmail } = people[name]
      await addUser(tx, { id, email, username, timeZone, passwordHash: hashes[name] ?? '' })
      await addSession(tx, { tokenHash: hashOf(token), userId: id, userAgent: 'Keepsnap demo' })
      await sql`
        update users set created_at = now() - make_interval(days => ${memberDays}), brand_name = ${brandName},
          email_verified_at = case when ${isVerified} then now() - make_interval(days => ${memberDays}) + interval '6 minutes' end,
          ask_email_to_receive_photo = ${asksForEmail}
        where id = ${id}`.execute(tx)
    }
  })
  return accounts
}
