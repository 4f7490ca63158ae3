import { deviceCookie, deviceCookieDays } from '@keepsnap/contract/browser-storage.ts'
import { shortHmac, timingSafeEqualText } from '../lib/hmac.ts'
import { isId, newId } from '../lib/ids.ts'
import { deriveKeys, type SecretKeys } from '../lib/secret-keys.ts'

/** The account of a cookie: a new password ends all cookies of before. */
export interface CookieAccount {
  id: string
  password_hash: string
}

/**
 * Device cookies, as OWASP describes them: a browser that has signed in to an account keeps a signed entry for it, which gives its
 * further sign-ins a queue and counts of their own. It is no credential. Nothing is stored about it.
 */
export interface DeviceCookies {
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
