import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import type { FoundPhoto, OperatorEmail } from '@keepsnap/contract/operator-support.ts'
import type { Db } from '../platform/db/connect.ts'
import { type AuditedAction, recordAction } from '../features/operators/audit-log.ts'
import { createTokens, type Tokens } from '../features/accounts/tokens.ts'
import { deleteUser } from '../features/accounts/account-deletion.ts'
import { deletePhotoForGood } from '../features/photos/delete.ts'
import { findPhotoBy, reportedPhotoSubject } from '../features/operators/photos.ts'
import { loadGuestRenderer } from '../platform/http/pages.ts'
import { streamArchive } from '../features/accounts/archive.ts'
import { addressDetails, eraseAddress, sendAgain } from '../features/operators/guests.ts'
import { parseEmailAddress } from '../lib/email-address.ts'
import { plural, sizeText } from '../lib/operator-texts.ts'
import { createFolder } from '../platform/process/data-folder.ts'
import { StartupError } from '../faults.ts'
import { openSecretKeys } from '../platform/db/secret-keys.ts'
import { openStorageInUse } from '../open-ports.ts'
import {
  type Arguments,
  type Command,
  type CommandContext,
  noAccount,
  readArguments,
  readEmail,
  UsageError,
} from './command.ts'

/** Why it is done, for the audit log. */
function readReason({ options }: Arguments, usage: string): string {
  const reason = options.get('--reason')?.trim() ?? ''
  if (!/[\p{L}\p{N}]/u.test(reason) || reason.length > adminLimits.reasonChars)
    throw new UsageError(`${usage}; TEXT says why, in up to ${adminLimits.reasonChars} characters, for the audit log`)
  return reason
}

/** The same where it need not be said. */
const readOptionalReason = (line: Arguments, usage: string): string | undefined =>
  line.options.has('--reason') ? readReason(line, usage) : undefined

const timeText = (at: string): string => at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
const tokensOf = async ({ config, db }: CommandContext): Promise<Tokens> =>
  createTokens(await openSecretKeys(config, db))

const record = (
  db: Db,
  name: string,
  entry: Pick<AuditedAction, 'action' | 'subject'> & { reason: string | undefined },
): Promise<void> => {
  const { reason, ...rest } = entry
  const by = { kind: 'command', id: null, name } as const
  return recordAction(db, { ...rest, by, ...(reason !== undefined && { reason }), outcome: 'done' })
}

async function accountOf(db: Db, email: string) {
  const user = await db
    .selectFrom('users')
    .select((select) => [
      'id',
      'username',
      'is_active',
      select
        .selectFrom('photos')
        .select(({ fn }) => fn.countAll<number>().as('photos'))
        .whereRef('photos.user_id', '=', 'users.id')
        .where('deleted_at', 'is', null)
        .as('photos'),
    ])
    .where('email_key', '=', normalizeEmail(email))
    .executeTakeFirst()
  if (!user) throw noAccount(email)
  return user
}

/** Shows what will happen, and does it after a yes or with `--yes`. */
async function confirmed(
  { confirm }: CommandContext,
  { options }: Arguments,
  { overview, question, again }: { overview: string; question: string; again: string },
): Promise<string | undefined> {
  if (options.has('--yes') || (await confirm(`${overview}\n${question}`))) return undefined
  return `${overview}\nNothing was deleted. To do it: ${again} --yes`
}

const emailUsage = 'find-email ADDRESS [--send-again ID [--reason TEXT]]'

const emailText = (email: OperatorEmail): string =>
  [
    `  ${email.id}  ${email.kind} to ${email.recipient}, ${timeText(email.created_at)}: ${email.state}`,
    ...(email.sent_at === null || email.state !== 'sent' ? [] : [` at ${timeText(email.sent_at)}`]),
    ...(email.next_try_at === null ? [] : [`, next try ${timeText(email.next_try_at)}`]),
    ...(email.attempts > 0 ? [` (${plural(email.attempts, 'attempt')})`] : []),
    ...(email.reason === null ? [] : [` - ${email.reason}`]),
  ].join('')

