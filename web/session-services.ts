import type { AppState } from './app-state.ts'
import { createLiveConnection, type LiveConnection } from './features/live/connection.ts'
import { createReportRefetch } from './features/reports/queries.ts'
import { createRequestUpdates } from './features/requests/request-updates.ts'
import { refetchPlanStatus } from './features/plans/plan-status-key.ts'
import { applyPhotoMessage, addUploadedPhoto } from './features/photos/photo-cache.ts'
import { photoKeys } from './features/photos/queries.ts'
import { applyHoldMessage, refetchHold } from './features/photos/latest/hold-cache.ts'
import { openUploadDatabase } from './features/photos/uploads/upload-database.ts'
import { createUploads, type Uploads } from './features/photos/uploads/uploads.ts'
import { loadUploadModule } from './lib/api.ts'
import { currentUserQuery } from './lib/current-user.ts'

/** What runs while a user is signed in, whichever page is shown. */
export interface SessionServices {
  live: LiveConnection
  uploads: Uploads
  /** Closes the live connection and cancels planned updates and refetches. */
  stop(): void
}

export function createSessionServices(state: AppState, page: Window): SessionServices {
  const { api, queryClient, session } = state
  const refetchUser = (): void => void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
  const live = createLiveConnection({
    api,
    page,
    // If the session has ended, this call is answered 401, which signs the user out.
    checkUser: refetchUser,
  })
  // Loaded in advance, because the network may be down when the user chooses a file.
  void loadUploadModule()
  const uploads = createUploads({
    api,
    page,
    token: () => session.state().token,
    database: openUploadDatabase(),
    onUploaded(photo) {
      addUploadedPhoto(queryClient, photo)
      refetchPhotoCount(queryClient, api)
    },
  })
  const cancelUpdates = applyLiveMessages(live, state, refetchUser)
  live.subscribe(() => live.status() === 'connected' && uploads.resume())
  return {
    live,
    uploads,
    stop() {
      live.stop()
      cancelUpdates()
    },
  }
}

/** Fetches the user again after the first photo, which changes what Home says; otherwise when it is next needed. */
function refetchPhotoCount(queryClient: AppState['queryClient'], api: AppState['api']): void {
  const { queryKey } = currentUserQuery(api)
  const isFirst = queryClient.getQueryData(queryKey)?.photo_count === 0
  void queryClient.invalidateQueries({ queryKey, refetchType: isFirst ? 'active' : 'none' })
}

/**
 * Applies the messages of the live connection to the query cache, and refetches what may have changed. Returns a
 * function that cancels planned updates and refetches.
 */
function applyLiveMessages(live: LiveConnection, { api, queryClient }: AppState, refetchUser: () => void): () => void {
  const requestUpdates = createRequestUpdates(queryClient)
  const reportRefetch = createReportRefetch(queryClient, api)
  const refetchPhotos = (): void => void queryClient.invalidateQueries({ queryKey: photoKeys.all })
  live.onMessage((message) => {
    applyPhotoMessage(queryClient, message)
    applyHoldMessage(queryClient, message)
    if (message.action === 'photo_request') requestUpdates.receive(message.request)
    if (message.action === 'photo_reported') reportRefetch.refetchSoon()
    if (message.action === 'photo_update') reportRefetch.photoChanged(message.photo)
    if (message.action === 'new_photo' || message.action === 'photo_deleted') refetchPlanStatus(queryClient)
    if (message.action === 'photo_deleted') {
      requestUpdates.refetchSoon()
      reportRefetch.refetchSoon()
    }
    if (message.action === 'user_update') {
      // Every media URL issued before may be invalid.
      refetchUser()
      refetchPhotos()
    }
  })
  let wasConnected = false
  live.subscribe(() => {
    if (live.status() !== 'connected') return
    // Messages sent while disconnected are not repeated.
    reportRefetch.refetchSoon()
    refetchHold(queryClient)
    if (wasConnected) for (const refetch of [refetchUser, refetchPhotos, requestUpdates.refetchSoon]) refetch()
    wasConnected = true
  })
  return () => {
    requestUpdates.cancel()
    reportRefetch.cancel()
  }
}
