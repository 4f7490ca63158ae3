import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { letterLimits } from '@keepsnap/contract/limits.ts'
import type { PoolConfig } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { connect } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import type { Deps } from './deps.ts'
import { createAddresses } from './domain/addresses.ts'
import { createMediaFacts } from './domain/media-facts.ts'
import { photoView } from './domain/photos.ts'
import { accountDeletion } from './features/accounts/deletion.ts'
import { createPasswords, type Passwords } from './features/accounts/passwords.ts'
import { touchSession } from './features/accounts/queries.ts'
import { passwordReset } from './features/accounts/reset.ts'
import { accounts } from './features/accounts/routes.ts'
import { livingSessions, sessions } from './features/accounts/sessions.ts'
import { settings } from './features/accounts/settings.ts'
import { verification } from './features/accounts/verification.ts'
import { spendTicket, tickets } from './features/accounts/tickets.ts'
import { branding } from './features/branding/routes.ts'
import { createCounting, type Counting } from './features/insights/counting.ts'
import { showInsights } from './features/insights/routes.ts'
import { health } from './features/health/routes.ts'
import { createPhotoReading, type PhotoReading } from './features/photos/reading.ts'
import { createHeadStarts, type HeadStarts } from './features/photos/head-starts.ts'
import { photos } from './features/photos/routes.ts'
import { watermark } from './features/photos/watermark.ts'
import { reports } from './features/photos/reports.ts'
import { privacy } from './features/privacy/routes.ts'
import { guestRequests } from './features/requests/guest-routes.ts'
import { ownedRequests } from './features/requests/owner-routes.ts'
import { requestOf, requestView } from './features/requests/queries.ts'
import { stops } from './features/requests/stop-routes.ts'
import { grants } from './features/sharing/grants.ts'
import { sharing } from './features/sharing/routes.ts'
import { createDoors, type Doors } from './http/access.ts'
import { createOrigins, type Origins } from './http/origins.ts'
import { loadGuestRenderer } from './http/pages.ts'
import { serveOn, type Serve } from './http/serve.ts'
import { createHttp } from './http/server.ts'
import { acceptSockets } from './http/socket.ts'
import { serveWebApp } from './http/web-app.ts'
import { createHandlers } from './handlers.ts'
import { imageProcesses, lazyImages } from './image-pool.ts'
import type { ImagePool } from './images/pool.ts'
import { startWorker } from './jobs/worker.ts'
import type { Closer } from './lifecycle.ts'
import { createBus, publish } from './live/bus.ts'
import { createHub, type Hub } from './live/hub.ts'
import { ownFolder } from './own-folder.ts'
import { isMailOff } from './mail-settings.ts'
import type { Mail } from './ports/mail/mail.ts'
import { outboxMail } from './ports/mail/outbox.ts'
import { smtpMail } from './ports/mail/smtp.ts'
import { diskStorage } from './ports/storage/disk.ts'
import type { Storage } from './ports/storage/storage.ts'
import { secretKey } from './secret.ts'

/** What is running, and how to end it. */
export interface App {
  deps: Deps & { headStarts: HeadStarts }
  /** Undefined on nodes that only work. */
  http: FastifyInstance | undefined
  images: ImagePool | undefined
  /** In the order in which they are to be closed. */
  closers: Closer[]
}

export interface AppOptions {
  config: Config
  log: Logger
  database: PoolConfig
  /** Which halves run here. */
  parts: { serve: boolean; work: boolean }
  /** The built web app. */
  webDist: string
  /** What web/guest was built into. */
  guestRenderer: string
  /** Image processes that somebody else starts and ends; otherwise this node's own. */
  images?: () => Promise<ImagePool>
  /** Milliseconds that a guest's asking takes at least; otherwise those of the limits. */
  leastAskMs?: number
}

/** What the API has besides. */
type ApiDeps = Deps & { images: () => Promise<ImagePool>; headStarts: HeadStarts; leastAskMs: number }

/** The S3 client is large; it is loaded by those who use it. */
async function openStorage({ storage, dataDir }: Config): Promise<Storage> {
  if (storage.kind === 'disk') {
    const dir = join(dataDir, 'files')
    return diskStorage({ dir, incoming: await ownFolder(join(dir, 'incoming')) })
  }
  const { s3Storage } = await import('./ports/storage/s3.ts')
  return s3Storage(storage, await ownFolder(join(dataDir, 'spool')))
}

const openMail = async ({ mail, mailFrom, dataDir }: Config): Promise<Mail> =>
  mail.kind === 'smtp'
    ? smtpMail({ ...mail, name: mailFrom.address.split('@')[1] ?? 'localhost' })
    : outboxMail(join(dataDir, 'outbox'))

async function createDeps({
  config,
  log,
  database,
  guestRenderer,
}: AppOptions): Promise<Deps & { counts: Counting; closeDatabase: () => Promise<void> }> {
  const { db, pool, close } = connect(database, log)
  await migrate(db, pool)
  const storage = await openStorage(config)
  const mail = await openMail(config)
  const addresses = createAddresses(config.publicUrl, await secretKey(config.secretKey, config.dataDir))
  const bus = createBus(database, log)
  const media = createMediaFacts({ db, bus })
  const counts = createCounting({ db, log })
  const guest = await loadGuestRenderer(guestRenderer)
  return { config, log, db, pool, storage, mail, addresses, bus, media, counts, guest, closeDatabase: close }
}

