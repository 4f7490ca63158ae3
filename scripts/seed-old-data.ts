/** Fills the program of an earlier commit with accounts, photos, emails and queued jobs. For `dump-old-data.ts`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OldProgramRequest, OldProgram } from '../server/test/old-data/old-program.ts'
import {
  callProgram,
  colour,
  formWith,
  mailedUrl,
  noise,
  recordUrls,
  requestPhotoAsGuest,
  until,
  untilIdle,
  uploadNamedPhoto,
  type Account,
  type Seeding,
} from '../server/test/old-data/seeding.ts'
import { startMailServer } from '../server/test/smtp-server.ts'

/** Emails to guests that an account without a confirmed email address may send in a day. */
const unverifiedPerDay = 20

/** Calls of a signed-in user. */
const apiCallsOf = ({ program }: Seeding, { token }: Account) => {
  const post = (url: string, body: object): Promise<unknown> =>
    callProgram(program, { method: 'POST', url, token, body })
  return {
    post,
    set: (body: object): Promise<unknown> =>
      callProgram(program, { method: 'PUT', url: '/user/settings', token, body }),
    remove: (url: string, body?: object): Promise<unknown> =>
      callProgram(program, { method: 'DELETE', url, token, ...(body && { body }) }),
    uploadBrand: async (what: 'logo' | 'background', background: string): Promise<unknown> =>
      post(`/upload-${what}`, formWith(await colour(32, background).png().toBuffer(), `${what}.png`)),
  }
}

async function register(program: OldProgram): Promise<Seeding> {
  const open = async (name: string, from: string): Promise<Account> => {
    const credentials = { email: `${name}@example.com`, password: `Correct.Horse.9.${name}` }
    const call: OldProgramRequest = { method: 'POST', url: '/register', from, body: credentials }
    const { access_token: token } = await callProgram<{ access_token: string }>(program, call)
    return { ...credentials, token }
  }
  const accounts = {
    ada: await open('ada', '10.0.0.1'),
    ben: await open('ben', '10.0.0.2'),
    cleo: await open('cleo', '10.0.0.3'),
    dan: await open('dan', '10.0.0.4'),
    eve: await open('eve', '10.0.0.5'),
  }
  await program.operate('grant-plan', accounts.ada.email, 'pro_yearly')
  await program.operate('grant-plan', accounts.cleo.email, 'pro_monthly', '--until', '2126-12-31')
  await program.operate('grant-admin', accounts.cleo.email)
  return { program, accounts, urls: new Map() }
}

/** Ada pays, has confirmed her email address, and has photos in every final state. */
async function seedAda(seeding: Seeding): Promise<Record<'complete' | 'kept' | 'hidden' | 'gone' | 'deleted', string>> {
  const { program, accounts, urls } = seeding
  const { ada } = accounts
  const token = new URL(await mailedUrl(seeding, ada.email, '/verify-email')).searchParams.get('token')
  await apiCallsOf(seeding, ada).post('/verify-email', { token })
  await apiCallsOf(seeding, ada).set({ allow_marketing_emails: true, allow_promotional_emails: true })
  await apiCallsOf(seeding, ada).set({ allow_promotional_emails: false })
  const ids = {
    complete: await uploadNamedPhoto(seeding, ada, { name: 'complete', key: 'a-complete-upload' }),
    kept: await uploadNamedPhoto(seeding, ada, { name: 'kept' }),
    hidden: await uploadNamedPhoto(seeding, ada, { name: 'hidden' }),
    gone: await uploadNamedPhoto(seeding, ada, { name: 'gone' }),
    deleted: await uploadNamedPhoto(seeding, ada, { name: 'deleted' }),
  }
  const whole = await noise(64).jpeg().toBuffer()
  await uploadNamedPhoto(seeding, ada, { name: 'damaged', file: whole.subarray(0, -400) })
  await apiCallsOf(seeding, ada).uploadBrand('background', '#222')
  await apiCallsOf(seeding, ada).uploadBrand('logo', '#c33')
  await apiCallsOf(seeding, ada).set({ use_logo_as_watermark: true })
  await uploadNamedPhoto(seeding, ada, { name: 'marked', file: await colour(400, '#963').jpeg().toBuffer() })
  await untilIdle(program)
  await recordUrls(seeding, ada, 'at first')
  await apiCallsOf(seeding, ada).post('/user/email', { email: 'ada-new@example.com', password: ada.password })
  urls.set('the link that changes an email address', await mailedUrl(seeding, 'ada-new@example.com', '/verify-email'))
  return ids
}

