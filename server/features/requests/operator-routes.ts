import { eraseGuest, findEmails, sendEmailAgain, type ErasedGuest } from '@keepsnap/contract/operator-guests.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { actAsOperator, recordRead, userSubject } from '../../domain/operator-actions.ts'
import { emailById } from '../../emails/find-emails.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { mailboxKey, parseEmailAddress } from '../../lib/email-address.ts'
import { addressDetails, sendAgain } from './operator-emails.ts'

const emailNotFound = (): Fault => new Fault('not_found', 'This email does not exist any more.')

type GuestOperatorDependencies = Pick<Dependencies, 'db' | 'tokens'> & {
  /** How many messages to support came from a mailbox. */
  countMessagesOf: (db: Db, mailboxKeys: string[]) => Promise<number>
  /** Erases what every feature stores about the mailbox of an address. */
  eraseGuest: (tx: Db, address: string) => Promise<ErasedGuest>
}

function readAddress(text: string): string {
  const address = parseEmailAddress(text)
  if (address === undefined) throw invalidField('address', 'Please enter a full email address.')
  return address
}

/** Emails to an address, for operators, and everything about a guest. */
export function guestOperatorRoutes(serve: Serve, deps: GuestOperatorDependencies): void {
  const { db } = deps
  serve(findEmails, async ({ query }, { actor: operator }) => {
    const address = readAddress(query.address)
    await recordRead(db, { operator, action: 'look up emails to an address', person: mailboxKey(address) })
    return addressDetails(deps, address)
  })

  serve(sendEmailAgain, async ({ params: { id }, body: { reason } }, { actor: operator }) => {
    const email = isId(id) ? await emailById(db, id) : undefined
    if (!email) throw emailNotFound()
    const subject = email.account ? await userSubject(db, email.account.id) : undefined
    const action = `send email again (${email.kind})`
    await actAsOperator(db, { operator, action, subject, reason }, async (tx) => {
      const outcome = await sendAgain(tx, id)
      if (outcome === 'no email') throw emailNotFound()
      if (outcome === 'being sent') throw new Fault('conflict', 'This email is being sent at this moment.')
    })
    const queued = await emailById(db, id)
    if (!queued) throw emailNotFound()
    return queued
  })

  serve(eraseGuest, async ({ body: { address, reason } }, { actor: operator }) => {
    const guest = readAddress(address)
    // Without a subject: the log must not name who was erased.
    return actAsOperator(db, { operator, action: 'erase guest', subject: undefined, reason }, (tx) =>
      deps.eraseGuest(tx, guest),
    )
  })
}