function serveAccounts(serve: Serve, parts: Deps & { passwords: Passwords; doors: Doors }): void {
  accounts(serve, parts)
  settings(serve, parts)
  passwordReset(serve, parts)
  verification(serve, parts)
  sessions(serve, parts)
  accountDeletion(serve, parts)
  privacy(serve, parts)
}

function serveGuestsAndPhotos(serve: Serve, deps: ApiDeps & { reading: PhotoReading }): void {
  tickets(serve, deps)
  photos(serve, deps)
  reports(serve, deps)
  branding(serve, deps)
  watermark(serve, deps)
  sharing(serve, deps)
  grants(serve, deps)
  const mail = { isOff: isMailOff(deps.config) }
  guestRequests(serve, { ...deps, mail })
  ownedRequests(serve, deps)
  stops(serve, deps)
  showInsights(serve, deps)
}

/** The live channel of this node: sockets, what they may ask, and what they are told. */
function openLive(
  http: FastifyInstance,
  { deps, doors, origins }: { deps: Deps & { reading: PhotoReading }; doors: Doors; origins: Origins },
): Hub {
  const { db, bus, log, addresses, reading } = deps
  const view = photoView(addresses)
  const viewRequest = requestView(addresses, { outbox: deps.mail.kind === 'outbox' })
  const isUser = async (userId: string, column: 'is_active' | 'is_admin'): Promise<boolean> =>
    (await db.selectFrom('users').select(`${column} as yes`).where('id', '=', userId).executeTakeFirst())?.yes ?? false
  const hub = createHub({
    bus,
    log,
    ask: {
      latestPhoto: async (userId) => reading.latest(userId).then((row) => row && view(row)),
      photo: async (userId, id) => reading.one(userId, id).then((row) => row && view(row)),
      request: async (userId, id) => requestOf(db, userId, id).then((row) => row && viewRequest(row)),
      isActive: (userId) => isUser(userId, 'is_active'),
      living: (hashes) => livingSessions(db, hashes),
    },
  })
  acceptSockets(http, {
    hub,
    origins,
    log,
    ask: {
      actorOf: async (token) => (await spendTicket(db, token)) ?? doors.actorOf(token),
      isAdmin: (userId) => isUser(userId, 'is_admin'),
      sendTest: (userId) => publish(db, { kind: 'test', user: userId }),
    },
  })
  return hub
}

async function createApi(deps: ApiDeps, webDist: string): Promise<{ http: FastifyInstance; closers: Closer[] }> {
  const { config, log, db, bus } = deps
  let stopping = false
  const origins = createOrigins(config.publicUrl, config.allowedOrigins, () => {
    const address = http.server.address()
    return typeof address === 'object' && address ? address.port : config.port
  })
  const http = createHttp({ config, origins, log })
  const doors = createDoors({ db, bus, touch: (hash) => touchSession(db, hash) })
  const serve = serveOn(http, { doors, db })

  health(serve, { ...deps, isStopping: () => stopping, isMailOff: isMailOff(config) })
  serveAccounts(serve, { ...deps, passwords: await createPasswords(), doors })
  const reading = createPhotoReading(db, deps.pool)
  serveGuestsAndPhotos(serve, { ...deps, reading })
  const hub = openLive(http, { deps: { ...deps, reading }, doors, origins })
  await serveWebApp(http, { dist: webDist, publicUrl: config.publicUrl })
  return {
    http,
    closers: [
      { name: 'taking requests', limitMs: 1_000, close: () => void (stopping = true) },
      { name: 'live connections', limitMs: 5_000, close: () => hub.close() },
      { name: 'requests under way', limitMs: 15_000, close: () => http.close() },
    ],
  }
}

async function createWork(
  deps: Deps & { headStarts: HeadStarts },
  images: ImagePool,
): Promise<{ images: ImagePool; closers: Closer[] }> {
  const { config, log, db, pool } = deps
  const size = imageProcesses(config)
  // While some are being made, others are laid ready or stored away, which is no work for the image processes.
  const photosAtOnce = size + Math.ceil(size / 2)
  deps.headStarts.useProcesses(images)
  const worker = await startWorker({ db, pool, log, handlers: createHandlers(deps, images), photosAtOnce })
  return {
    images,
    closers: [{ name: 'jobs under way', limitMs: 20_000, close: () => worker.close() }],
  }
}

/** Puts everything together, by hand, top to bottom: the only composition there is. Nothing listens yet. */
export async function createApp(options: AppOptions): Promise<App> {
  const { closeDatabase, ...made } = await createDeps(options)
  const deps = { ...made, headStarts: createHeadStarts() }
  const images = lazyImages(deps)
  const imagesFor = options.images ?? images.get
  const { leastAskMs = letterLimits.leastAskMs } = options
  const api = options.parts.serve
    ? await createApi({ ...deps, images: imagesFor, leastAskMs }, options.webDist)
    : undefined
  const work = options.parts.work ? await createWork(deps, await imagesFor()) : undefined
  return {
    deps,
    http: api?.http,
    images: work?.images,
    closers: [
      ...(api?.closers ?? []),
      ...(work?.closers ?? []),
      { name: 'image processes', limitMs: 2_000, close: () => images.close() },
      { name: 'numbers of guests', limitMs: 2_000, close: () => deps.counts.close() },
      { name: 'mail', limitMs: 1_000, close: () => deps.mail.close() },
      { name: 'listening for events', limitMs: 1_000, close: () => deps.bus.close() },
      { name: 'database connections', limitMs: 5_000, close: closeDatabase },
    ],
  }
}
