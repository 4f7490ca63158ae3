import type { Config } from '../../config.ts'
import { isSecret } from '../../lib/ids.ts'
import type { Call } from './serve.ts'

/** The secret in a cookie of a request; undefined without one. */
export function cookieSecretOf({ headers }: Call['req'], name: string): string | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((one) => one.trim())
  const secret = cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
  return isSecret(secret) ? secret : undefined
}

/** Gives a device a secret that no script reads and no page of another site sends. It works on plain http, too. `maxAge`: in seconds. */
export function setSecretCookie(
  { req, reply, config }: Pick<Call, 'req' | 'reply'> & { config: Pick<Config, 'publicUrl'> },
  { name, secret, path, maxAge }: { name: string; secret: string; path: string; maxAge: number },
): void {
  const secure = req.protocol === 'https' || config.publicUrl.startsWith('https:') ? '; Secure' : ''
  reply.header('set-cookie', `${name}=${secret}; Max-Age=${maxAge}; Path=${path}; HttpOnly; SameSite=Strict${secure}`)
}
