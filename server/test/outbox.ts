import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import type { TestServer } from './harness.ts'

/** Emails that went into the outbox to an address, oldest first. */
export async function emailsTo({ dir }: Pick<TestServer, 'dir'>, to: string): Promise<Email[]> {
  const folder = join(dir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { at: (await stat(path)).mtimeMs, mail: await PostalMime.parse(await readFile(path)) }
    }),
  )
  return files
    .toSorted((a, b) => a.at - b.at)
    .map(({ mail }) => mail)
    .filter((mail) => mail.to?.some(({ address }) => address === to))
}

/** The secret of the link in an email; undefined when it has no such link. */
const secretIn = (
  { text = '' }: Email,
  path: '/reset-password?token=' | '/verify-email?token=' | '/export/' | '/a/',
): string | undefined => {
  const after = text.split(`http://photos.test${path}`)[1]
  return after && /^[\w-]{43}/.exec(after)?.[0]
}

/** The newest such secret that went to an address. */
export async function newestSecret(
  server: Pick<TestServer, 'dir'>,
  to: string,
  path: Parameters<typeof secretIn>[1],
): Promise<string> {
  const secrets = (await emailsTo(server, to)).flatMap((email) => secretIn(email, path) ?? [])
  const newest = secrets.at(-1)
  if (newest === undefined) throw new Error(`no email to ${to} has a link to ${path}`)
  return newest
}
