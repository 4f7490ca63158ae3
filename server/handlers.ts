import type { Deps } from './deps.ts'
import { removeUnnamed } from './domain/objects.ts'
import { removeOrphans } from './features/accounts/deletion.ts'
import { accountLetters } from './features/accounts/letters.ts'
import { sweepLinks } from './features/accounts/links.ts'
import { sweepAccounts } from './features/accounts/queries.ts'
import { sendReset } from './features/accounts/reset.ts'
import { sweepTickets } from './features/accounts/tickets.ts'
import type { HeadStarts } from './features/photos/head-starts.ts'
import { deleteBytes, processPhoto } from './features/photos/process.ts'
import { compareStorage, sweepPhotos } from './features/photos/sweep.ts'
import { markNext } from './features/photos/watermark-run.ts'
import { buildArchive } from './features/privacy/archive.ts'
import { archiveLetter } from './features/privacy/letter.ts'
import { sweepArchives } from './features/privacy/routes.ts'
import { forgetAsks } from './features/requests/clients.ts'
import { photoLetter } from './features/requests/letter.ts'
import { sweepRequests } from './features/requests/queries.ts'
import { forgetOldCalls } from './http/rates.ts'
import type { ImagePool } from './images/pool.ts'
import type { Handlers } from './jobs/jobs.ts'
import { forgetPhoto, sweepLetters } from './letters/queries.ts'
import { createSending } from './letters/send.ts'

/** Who does which job. */
export function createHandlers(deps: Deps & { headStarts: HeadStarts }, images: ImagePool): Handlers {
  const { config, db, log, mail } = deps
  const sending = createSending({
    db,
    log,
    mail,
    from: config.mailFrom,
    composers: { photo: photoLetter(deps), ...accountLetters(deps), archive: archiveLetter(deps) },
  })
  return {
    'send-letter': ({ letterId }) => sending.send(letterId),
    'send-reset': ({ email }) => sendReset(deps, email),
    'build-archive': ({ archiveId }) => buildArchive(deps, archiveId),
    'remove-orphans': () => removeOrphans(deps),
    'forget-letters': ({ letterIds }) => mail.forget(letterIds),
    'wake-letters': () => sending.wake(),
    'process-photo': ({ photoId }) => processPhoto({ ...deps, images }, photoId),
    'mark-photo': ({ userId }) => markNext({ ...deps, images }, userId),
    'remove-object': ({ key }) => removeUnnamed(deps, key),
    async 'delete-photo'({ photoId }) {
      await deleteBytes(deps, photoId)
      await forgetPhoto(deps, photoId)
    },
    'compare-storage': async () => void (await compareStorage(deps)),
    async sweep() {
      await sweepPhotos(deps)
      await sweepAccounts(db)
      await sweepTickets(db)
      await sweepLinks(db)
      await sweepArchives(deps)
      await sweepRequests(db)
      await forgetAsks(db)
      await sweepLetters(deps)
      await forgetOldCalls(db)
    },
  }
}
