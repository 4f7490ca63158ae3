import { randomBytes } from 'node:crypto'
import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '@keepsnap/server/db/connect.ts'
import { createPasswords } from '@keepsnap/server/features/accounts/passwords.ts'
import { hashOf, newId, newSecret } from '@keepsnap/server/lib/ids.ts'
import { password } from './visitor.ts'

export interface UserOptions {
  plan?: PlanId
  isAdmin?: boolean
}

let passwordHash: Promise<string> | undefined

/** All users of a worker process have the same password, hashed once with the least effort. */
async function hashOfPassword(): Promise<string> {
  const cost = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }
  const { hash } = await createPasswords({ cost })
  return hash(password)
}

/** Writes a user and a session to the database. */
export async function addUserRow(
  db: Db,
  { plan, isAdmin = false }: UserOptions = {},
): Promise<{ email: string; token: string }> {
  passwordHash ??= hashOfPassword()
  const id = newId()
  const token = newSecret()
  const username = `user-${randomBytes(6).toString('hex')}`
  const email = `${username}@example.com`
  await db
    .insertInto('users')
    .values({
      id,
      email,
      email_key: normalizeEmail(email),
      username,
      password_hash: await passwordHash,
      is_admin: isAdmin,
      granted_plan: plan ?? null,
    })
    .execute()
  await db
    .insertInto('sessions')
    .values({ token_hash: hashOf(token), user_id: id, user_agent: null })
    .execute()
  return { email, token }
}
