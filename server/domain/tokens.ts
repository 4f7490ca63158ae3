import { deriveKey, hmac, isSameText, shortHmac, shortHmacLength } from '../lib/hmac.ts'
import { hashOf } from '../lib/ids.ts'
import { createTestCodes, type TestCodes } from './test-codes.ts'

/**
 * Tokens in the links of emails. Each is derived from the secret key, so that it can be computed again for every attempt
 * to send its email, and only its hash has to be stored.
 */
export interface Tokens {
  /** The token of a photo request's link: 256 bits. Every attempt to send its email, also a manual one, has the same link. */
  grant(requestId: string): string
  /** The token of a link about an account, 256 bits; `kind` keeps the three kinds of links apart. */
  account(kind: 'reset' | 'verify' | 'archive', id: string): string
  /** The token with which the reader of an email unsubscribes. `mailbox` as `mailboxKey` writes it. */
  unsubscribe(mailbox: string): string
  /** What a blocked mailbox is stored under: neither the address nor the token can be found from it. */
  mailboxHash(mailbox: string): Buffer
  /** The same hash by an unsubscribe token; undefined when the token was not issued by this server. */
  mailboxHashFromToken(token: string): Buffer | undefined
  /** A client's pseudonym, new each day: counts can tell clients apart, and nobody can tell who they were. */
  clientPseudonym(client: string): string
  testCodes: TestCodes
}

/** An unsubscribe token is an id of the mailbox and its signature: nothing is stored before somebody unsubscribes. */
function createUnsubscribeTokens(
  secretKey: string,
): Pick<Tokens, 'unsubscribe' | 'mailboxHash' | 'mailboxHashFromToken'> {
  const unsubscribeKey = deriveKey(secretKey, 'keepsnap stops')
  const tokenFormat = new RegExp(`^[\\w-]{${2 * shortHmacLength}}$`)
  const mailboxIdOf = (mailbox: string): string => shortHmac(unsubscribeKey, `mailbox.${mailbox}`)
  const signedMailboxId = (id: string): string => id + shortHmac(unsubscribeKey, `id.${id}`)
  return {
    unsubscribe: (mailbox) => signedMailboxId(mailboxIdOf(mailbox)),
    mailboxHash: (mailbox) => hashOf(mailboxIdOf(mailbox)),
    mailboxHashFromToken(token) {
      if (!tokenFormat.test(token)) return undefined
      const id = token.slice(0, shortHmacLength)
      return isSameText(signedMailboxId(id), token) ? hashOf(id) : undefined
    },
  }
}

export function createTokens(secretKey: string): Tokens {
  const grantKey = deriveKey(secretKey, 'keepsnap grants')
  const accountKey = deriveKey(secretKey, 'keepsnap accounts')
  const pseudonymKey = deriveKey(secretKey, 'keepsnap image addresses')
  return {
    grant: (requestId) => hmac(grantKey, requestId),
    account: (kind, id) => hmac(accountKey, `${kind}.${id}`),
    clientPseudonym: (client) => shortHmac(pseudonymKey, `client ${client} ${new Date().toISOString().slice(0, 10)}`),
    ...createUnsubscribeTokens(secretKey),
    testCodes: createTestCodes(secretKey),
  }
}
