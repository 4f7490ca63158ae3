import type { AppState } from './app.tsx'
import { createLive, type Live } from './features/live/connection.ts'
import { createReportNews } from './features/reports/queries.ts'
import { createRequestNews } from './features/requests/request-news.ts'
import { receiveMessage, storePhoto } from './features/photos/photo-cache.ts'
import { photoKeys } from './features/photos/queries.ts'
import { openShelf } from './features/photos/uploads/shelf.ts'
import { createUploads, type Uploads } from './features/photos/uploads/uploads.ts'
import { loadUpload } from './lib/api.ts'
import { currentUserQuery } from './lib/current-user.ts'
// Loaded here, unused: by the time there is something to say, such as a lost server, it could no longer be fetched.
import './ui/ToastBox.tsx'

/** What works behind the pages of a signed-in person, whichever page is shown. */
export interface Room {
  live: Live
  uploads: Uploads
}

export function createRoom({ api, queries, session }: AppState, page: Window): Room {
  const askUser = (): void => void queries.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
  const live = createLive({
    api,
    page,
    // A dead session answers 401, and that signs out.
    checkUser: askUser,
  })
  // Now, and not when the first file waits and the network is gone.
  void loadUpload()
  const uploads = createUploads({
    api,
    page,
    token: () => session.state().token,
    shelf: openShelf(() => page.indexedDB),
    onStored: (photo) => storePhoto(queries, photo),
  })
  const requests = createRequestNews(queries)
  const askReports = createReportNews(queries, api)
  const askPhotos = (): void => void queries.invalidateQueries({ queryKey: photoKeys.all })
  live.onMessage((message) => {
    receiveMessage(queries, message)
    if (message.action === 'photo_request') requests.receive(message.request)
    if (message.action === 'photo_reported') askReports()
    if (message.action === 'photo_deleted') {
      requests.askAgain()
      askReports()
    }
    if (message.action === 'user_update') {
      // Every address handed out before may be dead.
      askUser()
      askPhotos()
    }
  })
  let wasConnected = false
  live.subscribe(() => {
    if (live.status() !== 'connected') return
    // What was said in between is not repeated.
    askReports()
    if (wasConnected) for (const ask of [askUser, askPhotos, requests.askAgain]) ask()
    wasConnected = true
    uploads.resume()
  })
  return { live, uploads }
}
