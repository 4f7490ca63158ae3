import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import sharp from 'sharp'
import { publicUrl, type OldProgramRequest, type OldProgram } from './old-program.ts'

/** A user of the fixture. Passwords and tokens are test values. */
export interface Account {
  email: string
  password: string
  token: string
}

/** What is being made: the program, its users, and the URLs that it has given out, by what they are. */
export interface Seeding {
  program: OldProgram
  accounts: Record<'ada' | 'ben' | 'cleo' | 'dan' | 'eve', Account>
  urls: Map<string, string>
}

const waitMs = 60_000

/** Reads again and again until there is a value. */
export async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + waitMs; Date.now() < end; await delay(100)) {
    const value = await read()
    if (value !== undefined) return value
  }
  throw new Error(`timed out waiting for ${what}`)
}

/** Waits until no job is due. */
export const untilIdle = ({ query }: OldProgram): Promise<unknown> =>
  until('all jobs', async () => {
    const jobs = await query('select 1 from graphile_worker.jobs where run_at <= now() and attempts < max_attempts')
    return jobs.length === 0 || undefined
  })

/** Calls the program; throws when the answer is not a success. */
export async function callProgram<Reply>({ call }: OldProgram, what: OldProgramRequest): Promise<Reply> {
  const answer = await call(what)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${what.method ?? 'GET'} ${what.url} answered ${answer.status}: ${text}`)
  return (answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined) as Reply // named by the caller, as in the contract
}

export const colour = (side: number, background: string) =>
  sharp({ create: { width: side, height: side, channels: 3, background } })
export const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

/** A file as the web app sends it. */
export function formWith(file: Buffer, name: string): FormData {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(file)], name))
  return form
}

let uploads = 0
/** Uploads a photo under a name by which the test finds it; its id. */
export async function uploadNamedPhoto(
  { program }: Seeding,
  { token }: Account,
  { name, file, key }: { name: string; file?: Buffer; key?: string },
): Promise<string> {
  const body = formWith(
    file ??
      (await colour(64, `hsl(${(++uploads * 40) % 360}, 50%, 50%)`)
        .jpeg()
        .toBuffer()),
    `${name}.jpg`,
  )
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const { id } = await callProgram<{ id: string }>(program, {
    method: 'POST',
    url: '/photos/upload',
    token,
    headers,
    body,
  })
  return id
}

/** A URL below `path` that was mailed to an address. */
export const mailedUrl = ({ program }: Seeding, to: string, path: string): Promise<string> =>
  until(`an email to ${to} with ${path}`, async () => {
    const outbox = join(program.dataDir, 'outbox')
    const files = (await readdir(outbox)).filter((name) => name.endsWith('.eml'))
    const emails = await Promise.all(files.map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))))
    const texts = emails.filter((email) => email.to?.[0]?.address === to).map(({ text = '' }) => text)
    const urls = texts.flatMap((text) => text.match(/http:\/\/photos\.test\/[\w/?=-]+/g) ?? [])
    return urls.find((url) => url.startsWith(publicUrl + path))
  })

let guests = 0
/** A guest asks for a photo, each from a network of their own. */
export const requestPhotoAsGuest = ({ program }: Seeding, photoId: string, guest: string): Promise<void> =>
  callProgram(program, {
    method: 'POST',
    url: `/photos/${photoId}/request-email`,
    from: `10.0.1.${++guests}`,
    body: { email: `${guest}@guest.test` },
  })

type View = Record<string, string | number | boolean | null>

/** Notes all URLs of an account's photos and brand, as they are now. */
export async function recordUrls({ program, urls }: Seeding, { email, token }: Account, when: string): Promise<void> {
  const me = await callProgram<View>(program, { url: '/user/me', token })
  const photos = await callProgram<View[]>(program, { url: '/photos', token })
  const printed = photos.map(({ id, filename, qr_code_url: code }) => ({
    filename,
    'direct code': `${publicUrl}/d/${String(code).split('/').at(-1)}`,
    'request page': `${publicUrl}/request-photo/${id}`,
    'public facts': `${publicUrl}/photos/${id}/public`,
  }))
  for (const view of [me, ...photos, ...printed])
    for (const [what, url] of Object.entries(view))
      if (typeof url === 'string' && url.startsWith(publicUrl))
        urls.set(`${what} of ${view['filename'] ?? email}, ${when}`, url)
}
