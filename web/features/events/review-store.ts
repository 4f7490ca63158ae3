import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Input, Reply } from '@keepsnap/contract/endpoint.ts'
import { decideReview, listReview, type ReviewPhoto, type ReviewState } from '@keepsnap/contract/event-photos.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { ApiError, isTransient, NetworkError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { createListeners } from '../../lib/listeners.ts'
import { eventsQuery } from './events.ts'

/** Both lists of an event begin with it. */
export const reviewKey = (eventId: string) => ['review', eventId] as const

/** Whose review it is: that of an event's owner, or of a helper. */
export interface ReviewSource {
  /** Both of its lists begin with it. */
  key: readonly [string, string]
  list(query: { limit: number; after?: string }, options?: { signal: AbortSignal }): Promise<Reply<typeof listReview>>
  decide(body: Input<typeof decideReview>['body']): Promise<Reply<typeof decideReview>>
}

export const ownerReview = (api: Api, eventId: string): ReviewSource => ({
  key: reviewKey(eventId),
  list: (query, options) => api.call(listReview, { params: { id: eventId }, query }, options),
  decide: (body) => api.call(decideReview, { params: { id: eventId }, body }),
})

/** The photos that wait, the oldest first. More than a page of them come as these are decided. */
export const waitingQuery = ({ key, list }: ReviewSource) =>
  queryOptions({
    queryKey: [...key, 'waiting'] as const,
    queryFn: ({ signal }) => list({ limit: eventLimits.reviewPageMax }, { signal }),
  })

/** The ids of all photos that wait now. */
export async function idsOfWaiting({ list }: ReviewSource): Promise<string[]> {
  const ids: string[] = []
  let after: string | null | undefined
  do {
    const page: Reply<typeof listReview> = await list({ limit: eventLimits.reviewPageMax, ...(after && { after }) })
    ids.push(...page.photos.map(({ id }) => id))
    after = page.next
  } while (after)
  return ids
}

type Decided = Exclude<ReviewState, 'waiting'>
/** Of which photos what was decided. Those of which only the id is known come back with the next fetch. */
interface Step {
  ids: readonly string[]
  to: Decided
}

/** One photo of a call. */
interface Change {
  id: string
  from: ReviewState
  to: ReviewState
}

/** Why photos are not as the user decided. */
export interface ReviewProblem {
  kind: 'failed' | 'conflict' | 'gone'
  /** What had been decided. */
  to: ReviewState
  count: number
  error: unknown
}

interface ReviewStoreState {
  /** The last change of each photo that the server has not confirmed. */
  unconfirmed: ReadonlyMap<string, Change>
  /** What undo takes back, the last one at the end. */
  steps: readonly Step[]
  /** How many more photos will wait once the server has confirmed everything; mostly negative. */
  countChange: number
  /** How many decisions wait for a connection; 0 while there is one. */
  unsent: number
}

const retryMs = 2_000
const maxFailures = 3
/** Changes of others are fetched at most so often. */
const refetchMs = 1_000
const maxSteps = 200

export type ReviewStore = ReturnType<typeof createReviewStore>

/**
 * Decisions about the photos of an event: shown at once, sent one call after the other in their order, and taken back when the server
 * refuses them. It outlives the page, so that leaving that loses no decision.
 */
