import { deviceCookie, deviceCookieDays } from '@keepsnap/contract/browser-storage.ts'
import { signIn } from '@keepsnap/contract/accounts.ts'
import { deviceOf } from '@keepsnap/contract/devices.ts'
import { accountLimits } from '@keepsnap/contract/limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { CookieAccount } from '../../domain/device-cookies.ts'
import { currentPlan } from '../../domain/plans.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import type { Call } from '../../http/serve.ts'
import { newId } from '../../lib/ids.ts'

/** Gives a browser that has shown the password of an account, or a link to set it, the device cookie for sign-ins to it. */
export function rememberBrowser(
  { config, tokens }: Pick<Dependencies, 'config' | 'tokens'>,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  account: CookieAccount,
): void {
  const value = tokens.deviceCookies.valueAfter(req.headers.cookie, account)
  const isHttps = req.protocol === 'https' || config.publicUrl.startsWith('https:')
  const secure = isHttps ? '; Secure' : ''
  const maxAge = deviceCookieDays * 86_400
  // Sent with sign-ins alone.
  const attributes = `Max-Age=${maxAge}; Path=${signIn.path}; HttpOnly; SameSite=Strict${secure}`
  reply.header('set-cookie', `${deviceCookie}=${value}; ${attributes}`)
}

/** Tells admins, and users with a plan, that a browser without the cookie of their account has signed in to it. */
export async function reportNewBrowser(tx: Db, userId: string, userAgent: string | undefined): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where(({ or, eb }) => or([eb('is_admin', '=', true), eb(currentPlan, '<>', 'free')]))
    .where(
      sql<number>`(select count(*) from emails where recipient_key = users.email_key and kind <> 'photo' and kind = 'new-sign-in'
        and created_at > now() - interval '1 day')`,
      '<',
      accountLimits.signInEmailsPerDay,
    )
    .executeTakeFirst()
  if (!user) return
  const { browser, system } = deviceOf(userAgent ?? null)
  const device = [browser, system].filter((name) => name !== null).join(', ')
  const payload = { at: new Date().toISOString(), device }
  await queueEmail(tx, { id: newId(), kind: 'new-sign-in', userId, recipient: user.email, payload })
}
