import { downloadExport, exportState, requestExport, type Archive } from '@keepsnap/contract/privacy.ts'
import type { Deps } from '../../deps.ts'
import { disposition } from '../../domain/filenames.ts'
import { hashOf, isGrant, newId } from '../../domain/ids.ts'
import { forgetObjects } from '../../domain/objects.ts'
import { Fault } from '../../faults.ts'
import { sendObject } from '../../http/files.ts'
import { countCall } from '../../http/rates.ts'
import type { Serve } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { archiveBySecret, archiveOf, askForArchive, expireArchives } from './queries.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

function viewOf(archive: Awaited<ReturnType<typeof archiveOf>>): Archive {
  if (!archive) return { state: 'none', requested_at: null, ready_at: null, expires_at: null, size_bytes: null }
  return {
    state: archive.state as Archive['state'], // the table allows no other
    requested_at: iso(archive.requested_at),
    ready_at: iso(archive.ready_at),
    expires_at: iso(archive.expires_at),
    size_bytes: archive.bytes,
  }
}

const gone = (): Fault =>
  new Fault('not_found', 'This link has expired, or a newer archive was made. Ask for a new one in Settings.')

/** Removes archives whose seven days are over. */
export async function sweepArchives({ db, storage }: Pick<Deps, 'db' | 'storage'>): Promise<void> {
  const keys = await expireArchives(db)
  await storage.remove(keys)
  await forgetObjects(db, keys)
}

/** Everything that an account holds, as one file; promises.md P8. */
export function privacy(serve: Serve, { db, storage }: Pick<Deps, 'db' | 'storage'>): void {
  serve(exportState, async (_, { actor }) => viewOf(await archiveOf(db, actor.userId)))

  serve(requestExport, async (_, { actor: { userId } }) => {
    await countCall(db, 'exports', userId)
    await db.transaction().execute(async (tx) => {
      const id = newId()
      if (await askForArchive(tx, userId, id))
        await enqueue(tx, { name: 'build-archive', payload: { archiveId: id }, key: `archive:${id}` })
    })
    return viewOf(await archiveOf(db, userId))
  })

  serve(downloadExport, async ({ params }, { req, reply, client }) => {
    const archive = isGrant(params.secret) ? await archiveBySecret(db, hashOf(params.secret)) : undefined
    if (!archive?.key || archive.bytes === null || archive.ready_at === null) {
      await countCall(db, 'unknownCodes', client)
      throw gone()
    }
    const object = {
      key: archive.key,
      bytes: archive.bytes,
      type: 'application/zip',
      cacheControl: 'no-store',
      disposition: disposition('attachment', `keepsnap-${archive.ready_at.toISOString().slice(0, 10)}.zip`),
    }
    await sendObject(req, reply, { storage, object })
    return undefined
  })
}