/** Guests request and report photos of Ada; she decides about the reports and asks for an archive. */
async function seedGuests(seeding: Seeding, ids: Awaited<ReturnType<typeof seedAda>>): Promise<void> {
  const { program, accounts, urls } = seeding
  const { ada } = accounts
  const asked = { guest: ids.complete, stopped: ids.kept, 'guest-of-hidden': ids.hidden, 'guest-of-gone': ids.gone }
  for (const [guest, id] of Object.entries(asked)) {
    await requestPhotoAsGuest(seeding, id, guest)
    const grant = await mailedUrl(seeding, `${guest}@guest.test`, '/g/')
    urls.set(`the grant page of ${guest}`, grant)
    urls.set(`the download of ${guest}`, `${grant}/download`)
    urls.set(`the stop page of ${guest}`, await mailedUrl(seeding, `${guest}@guest.test`, '/stop/'))
  }
  await program.call({ method: 'POST', url: await mailedUrl(seeding, 'stopped@guest.test', '/stop/') })
  for (const [id, reason] of [
    [ids.hidden, 'child'],
    [ids.kept, 'other'],
    [ids.complete, 'me'],
  ])
    await apiCallsOf(seeding, ada).post(`/photos/${id}/report`, { reason, note: `why: ${reason}` })
  await apiCallsOf(seeding, ada).post(`/photos/${ids.hidden}/decision`, { decision: 'hide' })
  await apiCallsOf(seeding, ada).post(`/photos/${ids.kept}/decision`, { decision: 'keep' })
  await apiCallsOf(seeding, ada).remove(`/photos/${ids.gone}`)
  await apiCallsOf(seeding, ada).post('/user/export', {})
  urls.set('the archive', await mailedUrl(seeding, ada.email, '/export/'))
}

/** Ben asks guests for an email address and has not confirmed his own; Cleo is an admin; Dan is deactivated; Eve leaves. */
async function seedOthers(seeding: Seeding): Promise<{ gated: string; cleos: string }> {
  const { program, accounts, urls } = seeding
  const { ben, cleo, dan, eve } = accounts
  const gated = await uploadNamedPhoto(seeding, ben, { name: 'gated' })
  await untilIdle(program)
  await recordUrls(seeding, ben, 'before the gate')
  await apiCallsOf(seeding, ben).set({ ask_email_to_receive_photo: true })
  urls.set('the link that confirms an email address', await mailedUrl(seeding, ben.email, '/verify-email'))
  await apiCallsOf(seeding, ben).post('/request-password-reset', { email: ben.email })
  urls.set('the link that resets a password', await mailedUrl(seeding, ben.email, '/reset-password'))
  await apiCallsOf(seeding, cleo).uploadBrand('logo', '#3c3')
  await apiCallsOf(seeding, cleo).uploadBrand('background', '#333')
  const cleos = await uploadNamedPhoto(seeding, cleo, {
    name: 'to-be-marked',
    file: await colour(400, '#396').jpeg().toBuffer(),
  })
  await uploadNamedPhoto(seeding, dan, { name: 'of-a-deactivated-account' })
  const ofEve = await uploadNamedPhoto(seeding, eve, { name: 'of-a-deleted-account' })
  await untilIdle(program)
  await requestPhotoAsGuest(seeding, ofEve, 'guest-of-deleted')
  urls.set('the grant page of guest-of-deleted', await mailedUrl(seeding, 'guest-of-deleted@guest.test', '/g/'))
  for (const account of [cleo, dan, eve]) await recordUrls(seeding, account, 'at first')
  await program.operate('deactivate', dan.email)
  return { gated, cleos }
}

