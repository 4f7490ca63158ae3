import { currentUser, register, signIn, signOut } from '@keepsnap/contract/accounts.ts'
import { isEmail } from '@keepsnap/contract/emails.ts'
import { limits } from '@keepsnap/contract/limits.ts'
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
import { addSession, addUser, endSession, forgiveSignIns, isTaken, knowClient, taken, userByEmail } from './queries.ts'
import { viewFor } from './view.ts'

/** Registration, sign-in, sign-out, and who is signed in. */
export function accounts(
  serve: Serve,
  { db, addresses, passwords, doors }: Pick<Deps, 'db' | 'addresses'> & { passwords: Passwords; doors: Doors },
): void {
  const openSession = async (userId: string, req: Call['req']) => {
    const token = newSecret()
    await addSession(db, { tokenHash: hashOf(token), userId, userAgent: req.headers['user-agent'] })
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
    return openSession(user.id, req)
  })

  serve(signIn, async ({ body }, { req, client }) => {
    const email = body.username.slice(0, limits.emailChars)
    const tries = await startTry(db, email, client)
    const user = await userByEmail(db, email)
    const isRight = await passwords.matches(user?.password_hash, body.password.slice(0, 1024))
    if (!user || !isRight || !user.is_active) throw new Fault('unauthorized', 'Invalid email or password.')
    await forgiveSignIns(db, tries)
    await knowClient(db, user.id, client)
    return openSession(user.id, req)
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
