import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Api } from '../../../lib/api.ts'
import { randomId } from '../../../lib/random.ts'
import type { UploadProblem } from './problems.ts'
import { firstState, isUnderway, mayGoNow, mayRetry, mostItems, type Tier, type UploadItem } from './queue.ts'
import { createSender } from './sender.ts'
import type { Shelf } from './shelf.ts'
import { createUploadStore, isAt, type UploadsState } from './upload-store.ts'

/** Files on their way to the server. They go on while their person looks at other pages. */
export interface Uploads {
  state(): UploadsState
  subscribe(listener: () => void): () => void
  /** Adds files; one alone waits for `start`, several start at once. Returns how many did not fit. */
  add(files: readonly { file: File; isImage: boolean }[]): number
  start(id: string): void
  retry(id: string): void
  retryAll(): void
  remove(id: string): void
  /** Takes what is up off the list. */
  clear(ids: readonly string[]): void
  /** The server can be reached again. */
  resume(): void
  /** Whose files these are. Null: nobody is signed in; everything waits for the same person to come back. */
  belongTo(user: Owner | null): void
}
interface Owner {
  id: string
  tier: Tier
}

interface UploadsParts {
  api: Pick<Api, 'upload'>
  token: () => string | null
  shelf: Shelf
  /** Hears of each photo that the server has taken. */
  onStored: (photo: Photo) => void
  /** Where leaving and the network's return are told. */
  page: Pick<Window, 'addEventListener'>
}

export function createUploads({ api, token, shelf, onStored, page }: UploadsParts): Uploads {
  let owner: Owner | null = null
  let lastOwner: string | null = null
  const store = createUploadStore()
  const sender = createSender({
    store,
    api,
    token,
    mayRun: () => owner !== null,
    onNoRoom: hold,
    onStored(id, photo) {
      store.turn((item) => item.id === id, { at: 'stored', photoId: photo.id })
      void shelf.remove([id])
      onStored(photo)
    },
  })

  page.addEventListener('beforeunload', (event) => {
    if (isUnderway(store.state().items)) event.preventDefault()
  })
  page.addEventListener('online', resume)

  function hold(id: string, problem: UploadProblem): void {
    if (!owner) return
    // A full month is full for the others too; storage may still take a smaller one.
    const forAll = problem.kind === 'no-room' && problem.what === 'photos'
    const since = Date.now()
    const fits = (item: UploadItem): boolean => item.id === id || (forAll && item.state.at === 'waiting')
    store.turn(fits, { at: 'held', problem, tier: owner.tier, since })
    keep(store.state().items.filter(({ state }) => state.at === 'held' && state.since === since))
  }

  function keep(items: readonly UploadItem[]): void {
    if (!owner) return
    for (const { id, file, state } of items) {
      if (state.at === 'held') void shelf.put({ id, owner: owner.id, file, state })
    }
  }

  /** Files of this person that were held before the page was loaded. */
  async function fetchKept(user: Owner): Promise<void> {
    const kept = await shelf.of(user.id)
    if (owner?.id !== user.id) return
    const items = kept
      .filter(({ id }) => !store.find(id))
      .map(({ id, file, state }) => ({ id, file, preview: URL.createObjectURL(file), state }))
    if (items.length > 0) store.become({ items: [...items, ...store.state().items] })
    release()
  }

  /** What held a file back may be gone. */
  function release(): void {
    const tier = owner?.tier
    if (!tier) return
    store.turn(({ state }) => state.at === 'held' && mayGoNow(state, { tier, at: Date.now() }), { at: 'waiting' })
    sender.pump()
  }
  function resume(): void {
    release()
    sender.wake()
  }

  const again = (fits: (item: UploadItem) => boolean): void => {
    store.turn(fits, { at: 'waiting' })
    sender.wake()
  }

  function drop(ids: ReadonlySet<string>): void {
    const { items, solo } = store.state()
    for (const { id, preview } of items.filter((item) => ids.has(item.id))) {
      sender.abort(id)
      URL.revokeObjectURL(preview)
    }
    store.become({
      items: items.filter(({ id }) => !ids.has(id)),
      solo: solo !== null && ids.has(solo) ? null : solo,
    })
  }

  function add(files: readonly { file: File; isImage: boolean }[]): number {
    const { items } = store.state()
    const facts = { tier: owner?.tier ?? 'free', now: Date.now() }
    const fresh = files.slice(0, Math.max(0, mostItems - items.length)).map(({ file, isImage }): UploadItem => {
      const state = firstState(file.size, { ...facts, isImage })
      return { id: randomId(), file, preview: URL.createObjectURL(file), state }
    })
    const [only] = fresh
    if (items.length === 0 && fresh.length === 1 && only) {
      store.become({ items: fresh, solo: only.id })
      store.turn(isAt('waiting'), { at: 'chosen' })
    } else if (fresh.length > 0) {
      store.become({ items: [...items, ...fresh], solo: null })
      store.turn(isAt('chosen'), { at: 'waiting' })
    }
    keep(fresh)
    sender.pump()
    return files.length - fresh.length
  }

  function belongTo(user: Owner | null): void {
    if (owner?.id === user?.id && owner?.tier === user?.tier) return
    if (user && lastOwner !== null && lastOwner !== user.id) drop(new Set(store.state().items.map(({ id }) => id)))
    const came = user !== null && owner?.id !== user.id
    owner = user
    if (!user) return sender.rest()
    lastOwner = user.id
    if (came) void fetchKept(user)
    release()
  }

  return {
    state: store.state,
    subscribe: store.subscribe,
    add,
    start: (id) => again((item) => item.id === id && item.state.at === 'chosen'),
    retry: (id) => again((item) => item.id === id && 'problem' in item.state && mayRetry(item.state)),
    retryAll: () => again(isAt('stopped')),
    remove(id) {
      drop(new Set([id]))
      void shelf.remove([id])
      sender.pump()
    },
    clear: (ids) => drop(new Set(ids)),
    resume,
    belongTo,
  }
}
