import type { Dependencies } from '../dependencies.ts'
import { photoView } from '../domain/photos.ts'
import { redeemTicket } from '../features/accounts/live-tickets.ts'
import { existingSessions } from '../features/accounts/queries.ts'
import { holdOf } from '../features/photos/holds.ts'
import type { PhotoReads } from '../features/photos/photo-reads.ts'
import { requestOf } from '../features/requests/queries.ts'
import { requestView } from '../features/requests/request-view.ts'
import type { Authenticator } from '../http/authenticator.ts'
import type { HttpServer } from '../http/http-types.ts'
import type { Origins } from '../http/origins.ts'
import { acceptWebSockets } from '../http/web-socket.ts'
import { publish } from '../live/bus.ts'
import { createHub, type Hub } from '../live/hub.ts'

/** Accepts this node's WebSockets and connects them to the event bus. */
export function acceptLiveConnections(
  http: HttpServer,
  {
    deps,
    authenticator,
    origins,
  }: { deps: Dependencies & { photoReads: PhotoReads }; authenticator: Authenticator; origins: Origins },
): Hub {
  const { db, bus, log, metrics, urls, photoReads } = deps
  const viewPhoto = photoView(urls)
  const viewRequest = requestView(urls, { outbox: deps.mail.kind === 'outbox' })
  const isUserFlagSet = async (userId: string, column: 'is_active' | 'is_admin'): Promise<boolean> =>
    (await db.selectFrom('users').select(`${column} as yes`).where('id', '=', userId).executeTakeFirst())?.yes ?? false
  const hub = createHub({
    bus,
    log,
    metrics,
    queries: {
      latestPhoto: async (userId) => photoReads.latest(userId).then((row) => row && viewPhoto(row)),
      photo: async (userId, id) => photoReads.one(userId, id).then((row) => row && viewPhoto(row)),
      photoCount: (userId) => photoReads.count(userId),
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