/** `find-email`: the emails to an address; with `--send-again`, one of them is sent again. */
const findEmail: Command = (args) => {
  const line = readArguments(args, { usage: emailUsage, given: 1, values: ['--send-again', '--reason'] })
  const reason = readOptionalReason(line, emailUsage)
  const address = parseEmailAddress(line.given[0] ?? '')
  if (address === undefined) throw new UsageError(`${emailUsage}; ADDRESS is one email address`)
  const again = line.options.get('--send-again')
  return async (context) => {
    const { db } = context
    const deps = { db, tokens: await tokensOf(context) }
    const details = await addressDetails(deps, address)
    if (again !== undefined) {
      const email = details.emails.find(({ id }) => id === again)
      if (!email) throw new UsageError(`there is no email ${again} to ${address}`)
      await db.transaction().execute(async (tx) => {
        const outcome = await sendAgain(tx, again)
        if (outcome !== 'queued') throw new UsageError(`the email ${again} is being sent, or was deleted`)
        const { account } = email
        const subject =
          account && ({ kind: 'user', id: account.id, name: account.username, userId: account.id } as const)
        const action = `send email again (${email.kind})`
        await record(tx, 'find-email', { action, subject: subject ?? undefined, reason })
      })
      return `The email ${again} is sent now. "find-email ${address}" shows what becomes of it.`
    }
    const { emails, total, requests, support_messages: messages, unsubscribed, account } = details
    return [
      `${plural(total, 'email')} to ${address}${total > emails.length ? `, the newest ${emails.length}` : ''}:`,
      ...emails.map(emailText),
      `${plural(requests, 'photo request')}, ${plural(messages, 'message')} to support. ${unsubscribed ? 'Unsubscribed from photos.' : 'Not unsubscribed.'}`,
      account ? `An account has this address: ${account.username} (${account.id}).` : 'No account has this address.',
    ].join('\n')
  }
}

const photoText = (photo: FoundPhoto): string =>
  [
    `Photo ${photo.id}: ${photo.state}${photo.hidden_by_operator ? ', hidden by an operator' : photo.hidden_at ? ', hidden from guests' : ''}`,
    ...(photo.owner ? [`Owner: ${photo.owner.username} (${photo.owner.id})`] : []),
    ...(photo.filename === null ? [] : [`File: ${photo.filename}`]),
    ...(photo.error_message === null ? [] : [`Why: ${photo.error_message}`]),
    ...(['uploaded_at', 'processed_at', 'hidden_at', 'deleted_at'] as const).flatMap((name) => {
      const at = photo[name]
      const label = { uploaded_at: 'Uploaded', processed_at: 'Processed', hidden_at: 'Hidden', deleted_at: 'Deleted' }[
        name
      ]
      return at === null ? [] : [`${label}: ${timeText(at)}`]
    }),
    `Reports: ${photo.reports}`,
  ].join('\n')

/** `find-photo`: by its id, the code of a QR code, or a link to it. */
const findPhoto: Command = (args) => {
  const usage = 'find-photo TEXT; TEXT is an id, the code of a QR code, or a link'
  const { given } = readArguments(args, { usage, given: 1 })
  return async ({ db }) => {
    const photo = await findPhotoBy(db, given[0] ?? '')
    return photo ? photoText(photo) : 'No photo was found.'
  }
}

const exportUsage = 'export-account EMAIL DIR [--reason TEXT]'

/** `export-account`: everything of an account as one file, as its owner can get it. */
const exportAccount: Command = (args) => {
  const line = readArguments(args, { usage: exportUsage, given: 2, values: ['--reason'] })
  const reason = readOptionalReason(line, exportUsage)
  const email = readEmail('export-account', line.given)
  const dir = resolve(line.given[1] ?? '')
  return async ({ config, db, log }) => {
    const user = await accountOf(db, email)
    const guestRenderer = await loadGuestRenderer(join(import.meta.dirname, '../../web/dist-guest/guest.js'))
    const { storage, close } = await openStorageInUse({ config, db, log })
    const path = join(dir, `keepsnap-${user.id}-${new Date().toISOString().slice(0, 10)}.zip`)
    try {
      await createFolder(dir, 0o700)
      await pipeline(
        streamArchive({ db, storage, guestRenderer }, user.id),
        createWriteStream(`${path}.part`, { mode: 0o600, flush: true }),
      )
      await rename(`${path}.part`, path)
    } catch (error) {
      await rm(`${path}.part`, { force: true }).catch(() => {})
      if (!(error instanceof Error) || !('syscall' in error)) throw error
      throw new StartupError(`The file could not be written into ${dir}: ${error.message}.`, { cause: error })
    } finally {
      await close()
    }
    const subject = { kind: 'user', id: user.id, name: user.username, userId: user.id } as const
    await record(db, 'export-account', { action: 'export account', subject, reason })
    const { size } = await stat(path)
    return `Everything of ${email} is in ${path} (${sizeText(size)}). Delete it when it was handed over.`
  }
}

const deleteAccountUsage = 'delete-account EMAIL --reason TEXT [--yes]'

