import { adminLimits } from '@keepsnap/contract/limits.ts'
import { exportUser } from '@keepsnap/contract/operator-users.ts'
import { downloadExport, exportState, requestExport, type Archive } from '@keepsnap/contract/privacy.ts'
import type { Dependencies } from '../../dependencies.ts'
import { actAsOperator, userSubject } from '../../domain/operator-actions.ts'
import { contentDisposition } from '../../lib/content-disposition.ts'
import { hashOf, isId, isSecret } from '../../lib/ids.ts'
import { Fault } from '../../faults.ts'
import { endWhenWithdrawn } from '../../http/end-when-withdrawn.ts'
import { redirectOrSendObject, sendObject } from '../../http/send-object.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve.ts'
import { streamArchive } from './archive.ts'
import { archiveBySecret, archiveOf, isTakenBack, requestArchive } from './queries.ts'

const archiveName = (at: Date): string => `keepsnap-${at.toISOString().slice(0, 10)}.zip`
const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null

function archiveView(archive: Awaited<ReturnType<typeof archiveOf>>): Archive {
  if (!archive) return { state: 'none', requested_at: null, ready_at: null, expires_at: null, size_bytes: null }
  return {
    state: archive.state as Archive['state'], // a check of the table allows no other
    requested_at: isoOrNull(archive.requested_at),
    ready_at: isoOrNull(archive.ready_at),
    expires_at: isoOrNull(archive.expires_at),
    size_bytes: archive.bytes,
  }
}

const exportLinkGone = (): Fault =>
  new Fault(
    'not_found',
    'This link has expired or a newer export has replaced it. You can export your data again in Settings.',
  )

/** Everything that an account contains, as one file; docs/security.md P8. */
export function privacyRoutes(
  serve: Serve,
  {
    db,
    storage,
    tokens,
    urls,
    mediaCache,
    guestRenderer,
  }: Pick<Dependencies, 'db' | 'storage' | 'tokens' | 'urls' | 'mediaCache' | 'guestRenderer'>,
): void {
  serve(exportState, async (_, { actor }) => archiveView(await archiveOf(db, actor.userId)))

  serve(requestExport, async (_, { actor: { userId } }) => {
    await countRateHit(db, 'exports', userId)
    await db.transaction().execute((tx) => requestArchive(tx, { userId, isAnnounced: true }))
    return archiveView(await archiveOf(db, userId))
  })

  serve(exportUser, async ({ params: { user_id: userId }, body: { reason } }, { actor: operator }) => {
    const subject = isId(userId) ? await userSubject(db, userId) : undefined
    if (!subject) throw new Fault('not_found', 'There is no such account.')
    const expiresAt = Math.floor(Date.now() / 1000) + adminLimits.exportLinkMinutes * 60
    return actAsOperator(db, { operator, action: 'export account', subject, reason }, async () => ({
      url: urls.archiveDownload(tokens.operatorExports.token(userId, expiresAt)),
      expires_at: new Date(expiresAt * 1000).toISOString(),
    }))
  })

  serve(downloadExport, async ({ params }, { req, reply, client }) => {
    const ofOperator = tokens.operatorExports.read(params.secret)
    if (ofOperator && ofOperator.expiresAt * 1000 > Date.now() && (await userSubject(db, ofOperator.userId))) {
      reply.headers({
        'content-type': 'application/zip',
        'content-disposition': contentDisposition('attachment', archiveName(new Date())),
        'cache-control': 'no-store',
      })
      await reply.send(streamArchive({ db, storage, guestRenderer }, ofOperator.userId))
      return undefined
    }
    const archive = isSecret(params.secret) ? await archiveBySecret(db, hashOf(params.secret)) : undefined
    if (!archive?.key || archive.bytes === null || archive.ready_at === null) {
      await countRateHit(db, 'unknownCodes', client)
      throw exportLinkGone()
    }
    const { id, key, userId } = archive
    endWhenWithdrawn(reply, {
      watch: (listener) => mediaCache.watch(`user ${userId}`, listener),
      isOpen: async () => !(await isTakenBack(db, id, key)),
    })
    const archiveObject = {
      key,
      bytes: archive.bytes,
      type: 'application/zip',
      cacheControl: 'no-store',
      disposition: contentDisposition('attachment', archiveName(archive.ready_at)),
    }
    // A resumed download (Range) is sent by this server: presigned URLs expire sooner than gigabytes can be downloaded.
    const send = req.headers.range === undefined ? redirectOrSendObject : sendObject
    await send(req, reply, { storage, object: archiveObject })
    return undefined
  })
}
