import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { QueryObserver, type QueryObserverResult } from '@tanstack/react-query'
import type { AppState } from './app-state.ts'
import { applyReviewMessage } from './features/events/review-store.ts'
import { refetchApiKeys } from './features/integrations/api-keys.ts'
import { createLiveConnection, type LiveConnection } from './features/live/connection.ts'
import { eventsKey } from './features/events/events.ts'
import { createReportRefetch } from './features/guests/reports.ts'
import { createRequestUpdates } from './features/guests/requests.ts'
import { addUploadedPhoto, applyPhotoMessages, photoDaysKey, photoKeys } from './features/photos/photo-cache.ts'
import { applyHoldMessage, refetchHold } from './features/screen/hold.ts'
import { planRoomOf } from './features/photos/upload-queue.ts'
import { openUploadDatabase } from './features/photos/upload-database.ts'
import { createUploads, type Uploads } from './features/photos/uploads.ts'
import { loadUploadModule } from './lib/api.ts'
import { currentUserQuery } from './lib/app-services.tsx'
import { planStatusQuery, refetchSubscription, refetchUsage } from './features/plans/plan-status.ts'
import { refetchQueries } from './lib/refetch-query.ts'
import { openStorage } from './lib/storage.ts'

/** What runs while a user is signed in, whichever page is shown. */
export interface SessionServices {
  live: LiveConnection
  uploads: Uploads
  /** Opens the live connection of this user, and uploads their files. */
  start(userId: string): void
  /** Closes the live connection, stops the uploads, and cancels scheduled updates and refetches. */
  stop(): void
}

export function createSessionServices(state: AppState, page: Window): SessionServices {
  const { api, queryClient, session } = state
  const userKey = currentUserQuery(api).queryKey
  const refetchUser = (): void => void queryClient.invalidateQueries({ queryKey: userKey })
  const live = createLiveConnection({
    api,
    page,
    // If the session has ended, this call gets a 401, which signs the user out.
    checkUser: () => queryClient.invalidateQueries({ queryKey: userKey }, { throwOnError: true }),
  })
  // Loaded in advance, because the network may be down when the user chooses a file.
  void loadUploadModule()
  const uploads = createUploads({
    api,
    page,
    token: () => session.state().token,
    database: openUploadDatabase(),
    storage: openStorage(() => page.localStorage),
    onUploaded(photo) {
      addUploadedPhoto(queryClient, photo)
      refetchUsage(queryClient) // the live connection may be down
      refetchPhotoCount(queryClient, api)
    },
  })
  const cancelUpdates = applyLiveMessages(live, state, refetchUser)
  live.subscribe(() => live.status() === 'connected' && uploads.resume())
  let stopPlan = (): void => {}
  return {
    live,
    uploads,
    start(userId) {
      live.start(userId)
      uploads.setOwner({ id: userId })
      stopPlan()
      stopPlan = observePlan(state, uploads)
    },
    stop() {
      live.stop()
      if (session.state().endReason === 'signed-out') uploads.clearUnsent()
      uploads.setOwner(null)
      stopPlan()
      cancelUpdates()
    },
  }
}

/** Passes the plan's remaining quota to the uploads after every fetch of the status. Returns a stop function. */
function observePlan({ api, queryClient }: AppState, uploads: Uploads): () => void {
  const observer = new QueryObserver(queryClient, planStatusQuery(api))
  let fetchedAt = 0
  const apply = ({ data: status, dataUpdatedAt }: QueryObserverResult<SubscriptionStatus>): void => {
    // Also when nothing has changed: files that were refused since the last time may have room now.
    if (!status || dataUpdatedAt === fetchedAt) return
    fetchedAt = dataUpdatedAt
    uploads.setRoom(planRoomOf(status))
  }
  apply(observer.getCurrentResult())
  return observer.subscribe(apply)
}

/** Refetches the user at once after the first photo, which changes what Home says; otherwise only marks it as stale. */
function refetchPhotoCount(queryClient: AppState['queryClient'], api: AppState['api']): void {
  const { queryKey } = currentUserQuery(api)
  const isFirst = queryClient.getQueryData(queryKey)?.photo_count === 0
  void queryClient.invalidateQueries({ queryKey, refetchType: isFirst ? 'active' : 'none' })
}

/** Messages that follow another one within this time are applied together: hundreds of photos may be deleted in a second. */
const messageBatchMs = 80
/** Counts per evening are read again this long after the first of many changes. */
const countsDelayMs = 3_000

/** The number of photos that the account has after these messages. After deletions, the server is asked for it. */
const photoCountAfter = (count: number, messages: readonly ServerMessage[]): number =>
  messages.reduce((sum, message) => {
    if (message.action === 'photos_changed') return message.photo_count
    return message.action === 'new_photo' ? sum + 1 : sum
  }, count)

/**
 * Applies the messages of the live connection to the query cache, and refetches what may have changed. Returns a
 * function that cancels planned updates and refetches.
 */
