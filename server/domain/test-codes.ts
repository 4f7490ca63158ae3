import { timingSafeEqualText, shortHmac } from '../lib/hmac.ts'
import { deriveKeys, type SecretKeys } from '../lib/secret-keys.ts'

/** Codes that owners scan as a test. The signed tokens contain owner and expiry, so that nothing has to be stored. */
export interface TestCodes {
  /** `expiresAt` in whole seconds since 1970. */
  token(userId: string, expiresAt: number): string
  /** The owner and expiry of a token; undefined if this server did not issue it. Does not check the expiry. */
  read(token: string): { userId: string; expiresAt: number } | undefined
}

const tokenFormat = /^([0-9A-Za-z]{22})\.(\d{1,12})\.([\w-]{22})$/

export function createTestCodes(secretKeys: SecretKeys): TestCodes {
  const keys = deriveKeys(secretKeys, 'keepsnap test codes')
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
