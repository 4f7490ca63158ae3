import { join } from 'node:path'
import type { HttpServer } from './http/http-types.ts'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import type { PoolConfig } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { connect } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import type { Dependencies } from './dependencies.ts'
import { createTokens } from './domain/tokens.ts'
import { createUrls } from './domain/urls.ts'
import { createMediaCache } from './domain/media-cache.ts'
import { photoView } from './domain/photos.ts'
import { createPasswords, type PasswordHashing, type Passwords } from './features/accounts/passwords.ts'
import { redeemTicket } from './features/accounts/live-tickets.ts'
import { existingSessions, touchSession } from './features/accounts/queries.ts'
import { serveFeatures } from './features/all-routes.ts'
import { createActivityCounter, type ActivityCounter } from './features/insights/activity-counter.ts'
import { registerProvider } from './features/billing/register-provider.ts'
import { health } from './features/health/routes.ts'
import { holdOf } from './features/photos/holds.ts'
import { createPhotoReads, type PhotoReads } from './features/photos/photo-reads.ts'
import { createSpeculativeProcessing, type SpeculativeProcessing } from './features/photos/speculative-processing.ts'
import { requestOf } from './features/requests/queries.ts'
import { requestView } from './features/requests/request-view.ts'
import { createAuthenticator, type Authenticator } from './http/authenticator.ts'
import { createOrigins, type Origins } from './http/origins.ts'
import { loadGuestRenderer } from './http/guest-pages.ts'
import { serveOn } from './http/serve.ts'
import { createHttpServer } from './http/server.ts'
import { acceptWebSockets } from './http/web-socket.ts'
import { serveWebApp } from './http/web-app.ts'
import { createJobHandlers } from './job-handlers.ts'
import { imageProcessCount, createLazyImagePool } from './runtime/lazy-image-pool.ts'
import type { ImagePool } from './images/sandbox/image-pool.ts'
import { startWorker } from './jobs/worker.ts'
import { openPayments } from './open-payments.ts'
import type { ShutdownStep } from './runtime/shutdown.ts'
import { createBus, publish } from './live/bus.ts'
import { createHub, type Hub } from './live/hub.ts'
import { createProcessFolder } from './runtime/process-folder.ts'
import { isMailOff } from './ports/mail/mail-settings.ts'
import type { Mail } from './ports/mail/mail.ts'
import { outboxMail } from './ports/mail/outbox.ts'
import { smtpMail } from './ports/mail/smtp.ts'
import { diskStorage } from './ports/storage/disk.ts'
import type { Storage } from './ports/storage/storage.ts'
import { loadSecretKey } from './runtime/secret-key.ts'

/** The running program, and the steps that stop it. */
export interface App {
  deps: Dependencies & { speculative: SpeculativeProcessing }
  /** Undefined on nodes that only run jobs. */
  http: HttpServer | undefined
  images: ImagePool | undefined
  /** In the order of closing. */
  shutdownSteps: ShutdownStep[]
}

export interface AppOptions {
  config: Config
  log: Logger
  database: PoolConfig
  /** Whether this node serves HTTP, runs jobs, or both. */
  parts: { serve: boolean; work: boolean }
  /** The built web app. */
  webDist: string
  /** The built renderer of guest pages and emails. */
  guestRenderer: string
  /** The image processes of the caller; otherwise this node starts its own. */
  images?: () => Promise<ImagePool>
  /** The minimum duration of a guest's photo request; otherwise that of the limits. */
  minAnswerMs?: number
  /** The effort of hashing passwords; otherwise the full one. */
  passwordHashing?: Partial<PasswordHashing>
}

/** The dependencies of the API. */
type ApiDeps = Dependencies & {
  images: () => Promise<ImagePool>
  speculative: SpeculativeProcessing
  minAnswerMs: number
  passwords: Passwords
}

/** The S3 client is large, so it is loaded only when it is used. */
async function openStorage({ storage, dataDir }: Config): Promise<Storage> {
  if (storage.kind === 'disk') {
    const dir = join(dataDir, 'files')
    return diskStorage({ dir, incoming: await createProcessFolder(join(dir, 'incoming')) })
  }
  const { s3Storage } = await import('./ports/storage/s3.ts')
  return s3Storage(storage, await createProcessFolder(join(dataDir, 'spool')))
}

const openMail = async ({ mail, mailFrom, dataDir, outboxMaxBytes }: Config): Promise<Mail> =>
  mail.kind === 'smtp'
    ? smtpMail({ ...mail, name: mailFrom.address.split('@')[1] ?? 'localhost' })
    : outboxMail(join(dataDir, 'outbox'), { maxBytes: outboxMaxBytes })

async function createDependencies({
  config,
  log,
  database,
  guestRenderer,
}: AppOptions): Promise<Dependencies & { guestActivity: ActivityCounter; closeDatabase: () => Promise<void> }> {
  const { db, pool, close } = connect(database, log)
  await migrate(db, pool)
  await registerProvider({ db, log }, config.payments)
  const { payments, demo } = await openPayments(config, db)
  const storage = await openStorage(config)
  const mail = await openMail(config)
  const secretKey = await loadSecretKey(config.secretKey, config.dataDir)
  const [urls, tokens] = [createUrls(config.publicUrl, secretKey), createTokens(secretKey)]
  const bus = createBus(database, log)
  const mediaCache = createMediaCache({ db, pool, bus })
  const guestActivity = createActivityCounter({ db, log })
  return {
    config,
    log,
    db,
    pool,
    storage,
    mail,
    payments,
    demoPayments: demo,
    urls,
    tokens,
    bus,
    mediaCache,
    guestActivity,
    guestRenderer: await loadGuestRenderer(guestRenderer),
    closeDatabase: close,
  }
}

