import type { AppState } from './app.tsx'
import { createLive, type Live } from './features/live/connection.ts'
import { receiveMessage, storePhoto } from './features/photos/photo-cache.ts'
import { photoKeys } from './features/photos/queries.ts'
import { openShelf } from './features/photos/uploads/shelf.ts'
import { createUploads, type Uploads } from './features/photos/uploads/uploads.ts'
import { currentUserQuery } from './lib/current-user.ts'
// Loaded here, unused: by the time there is something to say, such as a lost server, it could no longer be fetched.
import './ui/ToastBox.tsx'

/** What works behind the pages of a signed-in person, whichever page is shown. */
export interface Room {
  live: Live
  uploads: Uploads
}

export function createRoom({ api, queries, session }: AppState, page: Window): Room {
  const checkUser = (): void => void queries.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
  // A dead session answers 401, and that signs out.
  const live = createLive({ api, page, checkUser })
  const uploads = createUploads({
    api,
    page,
    hasToken: () => session.state().token !== null,
    shelf: openShelf(() => page.indexedDB),
    onStored: (photo) => storePhoto(queries, photo),
  })
  live.onMessage((message) => {
    if (message.action === 'user_update') checkUser()
    else receiveMessage(queries, message)
  })
  let wasConnected = false
  live.subscribe(() => {
    if (live.status() !== 'connected') return
    // What was said in between is not repeated.
    if (wasConnected) void queries.invalidateQueries({ queryKey: photoKeys.all })
    wasConnected = true
    uploads.resume()
  })
  return { live, uploads }
}
