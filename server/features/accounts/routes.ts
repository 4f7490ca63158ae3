import { currentUser, register, signIn, signOut } from '@keepsnap/contract/accounts.ts'
import { isEmail } from '@keepsnap/contract/emails.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { hashOf, newId, newSecret } from '../../domain/ids.ts'
import type { Deps } from '../../deps.ts'
import { Fault, invalid } from '../../faults.ts'
import type { Doors } from '../../http/access.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { sendLink } from './links.ts'
import { checkNewPassword } from './new-password.ts'
import { startTry } from './own-password.ts'
import type { Passwords } from './passwords.ts'
import {
  addSession,
  addUser,
  endSession,
  forgiveSignIns,
  isTaken,
  isUnchanged,
  knowClient,
  taken,
  userByEmail,
} from './queries.ts'
import { viewFor } from './view.ts'

const wrong = (): Fault => new Fault('unauthorized', 'Invalid email or password.')

/** Registration, sign-in, sign-out, and who is signed in. */
export function accounts(
  serve: Serve,
  { db, addresses, passwords, doors }: Pick<Deps, 'db' | 'addresses'> & { passwords: Passwords; doors: Doors },
): void {
  const openSession = async (on: Db, userId: string, req: Call['req']) => {
    const token = newSecret()
    await addSession(on, { tokenHash: hashOf(token), userId, userAgent: req.headers['user-agent'] })
    return { access_token: token, token_type: 'bearer' as const }
  }

  serve(register, async ({ body }, { req, client }) => {
    const email = body.email.trim()
    if (!isEmail(email)) throw invalid('email', 'Please enter a valid email address')
    checkNewPassword('password', body.password)
    if (await isTaken(db, email)) throw taken()
    const user = {
      id: newId(),
      email,
      username: email.slice(0, email.lastIndexOf('@')),
      passwordHash: await passwords.hash(body.password),
    }
    await db.transaction().execute(async (tx) => {
      if (!(await addUser(tx, user))) throw taken()
      await knowClient(tx, user.id, client)
      await sendLink(tx, addresses, { kind: 'verify', userId: user.id, email })
    })
    return openSession(db, user.id, req)
  })

  serve(signIn, async ({ body }, { req, client }) => {
    const email = body.username.slice(0, limits.emailChars)
    const tries = await startTry(db, email, client)
    const user = await userByEmail(db, email)
    const isRight = await passwords.matches(user?.password_hash, body.password.slice(0, 1024))
    if (!user || !isRight || !user.is_active) throw wrong()
    return db.transaction().execute(async (tx) => {
      // While the password was looked at it may have been changed, or the account closed or deleted.
      if (!(await isUnchanged(tx, user))) throw wrong()
      await forgiveSignIns(tx, tries)
      await knowClient(tx, user.id, client)
      return openSession(tx, user.id, req)
    })
  })

  serve(signOut, async (_, { actor }) => {
    await db.transaction().execute(async (tx) => {
      await endSession(tx, actor.sessionHash)
      await publish(tx, { kind: 'session', session: actor.sessionHash.toString('hex') })
    })
    doors.forget(actor.sessionHash)
    return null
  })

  serve(currentUser, (_, { actor }) => viewFor({ db, addresses }, actor.userId))
}