/** Emails by SMTP: sent, refused, held until Ben confirms his email address, waiting for a limit and for the server. */
async function seedEmails(
  seeding: Seeding,
  photos: Record<'gated' | 'cleos' | 'complete' | 'kept', string>,
): Promise<void> {
  const { program, accounts } = seeding
  const server = await startMailServer(() => {})
  server.rules.recipient = (to) => (to.startsWith('refused@') ? { code: 550, text: '5.1.1 no such user' } : undefined)
  await program.serve([], { SMTP_URL: `smtp://127.0.0.1:${server.port}` })
  for (let n = 0; n < unverifiedPerDay; n++) await requestPhotoAsGuest(seeding, photos.gated, `crowd-${n}`)
  await requestPhotoAsGuest(seeding, photos.complete, 'refused')
  for (const id of [photos.complete, photos.kept, photos.cleos, photos.gated]) {
    await untilIdle(program)
    await requestPhotoAsGuest(seeding, id, 'often')
  }
  await requestPhotoAsGuest(seeding, photos.gated, 'held')
  await untilIdle(program)
  await server.stop()
  await requestPhotoAsGuest(seeding, photos.complete, 'unreachable')
  await apiCallsOf(seeding, accounts.ben).post('/user/export', {})
  await untilIdle(program)
}

/** Adds the scheduled jobs as graphile-worker does when they are due. */
const addScheduledJobs = `
  select graphile_worker.add_job(name, payload => json_build_object('_cron', json_build_object('ts', now(), 'backfilled', false)),
    max_attempts => 1, job_key => name)
  from unnest(array['sweep', 'wake-letters', 'compare-storage']) as name`

/** Starts an upload and sends only the first half of it. Its row has expired, as after a restart of the program. */
async function interruptUpload({ program, accounts }: Seeding): Promise<AbortController> {
  const form = new Response(formWith(await noise(64).jpeg().toBuffer(), 'interrupted.jpg'))
  const type = form.headers.get('content-type') ?? ''
  const body = Buffer.from(await form.arrayBuffer())
  const interrupted = new AbortController()
  const firstHalf = new ReadableStream({ start: (stream) => stream.enqueue(body.subarray(0, body.length / 2)) })
  const call = { method: 'POST', url: '/photos/upload', token: accounts.ada.token, body: firstHalf } as const
  const headers = { 'content-type': type, 'idempotency-key': 'an-interrupted-upload' }
  program.call({ ...call, headers, signal: interrupted.signal }).catch(() => {})
  await until('half an upload', async () => (await program.query("select 1 from photos where state = 'receiving'"))[0])
  await program.query("update photos set expires_at = now() where state = 'receiving'")
  return interrupted
}

/** Queues at least one job of every kind while no worker runs. */
async function seedJobs(seeding: Seeding, { complete, deleted }: { complete: string; deleted: string }): Promise<void> {
  const { program, accounts } = seeding
  const { ada, cleo, eve } = accounts
  await program.serve(['--no-work'])
  await uploadNamedPhoto(seeding, ada, { name: 'queued' })
  await apiCallsOf(seeding, ada).remove(`/photos/${deleted}`)
  await requestPhotoAsGuest(seeding, complete, 'queued')
  await apiCallsOf(seeding, cleo).post('/user/watermark', { what: 'apply' })
  await apiCallsOf(seeding, cleo).uploadBrand('background', '#666')
  await apiCallsOf(seeding, cleo).post('/user/verification', {})
  await apiCallsOf(seeding, cleo).post('/request-password-reset', { email: cleo.email })
  await apiCallsOf(seeding, cleo).post('/user/export', {})
  await apiCallsOf(seeding, eve).remove('/user', { password: eve.password })
  const stray = join(program.dataDir, 'files/full/st')
  await mkdir(stray, { recursive: true })
  await writeFile(join(stray, 'strayFileOfNobodyAtAll'), 'a file that no row names')
  await program.query(addScheduledJobs)
}

/** Creates all data. Afterwards the program runs without a worker. Abort `interrupted` after copying the data. */
export async function seedOldProgram(program: OldProgram): Promise<{ seeding: Seeding; interrupted: AbortController }> {
  await program.serve()
  const seeding = await register(program)
  const ids = await seedAda(seeding)
  await seedGuests(seeding, ids)
  const others = await seedOthers(seeding)
  await seedEmails(seeding, { ...ids, ...others })
  await seedJobs(seeding, ids)
  const { ada, ben, cleo } = seeding.accounts
  for (const account of [ada, ben, cleo]) await recordUrls(seeding, account, 'in the end')
  return { seeding, interrupted: await interruptUpload(seeding) }
}
