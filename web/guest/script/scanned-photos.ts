import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import type { Catalogue } from '../../messages/en.ts'
import { callServer, countDownload, enhanceRequestForm, findElement, getElement } from './enhance.ts'
import { scannedPhotos, type ScannedPhoto } from './scanned-codes.ts'

/** What the script shows, in the language of the page. */
export type ScannedPhotosMessages = Catalogue['scannedPhotos']['script']

/** A photo of the list. */
interface Item extends ScannedPhoto {
  tile: HTMLElement
  /** `unknown` until the server has been asked; `email`: the hosts send it by email. */
  state: 'unknown' | 'processing' | 'open' | 'email'
  /** Its download name, without extension. */
  name: string
  isSaved: boolean
  /** Loaded, before the tap that shares it. */
  file: File | null
}

/** Files that phones share at once. */
const filesAtOnce = 10
const callsAtOnce = 4
const fileTimeoutMs = 60_000

/** The fields of the contract's `PublicPhoto` that are used here. */
interface Photo {
  filename: string
  thumbnail_url: string | null
  ask_email_to_receive_photo: boolean
}

const fill = (sentence: string, ...values: number[]): string =>
  values.reduce<string>((filled, value) => filled.replace('{}', String(value)), sentence)

async function forEach<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const queue = items.slice()
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item; item = queue.shift()) await action(item)
  }
  await Promise.all(Array.from({ length: callsAtOnce }, work))
}

/** Whether the browser hands files to the share sheet: not on plain http, nor on most computers. */
function canShareFiles(): boolean {
  try {
    return navigator.canShare({ files: [new File(['x'], 'photo.jpg', { type: 'image/jpeg' })] })
  } catch {
    return false
  }
}

const extensions: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' }

/** Adds the forms of an event, and the photos that this phone has scanned, to its page or that of one of its photos. */
export function enhanceEventPage(page: HTMLElement): void {
  // The others belong to the script of the pages of photos.
  for (const form of Array.from(page.querySelectorAll<HTMLFormElement>('form[data-also]')))
    enhanceRequestForm(form, form.nextElementSibling as HTMLElement) // rendered so
  const root = findElement(page, '[data-scanned]')
  if (root) enhanceScannedPhotos(page, root)
}

