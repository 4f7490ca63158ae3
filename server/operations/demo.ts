import { join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { webhookLimits } from '@keepsnap/contract/limits.ts'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db/connect.ts'
import { changeAccount } from '../features/accounts/operator-changes.ts'
import { newSigningSecret } from '../features/integrations/webhook-deliveries.ts'
import { newId } from '../lib/ids.ts'
import { isPrivateUrl } from '../lib/private-url.ts'
import type { DatabaseConnection } from '../platform/postgres/open-database.ts'
import { shutDown, waitForShutdown } from '../platform/process/shutdown.ts'
import { StartupError } from '../faults.ts'
import {
  addAccounts,
  addPaidPlans,
  callApi,
  type DemoAccount,
  type DemoAccounts,
  type FillContext,
  people,
  personNames,
  refuseUsedDatabase,
} from './demo-accounts.ts'
import { addEvents, addHours } from './demo-events.ts'
import { addHistory } from './demo-history.ts'
import {
  type DemoPhoto,
  planPhotos,
  readPicture,
  uploadDamagedPhoto,
  uploadPhotos,
  waitUntilProcessed,
} from './demo-photos.ts'

interface DemoContext {
  config: Config
  log: Logger
  db: Db
  database: DatabaseConnection['database']
  reportProgress(progress: string): void
}

/** Throws for a site on the internet and for real payments, where invented accounts must not exist. */
export function refusePublicSite({ publicUrl, payments }: Config): void {
  if (!isPrivateUrl(publicUrl))
    throw new StartupError(
      `demo is only for a machine or a network of your own, and PUBLIC_URL is ${publicUrl}. Set it to a loopback or private address, such as http://localhost:3000.`,
    )
  if (payments.kind !== 'demo')
    throw new StartupError(
      `demo needs demo payments, and payments are ${payments.kind} here. Set PAYMENTS=demo for the server and for this command.`,
    )
}

/** Uploads the studio's logo and background and turns its watermark on. Call it before the photos are uploaded. */
async function addBrand(context: FillContext, { studio: { token } }: DemoAccounts): Promise<void> {
  const logo = { bytes: await readPicture('logo.png'), name: 'lumen-logo.png', type: 'image/png' }
  await callApi(context, token, { method: 'POST', url: '/upload-logo', file: logo })
  const background = { bytes: await readPicture('background.jpg'), name: 'lumen-background.jpg', type: 'image/jpeg' }
  await callApi(context, token, { method: 'POST', url: '/upload-background', file: background })
  await callApi(context, token, { method: 'PUT', url: '/user/settings', body: { use_logo_as_watermark: true } })
}

/** Uploads the photos that guests see, and one that cannot be processed. */
async function addPhotos(
  context: FillContext,
  accounts: DemoAccounts,
  now: Date,
): Promise<{ ready: DemoPhoto[]; damaged: DemoPhoto[] }> {
  const planned = planPhotos(now, context.size)
  context.reportProgress(`Uploading ${planned.length} photos ...`)
  const ready = await uploadPhotos(context, accounts, planned)
  // The damaged one follows a recent one of the studio, not the newest, which the big screen shows.
  const [, , , before] = planned
    .filter(({ owner }) => owner === 'studio')
    .toSorted((one, other) => other.takenAt.getTime() - one.takenAt.getTime())
  const damaged = before ? [await uploadDamagedPhoto(context, accounts, before)] : []
  await context.waitUntilProcessed()
  return { ready, damaged }
}

function reportOf({ publicUrl, deps: { config } }: FillContext, accounts: DemoAccounts, photos: number): string {
  const lines = personNames.map((name) => {
    const { email, password } = accounts[name]
    return `  ${email.padEnd(28)} ${password}   ${people[name].situation}`
  })
  const folder = config.databaseUrl === undefined ? `the folder ${config.dataDir}` : 'the database of DATABASE_URL'
  return [
    `Filled with ${photos} photos. Sign in at ${publicUrl}/login with an email address and its password; they are shown this once:`,
    ...lines,
    'None of them is an admin: grant-admin EMAIL makes one. No email is ever sent to addresses that end in .example.',
    `To remove everything, stop the server and delete ${folder}.`,
  ].join('\n')
}

/** Fills an empty instance so that every screen has content; resolves to the text for the operator, with passwords. */
export async function fillInstance(context: FillContext): Promise<string> {
  const { deps, reportProgress, signal } = context
  const now = new Date()
  const accounts = await addAccounts(deps, context.passwordHashing)
  reportProgress(`Made ${personNames.length} accounts.`)
  await addPaidPlans(context, accounts)
  await addBrand(context, accounts)
  const { ready, damaged } = await addPhotos(context, accounts, now)
  signal.throwIfAborted()
  reportProgress('Adding guests, requests and reports of the last weeks ...')
  await addIntegrations(context, accounts.studio, ready)
  const events = await addEvents(context, accounts.studio, { photos: ready, now })
  await addHistory(deps.db, { photos: ready, damaged, accounts, now })
  await addHours(context, events)
  await changeAccount(deps.db, accounts.closed.email, { is_active: false })
  return reportOf(context, accounts, ready.length + damaged.length)
}

const interrupted =
  'Interrupted: some of the accounts and photos exist, without passwords to sign in. Stop the server, delete the data folder (or empty the database of DATABASE_URL), and run demo again.'

/** The app without a listening socket; a server may be running on the same database. */
const openApp = ({ config, log, database }: DemoContext) =>
  createApp({
    config,
    log,
    database,
    parts: { serve: true, work: true },
    webDist: join(import.meta.dirname, '../../web/dist'),
    guestRenderer: join(import.meta.dirname, '../../web/dist-guest/guest.js'),
    webPages: join(import.meta.dirname, '../../web/dist-pages/pages.js'),
  })

export async function runDemo(context: DemoContext): Promise<string> {
  const { config, log, db, reportProgress } = context
  refusePublicSite(config)
  await refuseUsedDatabase(db)
  const stop = new AbortController()
  const stopped = waitForShutdown(config.parentPid, () => process.exit(1))
  void stopped.then(() => stop.abort(new StartupError(interrupted)))
  const { deps, http, shutdownSteps } = await openApp(context)
  try {
    if (!http) throw new Error('the program has no API')
    const { signal } = stop
    const fillContext = { deps, http, publicUrl: config.publicUrl, signal, reportProgress }
    return await fillInstance({ ...fillContext, waitUntilProcessed: () => waitUntilProcessed(db, signal) })
  } catch (error) {
    // After an interruption, any error is a consequence of it.
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    await shutDown(shutdownSteps, log)
  }
}

/** Creates two API keys, one of them used five hours ago. Their full values are discarded. */
async function addKeys(context: FillContext, { id, token }: DemoAccount): Promise<void> {
  for (const body of [{ name: 'Booth 1 (barn)' }, { name: 'Booth 2 (rental)', expires_in_days: 90 }])
    await callApi(context, token, { method: 'POST', url: '/api/keys', body })
  await sql`
    update api_keys set created_at = now() - interval '40 days',
      last_used_at = case when expires_at is null then now() - interval '5 hours' end
    where user_id = ${id}`.execute(context.deps.db)
}

/** Adds a finished webhook delivery and its only attempt. */
async function addDelivery(tx: Db, webhookId: string, photo: DemoPhoto): Promise<void> {
  const [id, messageId] = [newId(), `msg_${newId()}`]
  const isFailed = photo.filename.endsWith('7.jpg')
  const data = { photo_id: photo.id, filename: photo.filename, created_at: photo.takenAt.toISOString() }
  const body = JSON.stringify({ type: 'photo.ready', timestamp: photo.takenAt.toISOString(), data })
  await sql`
    insert into webhook_deliveries (id, webhook_id, message_id, type, body, state, attempts, created_at, give_up_at, finished_at)
    values (${id}, ${webhookId}, ${messageId}, 'photo.ready', ${body}, ${isFailed ? 'failed' : 'delivered'}, 1, ${photo.takenAt},
      ${photo.takenAt}::timestamptz + make_interval(hours => ${webhookLimits.retryHours}), ${photo.takenAt}::timestamptz + interval '1 second')`.execute(
    tx,
  )
  await sql`
    insert into webhook_attempts (delivery_id, number, at, status, duration_ms, response)
    values (${id}, 1, ${photo.takenAt}, ${isFailed ? 503 : 200}, ${isFailed ? 1_240 : 86}, ${isFailed ? 'Service Unavailable' : '{"ok":true}'})`.execute(
    tx,
  )
}

/**
 * Inserts a webhook with a delivery log. It is disabled and its host does not exist, so nothing is ever sent to it. Not
 * created through the API, which would resolve the host.
 */
async function addWebhook({ deps }: FillContext, userId: string, photos: readonly DemoPhoto[]): Promise<void> {
  const [id, secret] = [newId(), newSigningSecret()]
  await deps.db.transaction().execute(async (tx) => {
    await sql`
      insert into webhooks (id, user_id, url, events, encrypted_secret, secret_last_four, disabled_because, disabled_at, created_at)
      values (${id}, ${userId}, 'https://hooks.lumen-booths.example/keepsnap', '{photo.ready,request.created}',
        ${deps.webhooks.secrets.encrypt(secret, id)}, ${secret.slice(-4)}, 'owner', now() - interval '2 days', now() - interval '50 days')`.execute(
      tx,
    )
    for (const photo of photos.filter(({ owner }) => owner === 'studio')) await addDelivery(tx, id, photo)
  })
}

/** What a customer with API access has: keys, and a webhook with a log of deliveries. */
async function addIntegrations(
  context: FillContext,
  account: DemoAccount,
  photos: readonly DemoPhoto[],
): Promise<void> {
  await addKeys(context, account)
  await addWebhook(context, account.id, photos)
}
