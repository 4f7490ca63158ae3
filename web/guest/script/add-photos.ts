import type { Adding, OwnPhoto, OwnPhotos } from '@keepsnap/contract/event-photos.ts'
import type { ErrorBody } from '@keepsnap/contract/errors.ts'
import type { Catalogue } from '../../messages/en.ts'
import { isInApp } from './enhance.ts'
import { type Answer, callServer, isReadable } from './call-server.ts'
import { type KeptFile, openKeptFiles } from './kept-files.ts'
import { createList, type Row } from './photo-rows.ts'

/** What the script shows, in the language of the page. */
export type AddPhotosMessages = Catalogue['addPhotos']['script'] & {
  /** Translations of the server's sentences, with `{}` for their values; undefined in English. */
  refusals?: Record<string, string> | undefined
}

/** A photo of this guest: a file that is to go up, or one that the server has. */
interface Entry {
  /** Its Idempotency-Key; empty for photos that were added before the page was opened. */
  key: string
  file: Blob | null
  fileName: string
  status: 'queued' | 'sending' | 'failed' | 'stored'
  /** How much of it was sent, 0 to 1. */
  share: number
  /** Why it failed, and whether it makes sense to send it again. */
  problem: string
  mayRetry: boolean
  tries: number
  request: XMLHttpRequest | null
  /** As the server shows it, and when that was told. */
  photo: OwnPhoto | null
  storedAt: number
  row: Row
}

const atOnce = 2
const maxTries = 30
const maxPauseMs = 30_000
/** The name that a guest has given, on this device; empty without a name. Missing until photos were added. */
const nameKey = 'guest-name'

const fill = (sentence: string, ...values: (string | number)[]): string =>
  values.reduce<string>((filled, value) => filled.replace('{}', String(value)), sentence)

/** `crypto.randomUUID` is missing on plain http. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const storedName = {
  get(): string | null {
    try {
      return localStorage.getItem(nameKey)
    } catch {
      return null
    }
  },
  set(name: string): void {
    try {
      localStorage.setItem(nameKey, name)
    } catch {}
  },
}

/** The server's sentence in the language of the page. */
function translated(sentence: string, refusals: Record<string, string> | undefined): string {
  if (!refusals || !sentence) return sentence
  for (const [english, translation] of Object.entries(refusals)) {
    const [start = '', end] = english.split('{}')
    if (end === undefined ? sentence !== english : !sentence.startsWith(start) || !sentence.endsWith(end)) continue
    return translation.replace('{0}', sentence.slice(start.length, sentence.length - (end || '').length))
  }
  return ''
}

