import { deviceCookie, deviceCookieDays } from '@keepsnap/contract/site.ts'
import {
  createTextEncryption,
  deriveKeys,
  unsubscribeKeys,
  hmac,
  type SecretKeys,
  shortHmac,
  shortHmacLength,
  timingSafeEqualText,
} from '../../lib/cryptography.ts'
import { hashOf, isId, newId } from '../../lib/ids.ts'

/** The account of a cookie: a new password ends all cookies of before. */
export interface CookieAccount {
  id: string
  password_hash: string
}

/**
 * Device cookies, as OWASP describes them: a browser that has signed in to an account keeps a signed entry for it, which gives its
 * further sign-ins a queue and counts of their own. It is no credential. Nothing is stored about it.
 */
interface DeviceCookies {
  /** The id of a browser that this server gave any cookie; reads no database. */
  browser(cookies: string | undefined): string | undefined
  /** The id of a browser that has signed in to this account, since its password was last changed. */
  browserOf(cookies: string | undefined, account: CookieAccount): string | undefined
  /** The new value of the cookie after a sign-in to this account; it keeps those of the browser's other last accounts. */
  valueAfter(cookies: string | undefined, account: CookieAccount): string
}

interface Entry {
  text: string
  browser: string
  account: string
}

/** Accounts of one browser. */
const maxEntries = 4
const entryFormat =
  /^(?<signed>(?<browser>\w{22})\.(?<expires>\d{1,12})\.(?<account>[\w-]{22}))\.(?<signature>[\w-]{22})$/

export function createDeviceCookies(secretKeys: SecretKeys, now: () => number = Date.now): DeviceCookies {
  const keys = deriveKeys(secretKeys, 'keepsnap device cookies')
  const accountTag = (key: Buffer, { id, password_hash: hash }: CookieAccount): string =>
    shortHmac(key, `account ${id} ${hash}`)
  const entriesIn = (cookies = ''): Entry[] => {
    const prefix = `${deviceCookie}=`
    const value = cookies
      .split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(prefix))
    const texts = value?.slice(prefix.length).split('~', maxEntries) ?? []
    return texts.flatMap((text) => {
      const { signed = '', browser = '', expires, account = '', signature = '' } = entryFormat.exec(text)?.groups ?? {}
      const isValid =
        isId(browser) &&
        Number(expires) * 1000 > now() &&
        keys.some((key) => timingSafeEqualText(shortHmac(key, signed), signature))
      return isValid ? [{ text, browser, account }] : []
    })
  }
  const isOf = (entry: Entry, account: CookieAccount): boolean =>
    keys.some((key) => timingSafeEqualText(accountTag(key, account), entry.account))
  return {
    browser: (cookies) => entriesIn(cookies)[0]?.browser,
    browserOf: (cookies, account) => entriesIn(cookies).find((entry) => isOf(entry, account))?.browser,
    valueAfter(cookies, account) {
      const entries = entriesIn(cookies)
      const browser = entries.find((entry) => isOf(entry, account))?.browser ?? newId()
      const expires = Math.floor(now() / 1000) + deviceCookieDays * 86_400
      const signed = `${browser}.${expires}.${accountTag(keys[0], account)}`
      const others = entries.filter((entry) => !isOf(entry, account)).map(({ text }) => text)
      return [`${signed}.${shortHmac(keys[0], signed)}`, ...others].slice(0, maxEntries).join('~')
    },
  }
}

/**
 * Tokens in the links of emails. Each is derived from the secret key, so that it can be computed again for every attempt
 * to send its email, and only its hash has to be stored.
 */
export interface Tokens {
  /** The token of a photo request's link: 256 bits. Every attempt to send its email, also a manual one, has the same link. */
  grant(requestId: string): string
  /**
   * The token of a link about an account, 256 bits; `kind` keeps the three kinds of links apart. `hash`: what was stored when
   * the link was made, so that its email has the same token after the secret key was replaced.
   */
  account(kind: 'reset' | 'verify' | 'archive' | 'event-grant', id: string, hash?: Buffer): string
  /** The token with which the reader of an email unsubscribes. `mailbox` as `mailboxKey` writes it. */
  unsubscribe(mailbox: string): string
  /**
   * What a blocked mailbox may be stored under, one for each key with which it may have unsubscribed: neither the address nor
   * the token can be found from it.
   */
  mailboxHashes(mailbox: string): Buffer[]
  /** The mailbox hash that an unsubscribe token identifies; undefined if this server did not issue the token. */
  mailboxHashFromToken(token: string): Buffer | undefined
  /** A client's pseudonym, which changes daily: clients can be counted, but not identified. */
  clientPseudonym(client: string): string
  testCodes: TestCodes
  /** The links by which an operator downloads the data of an account. */
  operatorExports: TestCodes
  /** The links that complete a withdrawal from a contract, by its id. */
  withdrawals: TestCodes
  /** The links that let guests who gave an address download all photos of an event, by its code. */
  guestArchives: TestCodes
  deviceCookies: DeviceCookies
  /** Tokens of photos in the guest gallery of a code: their ids, encrypted for this code alone. */
  galleryPhotos(code: string): ReturnType<typeof createTextEncryption>
  /** By which phones tell photos of one event from those of others. It opens nothing, and the event cannot be found from it. */
  eventMark(eventId: string): string
}