/** Accepts this node's WebSockets and connects them to the event bus. */
function acceptLiveConnections(
  http: HttpServer,
  {
    deps,
    authenticator,
    origins,
  }: { deps: Dependencies & { photoReads: PhotoReads }; authenticator: Authenticator; origins: Origins },
): Hub {
  const { db, bus, log, urls, photoReads } = deps
  const viewPhoto = photoView(urls)
  const viewRequest = requestView(urls, { outbox: deps.mail.kind === 'outbox' })
  const isUserFlagSet = async (userId: string, column: 'is_active' | 'is_admin'): Promise<boolean> =>
    (await db.selectFrom('users').select(`${column} as yes`).where('id', '=', userId).executeTakeFirst())?.yes ?? false
  const hub = createHub({
    bus,
    log,
    queries: {
      latestPhoto: async (userId) => photoReads.latest(userId).then((row) => row && viewPhoto(row)),
      photo: async (userId, id) => photoReads.one(userId, id).then((row) => row && viewPhoto(row)),
      request: async (userId, id) => requestOf(db, userId, id).then((row) => row && viewRequest(row)),
      hold: (userId) => holdOf(db, userId),
      isActive: (userId) => isUserFlagSet(userId, 'is_active'),
      liveSessions: (hashes) => existingSessions(db, hashes),
    },
  })
  acceptWebSockets(http, {
    hub,
    origins,
    log,
    actorOf: async (token) => (await redeemTicket(db, token)) ?? authenticator.actorOf(token),
    isAdmin: (userId) => isUserFlagSet(userId, 'is_admin'),
    sendTest: (userId) => publish(db, { kind: 'test', user: userId }),
  })
  return hub
}

async function createApi(deps: ApiDeps, webDist: string): Promise<{ http: HttpServer; shutdownSteps: ShutdownStep[] }> {
  const { config, log, db, bus } = deps
  let isShuttingDown = false
  const origins = createOrigins(config.publicUrl, config.allowedOrigins, () => {
    const address = http.server.address()
    return typeof address === 'object' && address ? address.port : config.port
  })
  const http = createHttpServer({ config, origins, log })
  const authenticator = createAuthenticator({ db, bus, touchSession: (hash) => touchSession(db, hash) })
  const serve = serveOn(http, { authenticator, db })

  health(serve, { ...deps, isStopping: () => isShuttingDown, isMailOff: isMailOff(config) })
  const photoReads = createPhotoReads(db, deps.pool)
  serveFeatures(serve, { ...deps, photoReads, authenticator, origins })
  const hub = acceptLiveConnections(http, { deps: { ...deps, photoReads }, authenticator, origins })
  await serveWebApp(http, { dist: webDist, publicUrl: config.publicUrl })
  return {
    http,
    shutdownSteps: [
      { name: 'readiness', timeoutMs: 1_000, close: () => void (isShuttingDown = true) },
      { name: 'WebSockets', timeoutMs: 5_000, close: () => hub.close() },
      { name: 'requests in progress', timeoutMs: 15_000, close: () => http.close() },
    ],
  }
}

async function createJobRunner(
  deps: Dependencies & { speculative: SpeculativeProcessing },
  { images, database }: { images: ImagePool; database: PoolConfig },
): Promise<{ images: ImagePool; shutdownSteps: ShutdownStep[] }> {
  const { config, log, db, pool } = deps
  const imageProcesses = imageProcessCount(config)
  // 1.5 jobs per image process: loading and storing need none.
  const photoConcurrency = imageProcesses + Math.ceil(imageProcesses / 2)
  deps.speculative.useImages(images)
  const handlers = createJobHandlers(deps, images)
  const worker = await startWorker({ db, pool, database, log, handlers, photoConcurrency })
  return {
    images,
    shutdownSteps: [{ name: 'jobs in progress', timeoutMs: 20_000, close: () => worker.close() }],
  }
}

/** Creates every part of the program and connects them; the only place that does. Nothing listens yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const { closeDatabase, ...sharedDependencies } = await createDependencies(options)
  const deps = { ...sharedDependencies, speculative: createSpeculativeProcessing() }
  const images = createLazyImagePool(deps)
  const getImages = options.images ?? images.get
  const { minAnswerMs = emailLimits.minAnswerMs } = options
  const httpApi = options.parts.serve
    ? await createApi(
        { ...deps, images: getImages, minAnswerMs, passwords: await createPasswords(options.passwordHashing) },
        options.webDist,
      )
    : undefined
  const { database, parts } = options
  const jobRunner = parts.work ? await createJobRunner(deps, { images: await getImages(), database }) : undefined
  return {
    deps,
    http: httpApi?.http,
    images: jobRunner?.images,
    shutdownSteps: [
      ...(httpApi?.shutdownSteps ?? []),
      ...(jobRunner?.shutdownSteps ?? []),
      { name: 'image processes', timeoutMs: 2_000, close: () => images.close() },
      { name: 'guest activity counters', timeoutMs: 2_000, close: () => deps.guestActivity.close() },
      { name: 'mail', timeoutMs: 1_000, close: () => deps.mail.close() },
      { name: 'event bus', timeoutMs: 1_000, close: () => deps.bus.close() },
      { name: 'database connections', timeoutMs: 5_000, close: closeDatabase },
    ],
  }
}