/** `delete-account`: as its owner can, also of an account that is deactivated or whose owner has lost the mailbox. */
const deleteAccount: Command = (args) => {
  const email = readEmail('delete-account', args)
  const line = readArguments(args, { usage: deleteAccountUsage, given: 1, values: ['--reason'], flags: ['--yes'] })
  const reason = readReason(line, deleteAccountUsage)
  return async (context) => {
    const { config, db } = context
    const user = await accountOf(db, email)
    const refusal = await confirmed(context, line, {
      overview: `The account ${email} (${user.username}${user.is_active ? '' : ', deactivated'}), with ${plural(user.photos ?? 0, 'photo')}, their codes, links, requests and emails, its subscription and its settings.`,
      question: 'Delete all of it for good?',
      again: `delete-account ${email} --reason "..."`,
    })
    if (refusal !== undefined) return refusal
    await db.transaction().execute(async (tx) => {
      if (!(await deleteUser(tx, config.mail, { id: user.id }))) throw noAccount(email)
      // Without a subject: the log must not name who was deleted, and the reason is kept.
      await record(tx, 'delete-account', { action: 'delete account', subject: undefined, reason })
    })
    return `${email} is deleted, and an email about it goes there. The files go within minutes; backups keep them until they are removed, and a restore deletes them again.`
  }
}

const deletePhotoUsage = 'delete-photo ID --reason TEXT [--yes]'

/** `delete-photo`: a photo that a guest reported, for good. */
const deletePhoto: Command = (args) => {
  const line = readArguments(args, { usage: deletePhotoUsage, given: 1, values: ['--reason'], flags: ['--yes'] })
  const reason = readReason(line, deletePhotoUsage)
  const [id = ''] = line.given
  return async (context) => {
    const { db } = context
    const subject = await reportedPhotoSubject(db, id, { orRemoved: true })
    if (!subject) throw new UsageError(`there is no reported photo with the id ${id}; "find-photo" finds the id`)
    const refusal = await confirmed(context, line, {
      overview: `The photo ${id} (${subject.name}), with its codes, links and emails.`,
      question: 'Delete it for good?',
      again: `delete-photo ${id} --reason "..."`,
    })
    if (refusal !== undefined) return refusal
    await db.transaction().execute(async (tx) => {
      if (!(await deletePhotoForGood(tx, subject.userId, id))) throw new UsageError('the photo was deleted meanwhile')
      await record(tx, 'delete-photo', { action: 'delete reported photo', subject, reason })
    })
    return `The photo ${id} is deleted.`
  }
}

const eraseGuestUsage = 'erase-guest ADDRESS --reason TEXT [--yes]'

/** `erase-guest`: everything about the mailbox of a guest. */
const eraseGuestCommand: Command = (args) => {
  const line = readArguments(args, { usage: eraseGuestUsage, given: 1, values: ['--reason'], flags: ['--yes'] })
  const address = parseEmailAddress(line.given[0] ?? '')
  if (address === undefined) throw new UsageError(`${eraseGuestUsage}; ADDRESS is one email address`)
  const reason = readReason(line, eraseGuestUsage)
  return async (context) => {
    const { db } = context
    const tokens = await tokensOf(context)
    const {
      guest_emails: emails,
      requests,
      support_messages: messages,
      account,
    } = await addressDetails({ db, tokens }, address)
    const own = account ? ` The account ${account.username} and emails about it stay: see delete-account.` : ''
    const refusal = await confirmed(context, line, {
      overview: `${address}: ${plural(requests, 'photo request')}, ${plural(emails, 'email')}, ${plural(messages, 'message')} to support.${own}`,
      question: 'Delete all of it for good?',
      again: `erase-guest ${address} --reason "..."`,
    })
    if (refusal !== undefined) return refusal
    const erased = await db.transaction().execute(async (tx) => {
      const counts = await eraseAddress(tx, tokens, address)
      // Without a subject: the log must not name who was erased.
      await record(tx, 'erase-guest', { action: 'erase guest', subject: undefined, reason })
      return counts
    })
    return `Deleted: ${plural(erased.requests, 'photo request')}, ${plural(erased.emails, 'email')}, ${plural(erased.support_messages, 'message')} to support, ${plural(erased.report_notes, 'note')} in reports.${own} A restore deletes them again. If the address has unsubscribed, that stays, under a hash.`
  }
}

/** The commands that answer a person's request: where is my email, what do you have about me, delete it. */
export const requestCommands: Record<string, Command> = {
  'find-email': findEmail,
  'find-photo': findPhoto,
  'export-account': exportAccount,
  'delete-account': deleteAccount,
  'delete-photo': deletePhoto,
  'erase-guest': eraseGuestCommand,
}