/** An unsubscribe token is an id of the mailbox and its signature: nothing is stored before somebody unsubscribes. */
function createUnsubscribeTokens(
  secretKeys: SecretKeys,
): Pick<Tokens, 'unsubscribe' | 'mailboxHashes' | 'mailboxHashFromToken'> {
  const [current, ...accepted] = unsubscribeKeys(secretKeys)
  const keys = [current, ...accepted, ...secretKeys.formerUnsubscribeKeys]
  const tokenFormat = new RegExp(`^[\\w-]{${2 * shortHmacLength}}$`)
  const mailboxIdOf = (key: Buffer, mailbox: string): string => shortHmac(key, `mailbox.${mailbox}`)
  const signedMailboxId = (key: Buffer, id: string): string => id + shortHmac(key, `id.${id}`)
  return {
    unsubscribe: (mailbox) => signedMailboxId(current, mailboxIdOf(current, mailbox)),
    mailboxHashes: (mailbox) => keys.map((key) => hashOf(mailboxIdOf(key, mailbox))),
    mailboxHashFromToken(token) {
      if (!tokenFormat.test(token)) return undefined
      const id = token.slice(0, shortHmacLength)
      return keys.some((key) => timingSafeEqualText(signedMailboxId(key, id), token)) ? hashOf(id) : undefined
    },
  }
}

export function createTokens(secretKeys: SecretKeys): Tokens {
  const [grantKey] = deriveKeys(secretKeys, 'keepsnap grants')
  const accountKeys = deriveKeys(secretKeys, 'keepsnap accounts')
  const galleryKeys = deriveKeys(secretKeys, 'keepsnap guest galleries')
  const [markKey] = deriveKeys(secretKeys, 'keepsnap marks of events')
  const [pseudonymKey] = deriveKeys(secretKeys, 'keepsnap image addresses')
  return {
    grant: (requestId) => hmac(grantKey, requestId),
    account(kind, id, hash) {
      const tokenOf = (key: Buffer): string => hmac(key, `${kind}.${id}`)
      const signingKey = hash && accountKeys.find((key) => hashOf(tokenOf(key)).equals(hash))
      return tokenOf(signingKey ?? accountKeys[0])
    },
    clientPseudonym: (client) => shortHmac(pseudonymKey, `client ${client} ${new Date().toISOString().slice(0, 10)}`),
    ...createUnsubscribeTokens(secretKeys),
    testCodes: createTestCodes(secretKeys),
    operatorExports: createTestCodes(secretKeys, 'keepsnap operator exports'),
    withdrawals: createTestCodes(secretKeys, 'keepsnap withdrawals'),
    guestArchives: createTestCodes(secretKeys, 'keepsnap guest archives'),
    deviceCookies: createDeviceCookies(secretKeys),
    galleryPhotos: (code) => createTextEncryption(galleryKeys, code),
    eventMark: (eventId) => shortHmac(markKey, eventId),
  }
}

/** Signed tokens that contain an account and their expiry, so that nothing has to be stored: for codes that owners scan as a test. */
interface TestCodes {
  /** `expiresAt` in whole seconds since 1970. */
  token(userId: string, expiresAt: number): string
  /** The owner and expiry of a token; undefined if this server did not issue it. Does not check the expiry. */
  read(token: string): { userId: string; expiresAt: number } | undefined
}

const tokenFormat = /^([0-9A-Za-z]{22})\.(\d{1,12})\.([\w-]{22})$/

export function createTestCodes(secretKeys: SecretKeys, purpose = 'keepsnap test codes'): TestCodes {
  const keys = deriveKeys(secretKeys, purpose)
  const sign = (key: Buffer, userId: string, expiresAt: number): string => shortHmac(key, `${userId}.${expiresAt}`)
  return {
    token: (userId, expiresAt) => `${userId}.${expiresAt}.${sign(keys[0], userId, expiresAt)}`,
    read(token) {
      const [, userId = '', expiry = '', signature = ''] = tokenFormat.exec(token) ?? []
      const expiresAt = Number(expiry)
      if (userId === '' || !keys.some((key) => timingSafeEqualText(sign(key, userId, expiresAt), signature)))
        return undefined
      return { userId, expiresAt }
    },
  }
}