function applyLiveMessages(live: LiveConnection, { api, queryClient }: AppState, refetchUser: () => void): () => void {
  const requestUpdates = createRequestUpdates(queryClient)
  const reportRefetch = createReportRefetch(queryClient, api)
  const refetchPlan = (): void => refetchSubscription(queryClient)
  const refetchKeys = (): void => refetchApiKeys(queryClient)
  /** What lists missed is among the changes. */
  const refetchPhotos = (): void => {
    const { latests, recents, singles, changes } = photoKeys
    for (const queryKey of [latests, recents, singles, changes]) refetchQueries(queryClient, queryKey)
  }
  const deletions = createDeletionFollowUp({
    first: () => refetchUsage(queryClient),
    last(isCountKnown) {
      refetchUsage(queryClient)
      requestUpdates.refetchSoon()
      reportRefetch.refetchSoon()
      if (!isCountKnown) refetchUser()
    },
  })
  let countsTimer: ReturnType<typeof setTimeout> | undefined
  const refetchCountsSoon = (): void => {
    countsTimer ??= setTimeout(() => {
      countsTimer = undefined
      refetchQueries(queryClient, photoDaysKey)
    }, countsDelayMs)
  }

  function apply(messages: readonly ServerMessage[]): void {
    const has = (...actions: ServerMessage['action'][]): boolean =>
      messages.some(({ action }) => actions.includes(action))
    applyPhotoMessages(queryClient, messages)
    queryClient.setQueryData(
      currentUserQuery(api).queryKey,
      (user) => user && { ...user, photo_count: photoCountAfter(user.photo_count, messages) },
    )
    for (const message of messages) {
      applyHoldMessage(queryClient, message)
      applyReviewMessage(queryClient, api, message)
      if (message.action === 'photo_request') requestUpdates.receive(message.request)
      if (message.action === 'photo_update') reportRefetch.photoChanged(message.photo)
    }
    if (has('api_keys_changed')) refetchKeys()
    if (has('photo_reported')) reportRefetch.refetchSoon()
    if (has('photo_deleted')) deletions.photoDeleted()
    if (has('photos_changed')) deletions.countKnown()
    if (has('new_photo', 'photo_deleted', 'photos_changed')) refetchCountsSoon()
    // A photo that has failed does not count.
    const hasFailed = messages.some((message) => message.action === 'photo_update' && message.photo.processing_failed)
    if (has('events_changed', 'current_event')) {
      refetchUser()
      void queryClient.invalidateQueries({ queryKey: eventsKey })
    }
    // What was moved, or is in a deleted event, is among the changes.
    if (has('events_changed')) {
      refetchPhotos()
      refetchCountsSoon()
    }
    if (has('new_photo') || hasFailed) refetchUsage(queryClient)
    // Rare, and much depends on the plan: limits, logos, insights, and which queries the server refuses.
    if (has('plan_updated')) {
      refetchQueries(queryClient, [])
      reportRefetch.refetchSoon() // also when no page shows them
    }
    if (has('user_update')) {
      // Every media URL issued before may be invalid: of lists, the page in view is read again.
      refetchUser()
      refetchPhotos()
      refetchQueries(queryClient, photoKeys.lists)
    }
  }

  let waiting: ServerMessage[] = []
  let batchTimer: ReturnType<typeof setTimeout> | undefined
  const applyWaiting = (): void => {
    const messages = waiting
    waiting = []
    batchTimer = messages.length > 0 ? setTimeout(applyWaiting, messageBatchMs) : undefined
    if (messages.length > 0) apply(messages)
  }
  live.onMessage((message) => {
    waiting.push(message)
    // The first one at once.
    if (batchTimer === undefined) applyWaiting()
  })
  let wasConnected = false
  live.subscribe(() => {
    if (live.status() !== 'connected') return
    // Messages sent while disconnected are not repeated; nor are those since a new page fetched its data. What seldom
    // changes is not fetched twice by a new page.
    for (const refetch of [reportRefetch.refetchSoon, requestUpdates.refetchSoon, refetchPhotos]) refetch()
    refetchHold(queryClient)
    if (wasConnected) {
      for (const refetch of [refetchUser, refetchPlan, refetchKeys]) refetch()
      refetchQueries(queryClient, eventsKey)
      refetchQueries(queryClient, photoDaysKey)
    }
    wasConnected = true
  })
  return () => {
    deletions.cancel()
    requestUpdates.cancel()
    reportRefetch.cancel()
    clearTimeout(batchTimer)
    clearTimeout(countsTimer)
    batchTimer = countsTimer = undefined
    waiting = []
  }
}

const lastDeletionMs = 1_500

/** Of many deletions in a row, the first and the last cause fetches. `isCountKnown`: the server has told the number of photos since. */
function createDeletionFollowUp({ first, last }: { first: () => void; last: (isCountKnown: boolean) => void }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isCountKnown = false
  return {
    photoDeleted() {
      isCountKnown = false
      if (timer === undefined) first()
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        last(isCountKnown)
      }, lastDeletionMs)
    },
    countKnown() {
      isCountKnown = true
    },
    cancel: () => clearTimeout(timer),
  }
}
