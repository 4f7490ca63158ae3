import type { Db } from '../../db/connect.ts'
import { Fault, signInAgain } from '../../faults.ts'
import type { Passwords } from './passwords.ts'
import { forgiveSignIns, startSignIn, type Tries } from './queries.ts'

/** What is known of whoever has just said their password. */
export interface Proven {
  id: string
  email: string
  email_key: string
  password_hash: string
  is_verified: boolean
}

/** Refuses a try at an account's password that comes too soon after others; the count that it used. */
export async function startTry(db: Db, email: string, client: string): Promise<Tries> {
  const { tries, waitSeconds } = await startSignIn(db, email, client)
  if (waitSeconds > 0) {
    throw new Fault(
      'rate_limited',
      `Too many attempts for this account. Please wait ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'} and try again.`,
      waitSeconds,
    )
  }
  return tries
}

/**
 * Asks a signed-in user for the password once more, with the growing delay of sign-in: a session in wrong hands is not
 * enough to take or end an account. Throws `forbidden`, since `unauthorized` would sign the page out.
 */
export async function askPassword(
  { db, passwords }: { db: Db; passwords: Passwords },
  who: { userId: string; client: string },
  password: string,
): Promise<Proven> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'password_hash', 'email_verified_at'])
    .where('id', '=', who.userId)
    .executeTakeFirst()
  if (!user) throw signInAgain()
  const tries = await startTry(db, user.email, who.client)
  if (!(await passwords.matches(user.password_hash, password)))
    throw new Fault('forbidden', 'This is not your current password.')
  await forgiveSignIns(db, tries)
  const { email_verified_at: verifiedAt, ...known } = user
  return { ...known, is_verified: verifiedAt !== null }
}
