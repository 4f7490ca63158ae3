import type { HttpServer } from './platform/http/http-types.ts'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import type { PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { migrate, newerMigrations, refuseUnfinishedRestore } from './platform/db/migrate.ts'
import type { Config } from './config.ts'
import { connect } from './platform/db/connect.ts'
import type { Dependencies } from './dependencies.ts'
import { createTokens } from './features/accounts/tokens.ts'
import { createUrls } from './features/photos/urls.ts'
import { createMediaCache } from './features/photos/photo-access.ts'
import { createPasswords, type PasswordHashing } from './features/accounts/passwords.ts'
import { touchSession } from './features/accounts/sessions.ts'
import { createCustomerKeys } from './features/integrations/api-keys.ts'
import { adminKeyStore } from './features/operators/admin-keys.ts'
import { serveFeatures } from './features/all-routes.ts'
import { createActivityCounter } from './features/insights/insights.ts'
import { registerProvider } from './features/plans/prices.ts'
import { createAvailabilityMeter, healthRoutes } from './features/operators/health.ts'
import { createPhotoReads } from './features/photos/gallery.ts'
import { createScreenImages } from './features/screen/screen-images.ts'
import { createSpeculativeProcessing } from './features/photos/process.ts'
import { createAuthenticator } from './platform/http/authenticator.ts'
import { type MetricsPage, serveMetricsPage } from './platform/http/metrics-page.ts'
import { createOrigins } from './platform/http/origins.ts'
import { loadGuestRenderer, webPageRendererAt } from './platform/http/pages.ts'
import { serveOn } from './platform/http/serve.ts'
import { createHttpServer } from './platform/http/server.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import { createJobHandlers } from './job-handlers.ts'
import { acceptLiveConnections } from './features/live/live.ts'
import { createLazyImagePool, type ForeignStore, imageProcessCount, openMail, openStorageInUse } from './open-ports.ts'
import type { ImagePool } from './images/sandbox/image-pool.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { openPayments } from './features/plans/open-payments.ts'
import { openSecretKeys } from './platform/db/secret-keys.ts'
import { drain, type ShutdownStep } from './platform/process/shutdown.ts'
import { createBus } from './platform/live/bus.ts'
import { type Instrumentation, openMetrics } from './platform/metrics/open-metrics.ts'
import { droppedLines, runInLogContext } from './platform/process/log.ts'
import { createSecurityLog } from './platform/http/security-log.ts'
import { deriveKey } from './lib/cryptography.ts'
import { downloadOrigin } from './ports/storage/storage.ts'
import { openWebhooks, type ResolveHost } from './ports/webhooks.ts'

/** The running program, and the steps that stop it. */
export interface App {
  deps: Dependencies
  /** Undefined on nodes that only run jobs. */
  http: HttpServer | undefined
  /** Undefined without METRICS_TOKEN. */
  metricsPage: MetricsPage | undefined
  images: ImagePool | undefined
  /** To be called when requests are accepted. Undefined on nodes that only run jobs. */
  startMeasuringAvailability: (() => void) | undefined
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
  /** The built renderer of the pages of the web app. */
  webPages: string
  /** The built renderer of guest pages and emails. */
  guestRenderer: string
  /** The image processes of the caller; otherwise this node starts its own. */
  images?: () => Promise<ImagePool>
  /** The minimum duration of a guest's photo request; otherwise that of the limits. */
  minAnswerMs?: number
  /** From which duration on, in milliseconds, results of reads of whole tables are cached; otherwise 250. */
  slowReadMs?: number | undefined
  /** What to do when the store is not this installation's; otherwise it refuses to start. */
  foreignStore?: ForeignStore | undefined
  /** The interval at which this node polls which store is in use; otherwise as the settings need. */
  followStoreEveryMs?: number | undefined
  /** The effort of hashing passwords; otherwise the full one. */
  passwordHashing?: Partial<PasswordHashing>
  /** Another resolver for the hosts of webhooks, for tests. */
  resolveWebhookHost?: ResolveHost | undefined
}

/** The dependencies, and the functions that close them. */
async function createDependencies(options: AppOptions, instrumentation: Instrumentation) {
  const { config, log, database, resolveWebhookHost, foreignStore, followStoreEveryMs } = options
  const { db, pool, close } = connect(database, log)
  await migrate(db, pool)
  const newer = await newerMigrations(db)
  if (newer.length)
    log.warn({ migrations: newer }, 'a newer version has migrated the database; this version runs beside it')
  await refuseUnfinishedRestore(db)
  await registerProvider({ db, log }, config.payments)
  const { payments, demo } = await openPayments(config, db)
  const { storage: storageInUse, close: closeStorage } = await openStorageInUse({
    config,
    db,
    log,
    foreignStore,
    everyMs: followStoreEveryMs,
  }).catch(async (error: unknown) => {
    // Otherwise the end of the embedded database would be logged before the reason.
    await close()
    throw error
  })
  const storage = instrumentation.storage(storageInUse)
  const mail = await openMail(config)
  const secretKeys = await openSecretKeys(config, db)
  const [urls, tokens] = [createUrls(config.publicUrl, secretKeys), createTokens(secretKeys)]
  const bus = createBus(database, log)
  const mediaCache = createMediaCache({ db, pool, bus })
  const guestActivity = createActivityCounter({ db, log })
  instrumentation.parts({ ...config, db, pool, bus, mail, droppedLines: () => droppedLines(log) })
  const securityLog = createSecurityLog(log, {
    key: deriveKey(secretKeys.current, 'keepsnap security log'),
    showAddresses: config.logAddresses,
  })
  const imagePool = createLazyImagePool({ config, log })
  const images = instrumentation.images(options.images ?? imagePool.get)
  return {
    config,
    log,
    securityLog,
    metrics: instrumentation.metrics,
    db,
    pool,
    storage,
    mail,
    payments,
    demoPayments: demo,
    webhooks: openWebhooks(config, secretKeys, resolveWebhookHost),
    urls,
    tokens,
    bus,
    mediaCache,
    guestActivity,
    guestRenderer: await loadGuestRenderer(options.guestRenderer),
    images,
    speculative: createSpeculativeProcessing(),
    photoReads: createPhotoReads(db, pool),
    screenImages: createScreenImages({ db, storage, mediaCache, log, images }),
    closeImages: imagePool.close,
    closeStorage,
    closeDatabase: close,
  }
}

async function createApi(
  deps: Dependencies,
  { webDist, webPages, slowReadMs, minAnswerMs = emailLimits.minAnswerMs, passwordHashing }: AppOptions,
) {
  const { config, log, securityLog, metrics, db, bus } = deps
  const [stopping, shutdown] = [new AbortController(), new AbortController()]
  const origins = createOrigins(config.publicUrl, config.allowedOrigins, () => {
    const address = http.server.address()
    return typeof address === 'object' && address ? address.port : config.port
  })
  const http = createHttpServer({
    config,
    origins,
    log,
    metrics,
    securityLog,
    guestRenderer: deps.guestRenderer,
  })
  const customerKeys = createCustomerKeys(deps)
  const authenticator = createAuthenticator({
    db,
    bus,
    touchSession: (hash) => touchSession(db, hash),
    keyStores: { customer: customerKeys, admin: adminKeyStore(db) },
    securityLog,
  })
  const serve = serveOn(http, { authenticator, db, knownBrowser: deps.tokens.deviceCookies.browser })

  healthRoutes(serve, deps, () => stopping.signal.aborted)
  const loadRenderer = webPageRendererAt(webPages)
  const apiDeps = {
    ...deps,
    passwords: await createPasswords(passwordHashing),
    authenticator,
    customerKeys,
    origins,
    shutdown: shutdown.signal,
    minAnswerMs,
    slowReadMs,
    webDist,
    loadRenderer,
  }
  serveFeatures(serve, apiDeps)
  const live = acceptLiveConnections(http, apiDeps)
  const { publicUrl, analytics, payments } = config
  // Contracts are made only where plans are sold.
  const missingPages = payments.kind === 'off' ? [pages.withdraw] : []
  await serveWebApp(http, {
    webDist,
    loadRenderer,
    publicUrl,
    analytics,
    photoOrigin: downloadOrigin(config.storage),
    missingPages,
  })
  const availability = createAvailabilityMeter(deps)
  return {
    http,
    startMeasuringAvailability: () => availability.start(),
    shutdownSteps: [
      { name: 'readiness', timeoutMs: config.drainMs + 1_000, close: () => drain(stopping, config.drainMs) },
      { name: 'waiting answers', timeoutMs: 1_000, close: () => shutdown.abort() },
      { name: 'availability', timeoutMs: 1_000, close: () => availability.close() },
      { name: 'WebSockets', timeoutMs: 5_000, close: () => live.close() },
      { name: 'requests in progress', timeoutMs: 15_000, close: () => http.close() },
    ],
  }
}

async function createJobRunner(deps: Dependencies, database: PoolConfig, instrumentation: Instrumentation) {
  const { config, log, db, pool } = deps
  const imageProcesses = imageProcessCount(config)
  // 1.5 jobs per image process: loading and storing need none.
  const photoConcurrency = imageProcesses + Math.ceil(imageProcesses / 2)
  const images = await deps.images()
  deps.speculative.useImages(images)
  const handlers = createJobHandlers(deps)
  const observer = instrumentation.jobs(runInLogContext)
  const worker = await startWorker({ db, pool, database, log, handlers, photoConcurrency, observer })
  instrumentation.jobWakeUps(worker.isListening)
  return {
    images,
    shutdownSteps: [
      { name: 'jobs in progress', timeoutMs: 20_000, close: () => worker.close() },
      { name: 'slow webhooks', timeoutMs: 11_000, close: () => Promise.all(deps.webhooks.unfinished) },
    ],
  }
}

/** Creates every part of the program and connects them; the only place that does. Nothing listens yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const instrumentation = await openMetrics(options.config.metricsToken)
  const { closeDatabase, closeStorage, closeImages, ...deps } = await createDependencies(options, instrumentation)
  const { database, parts } = options
  const httpApi = parts.serve ? await createApi(deps, options) : undefined
  const jobRunner = parts.work ? await createJobRunner(deps, database, instrumentation) : undefined
  if (httpApi?.http && instrumentation.page) serveMetricsPage(httpApi.http, instrumentation.page)
  return {
    deps,
    metricsPage: instrumentation.page,
    http: httpApi?.http,
    startMeasuringAvailability: httpApi?.startMeasuringAvailability,
    images: jobRunner?.images,
    shutdownSteps: [
      ...(httpApi?.shutdownSteps ?? []),
      ...(jobRunner?.shutdownSteps ?? []),
      { name: 'image processes', timeoutMs: 2_000, close: closeImages },
      { name: 'guest activity counters', timeoutMs: 2_000, close: () => deps.guestActivity.close() },
      { name: 'store', timeoutMs: 1_000, close: closeStorage },
      { name: 'mail', timeoutMs: 1_000, close: () => deps.mail.close() },
      { name: 'event bus', timeoutMs: 1_000, close: () => deps.bus.close() },
      { name: 'database connections', timeoutMs: 5_000, close: closeDatabase },
    ],
  }
}