export function createReviewStore(source: ReviewSource, queryClient: QueryClient) {
  const { queryKey } = waitingQuery(source)
  const changes = createListeners<void>()
  const problems = createListeners<ReviewProblem>()
  /** Photos that were in the list since the page was loaded, to show them again after an undo. */
  const known = new Map<string, ReviewPhoto>()
  const unconfirmed = new Map<string, Change>()
  let queue: Change[] = []
  let inFlight: readonly Change[] = []
  let steps: readonly Step[] = []
  let isStuck = false
  let isSending = false
  let state: ReviewStoreState = { unconfirmed: new Map(), steps, countChange: 0, unsent: 0 }

  function update(): void {
    const open = [...inFlight, ...queue]
    const countChange = open.reduce(
      (sum, { from, to }) => sum + Number(to === 'waiting') - Number(from === 'waiting'),
      0,
    )
    state = { unconfirmed: new Map(unconfirmed), steps, countChange, unsent: isStuck ? open.length : 0 }
    changes.notify()
  }
  function setStuck(stuck: boolean): void {
    if (stuck === isStuck) return
    isStuck = stuck
    update()
  }
  function submit(ids: readonly string[], from: ReviewState, to: ReviewState): void {
    for (const id of ids) {
      const change = { id, from, to }
      queue.push(change)
      unconfirmed.set(id, change)
    }
    update()
    void sendAll()
  }

  async function sendAll(): Promise<void> {
    if (isSending) return
    isSending = true
    window.addEventListener('beforeunload', keepPage)
    while (queue.length > 0) {
      const { from, to } = queue[0]! // it is not empty
      const end = queue.findIndex((change) => change.from !== from || change.to !== to)
      inFlight = queue.slice(0, Math.min(end < 0 ? queue.length : end, limits.bulkMax))
      queue = queue.slice(inFlight.length)
      await send(inFlight, from, to)
    }
    window.removeEventListener('beforeunload', keepPage)
    isSending = false
    refetchSoon()
  }
  async function send(sent: readonly Change[], from: ReviewState, to: ReviewState): Promise<void> {
    const ids = sent.map(({ id }) => id)
    for (let failures = 1; ; failures += 1) {
      try {
        const reply = await source.decide({ ids, from, to })
        isStuck = false
        return await finish(sent, to, reply)
      } catch (error) {
        const isLost = error instanceof NetworkError
        const isTooMany = error instanceof ApiError && error.status === 429
        const mayRetry = isLost || isTooMany || (isTransient(error) && failures <= maxFailures)
        if (!mayRetry) return giveUp(sent, to, error)
        if (isLost) setStuck(true)
        await waitForConnection(error instanceof ApiError && error.retryAfter ? error.retryAfter * 1_000 : retryMs)
      }
    }
  }
  async function finish(sent: readonly Change[], to: ReviewState, reply: Reply<typeof decideReview>): Promise<void> {
    const stateOf = new Map(reply.results.map(({ id, outcome, review }) => [id, outcome === 'done' ? to : review]))
    // Somebody else may have decided the same, or the first answer of a repeated call was lost.
    const other = sent.filter(({ id }) => stateOf.get(id) !== to)
    const gone = other.filter(({ id }) => (stateOf.get(id) ?? null) === null)
    await confirm(sent, other, (list) => {
      const stays = list.photos.filter(({ id }) => (stateOf.has(id) ? stateOf.get(id) === 'waiting' : true))
      const back = sent.flatMap(({ id }) => {
        const photo = known.get(id)
        const isMissing = photo && stateOf.get(id) === 'waiting' && !stays.some((one) => one.id === id)
        return isMissing ? [photo] : []
      })
      return { ...list, photos: inOrder([...stays, ...back]), waiting_count: reply.waiting_count }
    })
    const conflicts = other.length - gone.length
    if (conflicts > 0) problems.notify({ kind: 'conflict', to, count: conflicts, error: null })
    if (gone.length > 0) problems.notify({ kind: 'gone', to, count: gone.length, error: null })
  }
  async function giveUp(sent: readonly Change[], to: ReviewState, error: unknown): Promise<void> {
    await confirm(sent, sent, (list) => list)
    problems.notify({ kind: 'failed', to, count: sent.length, error })
  }
  /** The list is changed first, so that no photo appears in between. `undone`: what has not become as it was decided. */
  async function confirm(
    sent: readonly Change[],
    undone: readonly Change[],
    change: (list: Reply<typeof listReview>) => Reply<typeof listReview>,
  ): Promise<void> {
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (list) => list && change(list))
    for (const one of sent) if (unconfirmed.get(one.id) === one) unconfirmed.delete(one.id)
    const ids = new Set(undone.map(({ id }) => id))
    steps = steps
      .map((step) => ({ ...step, ids: step.ids.filter((id) => !ids.has(id)) }))
      .filter((step) => step.ids.length > 0)
    inFlight = []
    isStuck = false
    update()
  }

  let refetchTimer: ReturnType<typeof setTimeout> | undefined
  function refetchSoon(): void {
    refetchTimer ??= setTimeout(() => {
      refetchTimer = undefined
      // After the last answer there is another one.
      if (!isSending) void queryClient.invalidateQueries({ queryKey: source.key })
    }, refetchMs)
  }
  return {
    state: () => state,
    subscribe: changes.add,
    onProblem: problems.add,
    known: (id: string) => known.get(id),
    /** Ids of the photos that were shown large. */
    seen: new Set<string>(),
    remember(photos: readonly ReviewPhoto[]): void {
      for (const photo of photos) known.set(photo.id, photo)
    },
    decide(ids: readonly string[], to: Decided): void {
      steps = [...steps, { ids, to }].slice(-maxSteps)
      submit(ids, 'waiting', to)
    },
    /** Takes the last step back. What has not been sent yet is not sent. Returns what waits again; null without a step. */
    undo(): Step | null {
      const step = steps.at(-1)
      if (!step) return null
      steps = steps.slice(0, -1)
      const unsent = new Set(queue.filter(({ id, to }) => to === step.to && step.ids.includes(id)).map(({ id }) => id))
      queue = queue.filter(({ id }) => !unsent.has(id))
      for (const id of unsent) unconfirmed.delete(id)
      submit(
        step.ids.filter((id) => !unsent.has(id)),
        step.to,
        'waiting',
      )
      return step
    },
    /** The server has told how many photos wait: something was decided or added, maybe here. */
    countChanged(count: number): void {
      if (!isSending) queryClient.setQueryData(queryKey, (list) => list && { ...list, waiting_count: count })
      refetchSoon()
    },
    refetchSoon,
  }
}