/** Adds photos of a guest to an event: one after another, again after a lost connection, and after the page was closed. */
export function enhanceAddPhotos(main: HTMLElement, root: HTMLElement): void {
  const get = (selector: string): HTMLElement => root.querySelector<HTMLElement>(selector)! // always rendered
  const data = (name: string): string => root.dataset[name] || ''
  const path = data('add')
  const consent = data('consent')
  const text = JSON.parse(data('messages')) as AddPhotosMessages // written by AddPhotos.tsx
  const nameInput = get('#add-name') as HTMLInputElement // rendered so
  const openLink = get('[data-add-open]')
  const openLabel = get('[data-add-open] > span')
  const openText = openLabel.textContent || ''
  const kept = openKeptFiles()
  const list = createList(get('[data-add-list]'), get('[data-add-row]') as HTMLTemplateElement) // rendered so

  /** Newest first. */
  let entries: Entry[] = []
  let adding: Adding | null = null
  let hasJoined = false
  let isJoining = false
  /** Whether the server has been asked what can be added. */
  let wasAsked = false
  /** Photos that were taken back: an older answer may still have them. */
  const takenBack = new Set<string>()
  /** Why nothing is sent now, and until when. */
  let pause: { reason: 'offline' | 'busy'; timer: number } | null = null
  /** Why nothing is sent any more from this page. */
  let blockedBy = ''
  let failuresInRow = 0
  let isKept = true
  /** What has just happened. */
  let notice = ''
  let refreshTimer = 0
  let refreshCount = 0
  let photoNumber = 0

  const isUnsent = ({ status }: Entry): boolean => status === 'queued' || status === 'sending'
  const unsent = (): Entry[] => entries.filter(isUnsent)
  const closedSentence = (): string => (adding && adding.state !== 'open' ? text.closed[adding.state] : '')
  /** What is not sent yet stays so. */
  const isOver = (): boolean => !!blockedBy || (!!adding && /ended|off|blocked/.test(adding.state))
  const left = (): number => Math.max(0, (adding ? adding.left : Number(data('most'))) - unsent().length)

  // What the page shows.

  function photoStateOf({ state, error_message: message }: OwnPhoto): { sentence: string; tone?: 'ok' | 'bad' } {
    if (state === 'failed')
      return { sentence: translated(message || '', text.refusals) || text.states.failed, tone: 'bad' }
    return { sentence: text.states[state], ...((state === 'waiting' || state === 'shown') && { tone: 'ok' }) }
  }
  function stateOf({ status, share, problem, photo }: Entry): { sentence: string; tone?: 'ok' | 'bad' } {
    if (photo) return photoStateOf(photo)
    if (status === 'failed') return { sentence: problem, tone: 'bad' }
    if (status === 'sending') return { sentence: share < 1 ? `${Math.floor(share * 100)}%` : text.states.storing }
    // The page says above why the others wait.
    const reason = isOver() ? blockedBy || closedSentence() : pause ? text.problems[pause.reason] : ''
    return { sentence: reason || text.states.queued, ...(reason && { tone: 'bad' as const }) }
  }
  const canTakeBack = ({ photo }: Entry): boolean =>
    !!photo && !!photo.take_back_until && Date.parse(photo.take_back_until) > Date.now()
  function showEntry(entry: Entry): void {
    entry.row.show({
      ...stateOf(entry),
      share: entry.status === 'sending' ? entry.share : null,
      mayRetry: entry.status === 'failed' && entry.mayRetry,
      removal: entry.photo ? (canTakeBack(entry) ? 'take back' : null) : 'remove',
    })
    if (entry.photo && entry.photo.thumbnail_path) entry.row.showThumbnail(entry.photo.thumbnail_path)
  }
  /** Announced when it changes. */
  function setText(element: HTMLElement, sentence: string): void {
    if (element.textContent !== sentence) element.textContent = sentence
    if (element.hasAttribute('data-add-say')) element.hidden = !sentence
  }
  function summary(): string {
    const isFailed = ({ status }: Entry): boolean => status === 'failed'
    const failed = entries.filter(isFailed).length
    const chosen = entries.filter((entry) => entry.key && !isFailed(entry)).length
    const waiting = unsent().length
    return [
      failed && fill(text.notAdded, failed),
      chosen && !(waiting && isOver()) && (waiting ? fill(text.progress, chosen - waiting, chosen) : text.allIn),
      waiting && !isKept && !isOver() && text.keepOpen,
    ]
      .filter(Boolean)
      .join(' ')
  }
  function show(): void {
    entries.forEach(showEntry)
    const closed = blockedBy || closedSentence()
    const closedNote = get('[data-add-closed]')
    setText(closedNote.querySelector('span')!, closed)
    closedNote.hidden = !closed
    // Nobody chooses a file before it is known whether it can be added.
    get('[data-add-form]').hidden = !!closed || !wasAsked
    get('[data-add-lead]').hidden = !!closed
    // Then it leads to the photos of this guest.
    openLink.hidden = !!closed && (entries.length === 0 || (!!adding && adding.state === 'blocked'))
    setText(openLabel, closed ? get('#add-mine').textContent || '' : openText)
    setText(get('[data-add-left]'), adding && !closed ? fill(text.left, left()) : '')
    setText(get('[data-add-say]'), [notice, summary()].filter(Boolean).join(' '))
    setText(get('[data-add-summary]'), closed || summary())
    const isSending = entries.some(({ status }) => status === 'sending')
    window[isSending ? 'addEventListener' : 'removeEventListener']('beforeunload', warn)
  }
  const warn = (event: BeforeUnloadEvent): void => {
    event.preventDefault()
    event.returnValue = ''
  }

  // Photos that the server has.

  function createEntry(more: Partial<Entry>, before: Element | null): Entry {
    photoNumber += 1
    const row = list.add(fill(text.photo, photoNumber), before)
    const entry: Entry = {
      key: '',
      file: null,
      fileName: '',
      status: 'queued',
      share: 0,
      problem: '',
      mayRetry: true,
      tries: 0,
      request: null,
      photo: null,
      storedAt: 0,
      row,
      ...more,
    }
    row.onRetry(() => {
      // Whoever taps it has the sentence of consent above.
      Object.assign(entry, { status: 'queued', problem: '', tries: 0 })
      void keep(entry)
      endPause()
      send()
    })
    row.onRemove(() => void (entry.photo ? takeBack(entry, entry.photo) : forget(entry)))
    return entry
  }
  function forget(entry: Entry): void {
    entry.status = 'failed'
    if (entry.request) entry.request.abort()
    entries = entries.filter((one) => one !== entry)
    entry.row.remove()
    if (entry.key) void kept.remove(entry.key).catch(() => {})
    send()
  }
  async function takeBack(entry: Entry, { token }: OwnPhoto): Promise<void> {
    const { status } = await callServer('DELETE', `${path}/mine/${encodeURIComponent(token)}`)
    if (status === 204 || status === 404) {
      takenBack.add(token)
      notice = text.takenBack
      forget(entry)
    } else {
      notice = status === 409 ? '' : text.problems.takeBack
      entry.row.endQuestion()
    }
    return refresh()
  }
  function apply({ contributor, adding: now, photos }: OwnPhotos, askedAt: number): void {
    adding = now
    if (contributor && !hasJoined && nameInput !== document.activeElement) nameInput.value = contributor.name || ''
    hasJoined = contributor !== null
    const tokens = new Set(photos.map(({ token }) => token))
    for (const entry of entries)
      if (entry.photo && !tokens.has(entry.photo.token) && entry.storedAt < askedAt) {
        entry.row.remove()
        entries = entries.filter((one) => one !== entry)
      }
    // The oldest first, so that it gets the lowest number.
    for (const photo of photos.slice().reverse()) {
      if (takenBack.has(photo.token)) continue
      const known = entries.find((entry) => entry.photo && entry.photo.token === photo.token)
      if (known) known.photo = photo
      else entries.unshift(createEntry({ status: 'stored', photo }, list.first()))
    }
  }
  async function refresh(): Promise<void> {
    clearTimeout(refreshTimer)
    const askedAt = Date.now()
    const { status, body } = await callServer('GET', `${path}/mine`)
    if (status === 200) apply(body as OwnPhotos, askedAt) // as the contract says
    if (status === 404) blockedBy = text.closed.off
    else if (status === 200 && blockedBy === text.closed.off) blockedBy = ''
    wasAsked = true
    refreshCount += 1
    scheduleRefresh()
    send()
  }
  /** Often while photos are processed, seldom while they wait for the hosts; only while the page can be seen. */
  function scheduleRefresh(): void {
    clearTimeout(refreshTimer)
    const isIn = (state: OwnPhoto['state']): boolean => entries.some(({ photo }) => !!photo && photo.state === state)
    const mayOpen = !adding || /waiting|full|paused/.test(adding.state)
    const isProcessing = isIn('processing')
    if (document.hidden || !(isProcessing || isIn('waiting') || (mayOpen && (isOpened() || unsent().length > 0))))
      return
    const seconds = refreshCount < 20 && isProcessing ? 2 : refreshCount < 60 ? 6 : 30
    refreshTimer = window.setTimeout(() => void refresh(), seconds * 1_000)
  }

  // Files that are to go up.

  function endPause(): void {
    if (pause) clearTimeout(pause.timer)
    pause = null
  }
  function pauseFor(reason: 'offline' | 'busy', ms = Math.min(maxPauseMs, 1_000 * 2 ** failuresInRow)): void {
    endPause()
    failuresInRow += 1
    const timer = window.setTimeout(() => {
      pause = null
      send()
    }, ms)
    pause = { reason, timer }
  }
  async function join(): Promise<void> {
    const name = nameInput.value.trim()
    const language = data('language')
    const call = (more: object): Promise<Answer> =>
      callServer('POST', `${path}/join`, { json: { consent_version: consent, language, ...more } })
    const askedAt = Date.now()
    let answer = await call(hasJoined || name ? { name } : {})
    const isAboutName = answer.status === 422 && /"name"/.test(JSON.stringify(answer.body))
    get('#add-name-error').hidden = !isAboutName
    nameInput.setAttribute('aria-invalid', String(isAboutName))
    nameInput.parentElement!.classList.toggle('field--bad', isAboutName) // it is in a field
    // The photos do not wait for another name.
    if (isAboutName && !hasJoined) answer = await call({})
    const { status, body, retryAfterMs } = answer
    if (status === 200) {
      failuresInRow = 0
      if (!isAboutName) storedName.set(name)
      apply(body as OwnPhotos, askedAt) // as the contract says
    } else if (isAboutName) return
    else if (status === 422) blockedBy = text.problems.oldPage
    else if (status === 409 || status === 404) {
      await refresh()
      if (!closedSentence()) pauseFor('busy')
    } else pauseFor(status ? 'busy' : 'offline', retryAfterMs || undefined)
  }
  async function joinOnce(): Promise<void> {
    if (isJoining) return
    isJoining = true
    await join()
    isJoining = false
    send()
  }

  /** Sends what may be sent now, and shows everything. */
  function send(): void {
    const queue = entries.filter(({ status }) => status === 'queued').reverse()
    const isClosed = blockedBy || closedSentence()
    if (queue.length > 0 && !isClosed && !pause && !isJoining) {
      if (!hasJoined) void joinOnce()
      else {
        const running = entries.filter(({ status }) => status === 'sending').length
        for (const entry of queue.slice(0, Math.max(0, atOnce - running))) void sendOne(entry)
      }
    }
    show()
  }
  async function sendOne(entry: Entry): Promise<void> {
    const bytes = entry.file
    if (!bytes) return
    entry.status = 'sending'
    entry.share = 0
    const answer = await callServer('POST', `${path}/mine`, {
      file: {
        bytes,
        name: entry.fileName,
        key: entry.key,
        onStart: (request) => void (entry.request = request),
        onProgress: (share) => {
          entry.share = share
          if (entry.status === 'sending') showEntry(entry)
        },
      },
    })
    entry.request = null
    // Otherwise it was removed, or put back because the page was left.
    if (entry.status === 'sending') await handle(entry, bytes, answer)
    send()
  }
  function fail(entry: Entry, problem: string, mayRetry: boolean): void {
    Object.assign(entry, { status: 'failed', problem, mayRetry })
    if (!mayRetry) void kept.remove(entry.key).catch(() => {})
  }
  async function handle(entry: Entry, bytes: Blob, { status, body, retryAfterMs }: Answer): Promise<void> {
    entry.tries += 1
    if (status) failuresInRow = 0
    if (status === 200 || status === 201) return accept(entry, body as OwnPhoto) // as the contract says
    if (status === 0 && !(await isReadable(bytes))) return fail(entry, text.problems.unreadable, false)
    if (retryAfterMs === null && /^40[349]$/.test(String(status))) await refuse(entry)
    else if (status === 401) {
      if (entry.tries > 2) blockedBy = text.problems.noCookies
      hasJoined = false
    } else if (entry.tries > maxTries) fail(entry, text.states.failed, true)
    else if (status === 0) pauseFor('offline')
    else if (/^(40[389]|429|5..)$/.test(String(status))) pauseFor('busy', retryAfterMs || undefined)
    else fail(entry, refusalOf(status, body), false)
    if (entry.status === 'sending') entry.status = 'queued'
  }
  async function refuse(entry: Entry): Promise<void> {
    await refresh()
    // Otherwise this file was added and taken back before.
    if (!closedSentence()) fail(entry, text.states.failed, false)
  }
  function refusalOf(status: number, body: unknown): string {
    if (status === 413) return text.problems.tooLarge
    const detail = body ? (body as ErrorBody).detail : '' // of every refusal
    return translated(typeof detail === 'string' ? detail : '', text.refusals) || text.states.failed
  }
  function accept(entry: Entry, photo: OwnPhoto): void {
    void kept.remove(entry.key).catch(() => {})
    const twin = entries.find((one) => one !== entry && one.photo && one.photo.token === photo.token)
    if (twin) {
      entries = entries.filter((one) => one !== twin)
      twin.row.remove()
    }
    Object.assign(entry, { status: 'stored', photo, storedAt: Date.now(), file: null })
    if (adding) adding = { ...adding, left: Math.max(0, adding.left - 1) }
    refreshCount = 0
    scheduleRefresh()
  }
  async function keep({ key, file, fileName: name }: Entry): Promise<void> {
    if (!file) return
    const one: KeptFile = { key, path, file, name, consent, at: Date.now() }
    isKept = await kept.add(one).then(
      () => isKept,
      () => false,
    )
    // It went up, or was removed, while it was being kept.
    if (!entries.some((entry) => entry.key === key && isUnsent(entry))) await kept.remove(key).catch(() => {})
    if (!isKept) show()
  }
  async function choose(input: HTMLInputElement): Promise<void> {
    const files = Array.from(input.files || [])
    // The same file can be chosen again.
    input.value = ''
    const chosen = files.slice(0, left())
    notice = files.length > chosen.length ? fill(text.leftOut, files.length - chosen.length) : ''
    const anchor = list.first()
    const added: Entry[] = []
    for (const file of chosen) {
      // Slow phones show something in between.
      if (added.length % 8 === 7) await new Promise((resolve) => setTimeout(resolve))
      const entry = createEntry({ key: randomKey(), file, fileName: file.name || 'photo' }, anchor)
      if (/^(video|audio|text)\//.test(file.type)) fail(entry, text.problems.noPhoto, false)
      else if (adding && file.size > adding.file_bytes_max) fail(entry, text.problems.tooLarge, false)
      entry.row.preview(file)
      added.push(entry)
      entries.unshift(entry)
    }
    blockedBy = ''
    send()
    for (const entry of added) if (isUnsent(entry)) await keep(entry)
  }

  // The page.

  const isOpened = (): boolean => main.dataset['view'] === 'add'
  let started = false
  /** Files of an earlier visit go on. They were added under the sentence of that visit. */
  async function start(): Promise<void> {
    if (started) return
    started = true
    nameInput.value = storedName.get() || ''
    const files = await kept.of(path).catch(() => [])
    const anchor = list.first()
    const added = files.map(({ key, file, name, consent: agreed }) => {
      const entry = createEntry({ key, file, fileName: name }, anchor)
      if (agreed !== consent) fail(entry, text.problems.again, true)
      entry.row.preview(file)
      return entry
    })
    entries.unshift(...added.reverse())
    await refresh()
  }
  function showView(): void {
    const isAdd = root.hasAttribute('data-alone') || location.hash === '#add'
    if (isAdd === isOpened()) return
    main.dataset['view'] = isAdd ? 'add' : ''
    get('#add').hidden = !isAdd
    if (!root.hasAttribute('data-alone')) (isAdd ? get('#add-heading') : openLink).focus()
    if (isAdd) void start()
  }
  const wake = (): void => {
    if (document.hidden || !started) return
    endPause()
    refreshCount = 0
    send()
    void refresh()
  }
  /** Requests of a page that is left end without an answer. */
  const putBack = (): void => {
    for (const entry of entries)
      if (entry.status === 'sending') {
        entry.status = 'queued'
        if (entry.request) entry.request.abort()
      }
    show()
  }
  const filesInput = get('#add-files') as HTMLInputElement // rendered so
  const cameraInput = get('#add-camera') as HTMLInputElement // rendered so
  // iPhones then convert their photos. iPads say that they are Macs.
  if (/iP(hone|ad|od)/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1))
    filesInput.accept = 'image/jpeg,image/png'
  for (const button of Array.from(root.querySelectorAll<HTMLElement>('[data-add-choose]'))) {
    const input = button.dataset['addChoose'] === 'camera' ? cameraInput : filesInput
    if (input === cameraInput) button.hidden = !window.matchMedia('(pointer: coarse)').matches
    button.addEventListener('click', () => {
      if (isInApp()) {
        notice = text.inApp
        show()
      }
      input.click()
    })
    input.addEventListener('change', () => void choose(input))
  }
  nameInput.addEventListener('change', () => {
    if (hasJoined) void joinOnce()
  })
  openLink.hidden = false
  const back = root.querySelector('[data-add-back]')
  if (back)
    back.addEventListener('click', (event) => {
      event.preventDefault()
      if (wasOpenedHere) return history.back()
      history.replaceState(null, '', location.pathname + location.search)
      showView()
    })
  let wasOpenedHere = false
  openLink.addEventListener('click', () => (wasOpenedHere = true))
  window.addEventListener('hashchange', showView)
  window.addEventListener('online', wake)
  window.addEventListener('pageshow', ({ persisted }) => persisted && wake())
  window.addEventListener('pagehide', putBack)
  document.addEventListener('visibilitychange', wake)
  showView()
  // Guests who have never added photos cause no further call.
  if (storedName.get() !== null) void start()
}

const main = document.querySelector<HTMLElement>('main')
const root = document.querySelector<HTMLElement>('[data-add]')
if (main && root) enhanceAddPhotos(main, root)
