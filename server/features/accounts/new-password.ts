import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { commonPasswordMessage, commonStems, isCommonPassword } from '@keepsnap/contract/common-passwords.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { brokenRules, passwordMessages } from '@keepsnap/contract/passwords.ts'
import type { Db } from '../../db/connect.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { invalidField } from '../../faults.ts'
import { newId } from '../../lib/ids.ts'
import { deleteObsoleteLinks } from './email-links.ts'
import { deleteKnownClients, resetAllPasswordAttempts } from './password-attempts.ts'
import { revokeAllSessions } from './revoke-sessions.ts'

/** Throws `invalid` with the first rule that a new password breaks. */
export function checkNewPassword(field: 'password' | 'new_password', password: string): void {
  if (password.length > limits.passwordChars)
    throw invalidField(field, `Password must be at most ${limits.passwordChars} characters long`)
  const [brokenRule] = brokenRules(password)
  if (brokenRule) throw invalidField(field, passwordMessages[brokenRule])
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Throws `invalid` if an operator chooses a password that many people use. */
export async function refuseCommonPassword(
  { is_admin: isAdmin }: { is_admin: boolean },
  password: string,
): Promise<void> {
  if (!isAdmin) return
  const path = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))
  commonPasswords ??= readFile(path, 'utf8').then((text) => commonStems(JSON.parse(text) as string[])) // a list of texts
  if (isCommonPassword(password, await commonPasswords)) throw invalidField('new_password', commonPasswordMessage)
}

/**
 * Sets a new password. Revokes all sessions, links and URLs of full-size images, forgets the known clients, and
 * notifies the user by email.
 */
export async function replacePassword(
  tx: Db,
  user: { id: string; email: string; email_key: string },
  passwordHash: string,
): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user.id).execute()
  await revokeAllSessions(tx, user.id)
  await deleteObsoleteLinks(tx, user.id)
  await resetAllPasswordAttempts(tx, user.email_key)
  await deleteKnownClients(tx, user.id)
  const payload = { at: new Date().toISOString() }
  await queueEmail(tx, { id: newId(), kind: 'password-changed', userId: user.id, recipient: user.email, payload })
}
