import type { Shape } from './endpoint.ts'
import * as accounts from './accounts.ts'
import * as health from './health.ts'
import { liveTicket } from './live.ts'
import * as photos from './photos.ts'
import * as sharing from './sharing.ts'

/** Every endpoint there is. Tests walk this list; a route that is not in it does not exist. */
export const all: readonly Shape[] = [
  health.health,
  health.ready,
  accounts.register,
  accounts.signIn,
  accounts.signOut,
  accounts.currentUser,
  photos.uploadPhoto,
  photos.listPhotos,
  photos.latestPhoto,
  photos.getPhoto,
  photos.deletePhoto,
  photos.retryPhoto,
  liveTicket,
  sharing.directDownload,
  sharing.fullImage,
  sharing.thumbnailImage,
  sharing.directCode,
  sharing.requestCode,
]