const keepPage = (event: BeforeUnloadEvent): void => event.preventDefault()

const waitForConnection = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
  })

const inOrder = (photos: readonly ReviewPhoto[]): ReviewPhoto[] =>
  [...photos].sort((one, other) => (one.added_at < other.added_at ? -1 : Number(one.added_at > other.added_at)))

/** What waits as the user sees it: without what was decided here, with what was taken back. */
export function shownPhotos(
  list: readonly ReviewPhoto[],
  { unconfirmed }: Pick<ReviewStoreState, 'unconfirmed'>,
  known: (id: string) => ReviewPhoto | undefined,
): readonly ReviewPhoto[] {
  if (unconfirmed.size === 0) return list
  const shown = list.filter(({ id }) => (unconfirmed.get(id)?.to ?? 'waiting') === 'waiting')
  const listed = new Set(list.map(({ id }) => id))
  const back = [...unconfirmed.values()].flatMap(({ id, to }) => {
    const photo = to === 'waiting' && !listed.has(id) ? known(id) : undefined
    return photo ? [photo] : []
  })
  return back.length > 0 ? inOrder([...shown, ...back]) : shown
}

const stores = new WeakMap<QueryClient, Map<string, ReviewStore>>()

/** The store of a review, the same as long as the app runs. */
export function reviewStoreOf(source: ReviewSource, queryClient: QueryClient): ReviewStore {
  const name = source.key.join(' ')
  const ofApp = stores.get(queryClient) ?? new Map<string, ReviewStore>()
  stores.set(queryClient, ofApp)
  const store = ofApp.get(name) ?? createReviewStore(source, queryClient)
  ofApp.set(name, store)
  return store
}

/** Puts the number of waiting photos into the list of events, which menus and pages show. */
export function applyReviewMessage(queryClient: QueryClient, api: Api, message: ServerMessage): void {
  if (message.action !== 'review_changed') return
  const { event_id: id, waiting_count } = message
  queryClient.setQueryData(eventsQuery(api).queryKey, (events) =>
    events?.map((event) => (event.id === id ? { ...event, waiting_count } : event)),
  )
}