/** Keeps the photo of the page, and lists those of its event that this phone has kept. */
function enhanceScannedPhotos(main: HTMLElement, root: HTMLElement): void {
  const get = (selector: string): HTMLElement => getElement(root, selector)
  const { scanned: event = '', code, messages = '{}' } = root.dataset
  const text = JSON.parse(messages) as ScannedPhotosMessages // written by ScannedPhotos.tsx
  const list = get('[data-scanned-list]')
  const saveButton = get('[data-scanned-save]')
  const saveLabel = getElement(saveButton, '[data-label]')
  const status = get('[data-scanned-status]')
  const form = findElement(root, 'form')
  const [, pageId = ''] = /^\/photos\/([^/]+)$/.exec(main.dataset['calls'] || '') || []
  if (code && pageId) scannedPhotos.add({ id: pageId, event, ...(code !== pageId && { code }) })

  let items: Item[] = []
  let isLoading = false
  /** Photos that are no longer shared. */
  let droppedCount = 0
  /** What is wrong, or what to do. */
  let notice = ''

  const setText = (element: HTMLElement, sentence: string): void => {
    if (element.textContent !== sentence) element.textContent = sentence
  }
  const isSavable = ({ state, code: own }: Item): boolean => state === 'open' && !!own
  /** What the next tap saves. */
  const chunk = (): Item[] => items.filter((item) => isSavable(item) && !item.isSaved).slice(0, filesAtOnce)

  function show(): void {
    // A photo's own page shows it already.
    root.hidden = items.length < (pageId ? 2 : 1) && !droppedCount
    const details = get('details')
    details.hidden = items.length === 0
    setText(get('[data-scanned-count]'), items.length === 1 ? text.one : fill(text.many, items.length))
    const isRemembered = items.some((item) => item.isRemembered)
    setText(get('[data-scanned-lead]'), isRemembered ? text.leadRemembered : text.lead)
    get('[data-scanned-remember]').hidden = isRemembered
    const dropped = droppedCount === 1 ? text.droppedOne : droppedCount ? fill(text.dropped, droppedCount) : ''
    const byEmail = items.some(({ state }) => state === 'email') ? text.byEmail : ''
    setText(status, [notice, items.length > 0 && dropped, byEmail].filter(Boolean).join(' '))
    setText(get('[data-scanned-end]'), items.length === 0 && droppedCount ? text.allDropped : '')
    if (!form) return
    form.dataset['also'] = JSON.stringify({
      codes: items.slice(0, eventLimits.requestedPhotos).map((item) => item.code || item.id),
    })
    setText(
      get('[data-scanned-newest]'),
      items.length > eventLimits.requestedPhotos ? fill(text.newest, eventLimits.requestedPhotos) : '',
    )
  }
  function drop(item: Item): void {
    droppedCount += 1
    items = items.filter((one) => one !== item)
    scannedPhotos.remove([item.id])
    item.tile.remove()
    show()
  }

  // The list.

  function createItem(photo: ScannedPhoto, number: number): Item {
    const tile = document.createElement('li')
    const link = document.createElement('a')
    const image = document.createElement('img')
    link.href = photo.code ? `/d/${photo.code}` : `/request-photo/${photo.id}`
    image.alt = fill(text.photo, number)
    link.appendChild(image)
    tile.appendChild(link)
    list.appendChild(tile)
    return { ...photo, tile, state: 'unknown', name: '', isSaved: false, file: null }
  }
  function showPhoto(item: Item, { thumbnail_url: thumbnail }: Photo): void {
    const image = getElement(item.tile, 'img') as HTMLImageElement // created so
    if (thumbnail) image.src = thumbnail
    const saveLink = findElement(item.tile, 'a + a')
    if (saveLink || !isSavable(item)) return
    const link = document.createElement('a')
    link.href = `/d/${item.code || ''}?download=1`
    link.textContent = text.save
    link.setAttribute('aria-label', `${text.save} (${image.alt})`)
    item.tile.appendChild(link)
  }
  /** What each photo is now: the list on the phone does not know who has hidden or deleted one. */
  async function ask(item: Item): Promise<void> {
    const { status: answer, body } = await callServer(`/photos/${item.id}/public`)
    if (answer === 404) return drop(item)
    if (answer !== 200) return void (notice = text.notLoaded)
    const photo = body as Photo // as the contract's publicPhoto answers
    item.state = !photo.thumbnail_url ? 'processing' : photo.ask_email_to_receive_photo ? 'email' : 'open'
    item.name = photo.filename.replace(/\.\w+$/, '')
    showPhoto(item, photo)
  }
  async function open(): Promise<void> {
    const unknown = items.filter(({ state }) => state === 'unknown' || state === 'processing')
    if (isLoading || unknown.length === 0) return
    isLoading = true
    notice = ''
    await forEach(unknown, ask)
    isLoading = false
    show()
    await load()
  }

  // Save all.

  const showSave = (label: string, isBusy = false): void => {
    saveButton.hidden = !label
    saveButton.setAttribute('aria-busy', String(isBusy))
    setText(saveLabel, label)
  }
  async function fetchFile(item: Item): Promise<void> {
    const timeout = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timeout')), fileTimeoutMs))
    try {
      const response = await Promise.race([fetch(`/d/${item.code || ''}?screen=1`), timeout])
      if (response.status === 404) return drop(item)
      const bytes = await Promise.race([response.blob(), timeout])
      const extension = extensions[bytes.type]
      // A redirect to the page of a photo that is now sent by email ends with status 200.
      if (response.ok && !extension) item.state = 'email'
      if (!response.ok || !extension) return
      const name = `${item.name}-${items.indexOf(item) + 1}.${extension}`
      item.file = new File([bytes], name, { type: bytes.type })
    } catch {}
  }
  /** Loads what the next tap shares: phones share only right after one. */
  async function load(): Promise<void> {
    if (isLoading || !canShareFiles()) return
    const wanted = chunk()
    if (wanted.length === 0) return showSave('')
    isLoading = true
    let done = wanted.filter(({ file }) => file).length
    const showProgress = (): void => showSave(fill(text.loading, done, wanted.length), true)
    showProgress()
    await forEach(
      wanted.filter(({ file }) => !file),
      async (item) => {
        await fetchFile(item)
        done += 1
        showProgress()
      },
    )
    isLoading = false
    showReady()
  }
  function showReady(): void {
    const ready = chunk()
    const isMissing = ready.some(({ file }) => !file)
    notice = isMissing ? text.notLoaded : ''
    const left = items.filter((item) => isSavable(item) && !item.isSaved).length
    const isFirst = !items.some(({ isSaved }) => isSaved)
    const some = isFirst ? fill(text.saveFirst, ready.length) : fill(text.saveNext, ready.length)
    showSave(ready.length === 0 ? '' : isMissing ? text.again : isFirst && left === ready.length ? text.saveAll : some)
    show()
  }
  function share(): void {
    const shared = chunk()
    const files = shared.map(({ file }) => file as File) // each is loaded
    notice = ''
    show()
    // Not awaited: on iOS 15 the promise sometimes never settles, and the next tap must work.
    navigator.share({ files }).then(
      () => finish(shared),
      ({ name }: Error) => {
        if (name === 'AbortError') return
        notice = name === 'NotAllowedError' ? text.tapAgain : text.notShared
        if (name !== 'NotAllowedError') showSave('')
        show()
      },
    )
  }
  async function finish(shared: readonly Item[]): Promise<void> {
    for (const item of shared) {
      Object.assign(item, { isSaved: true, file: null })
      void countDownload(`/d/${item.code || ''}?download=1`)
    }
    await load()
    if (chunk().length > 0) return
    notice = text.saved
    show()
  }
  saveButton.addEventListener('click', () => {
    if (isLoading) return
    if (chunk().some(({ file }) => !file)) void load()
    else share()
  })

  // How long it is kept.

  get('[data-scanned-remember]').addEventListener('click', () => {
    scannedPhotos.remember(event)
    for (const item of items) item.isRemembered = true
    show()
    get('[data-scanned-lead]').focus()
  })
  get('[data-scanned-forget]').addEventListener('click', () => {
    scannedPhotos.forget()
    const end = get('[data-scanned-end]')
    get('details').hidden = true
    list.textContent = ''
    setText(end, text.forgotten)
    end.focus()
  })
  get('details').addEventListener('toggle', () => {
    if ((get('details') as HTMLDetailsElement).open) void open() // by its name
  })
  items = scannedPhotos.of(event).map((photo, at) => createItem(photo, at + 1))
  show()
}

const main = document.querySelector<HTMLElement>('main')
if (main) enhanceEventPage(main)
