import { localeOf } from '../../lib/format.ts'
import { createDateTimeFormat } from '../date-time.ts'
import { galleryHash } from '../gallery-hash.ts'

/** A photo as the contract's `eventPhotos` lists it, or as the page has it: then with its text. */
interface GalleryPhoto {
  token: string
  width: number | null
  height: number | null
  shown_at?: string
  taken_at?: string
  alt?: string
}
interface GalleryPage {
  photos: GalleryPhoto[]
  next: string | null
}

/** Photos that are in the document together, or not at all: then an empty list keeps their height. */
interface Section {
  list: HTMLElement
  photos: GalleryPhoto[]
  isFilled: boolean
}

/** More photos make a new section; with the next four pages they are fewer than 400. */
const sectionPhotos = 60
/** Around the visible part, sections are filled and the next page is loaded. */
const near = '1200px 0px'
const pollMs = 10_000
const maxPollMs = 120_000

/** Loads older photos as the guest scrolls, shows new ones as they come, and keeps few in the document at a time. */
export function enhanceGallery(main: HTMLElement): void {
  const { path = '', zone = '', alt = '', order = '', opens } = main.dataset
  countScan(path)
  if (opens) return openAt(Date.parse(opens))
  showChosenHour(main)
  const place = main.querySelector<HTMLElement>('[data-photos]')
  const more = main.querySelector<HTMLElement>('[data-more]')
  const firstList = place && place.querySelector('ol')
  // Browsers of before keep the page as it is, whose links work.
  if (!place || !more || !firstList || !('IntersectionObserver' in window)) return

  const format = createDateTimeFormat(localeOf(document.documentElement.lang, navigator.languages), zone || undefined)
  const textOf = ({ alt: text, shown_at: shownAt = '', taken_at: takenAt = shownAt }: GalleryPhoto): string =>
    text === undefined ? alt.replace('{}', format(takenAt)) : text
  const sections: Section[] = []
  const knownTokens = (): Set<string> => {
    const known = new Set<string>()
    for (const { photos } of sections) for (const { token } of photos) known.add(token)
    return known
  }
  const sectionOf = (list: Element): Section | undefined => sections.find((section) => section.list === list)

  const tileOf = (photo: GalleryPhoto): HTMLElement => {
    const [item, link, image] = [
      document.createElement('li'),
      document.createElement('a'),
      document.createElement('img'),
    ]
    link.href = `${path}/p/${photo.token}`
    image.width = photo.width || 3
    image.height = photo.height || 2
    image.alt = textOf(photo)
    image.src = `${link.href}/thumbnail`
    link.appendChild(image)
    item.appendChild(link)
    return item
  }
  const draw = (section: Section): void => {
    const tiles = document.createDocumentFragment()
    if (section.isFilled) for (const photo of section.photos) tiles.appendChild(tileOf(photo))
    else section.list.style.height = `${section.list.offsetHeight}px`
    section.list.textContent = ''
    section.list.appendChild(tiles)
    if (!section.isFilled) return
    section.list.style.height = ''
    fillLastRow(section)
  }
  /** With photos of the next section: a row that is not full would be stretched, and its photos cut. */
  const fillLastRow = (section: Section): void => {
    const { list, photos } = section
    const at = sections.indexOf(section)
    const next = sections[at + 1]
    const tiles = Array.from(list.children) as HTMLElement[] // as drawn
    const last = tiles[tiles.length - 1]
    if (at < 0 || !next || !last) return
    const widthOf = ({ width, height }: GalleryPhoto): number => (last.offsetHeight * (width || 3)) / (height || 2) + 2
    const row = tiles.filter(({ offsetTop }) => offsetTop === last.offsetTop)
    let left = list.offsetWidth - photos.slice(-row.length).reduce((sum, photo) => sum + widthOf(photo), 0)
    let first = next.photos[0]
    if (!first || widthOf(first) >= left) return
    for (; first && widthOf(first) < left; first = next.photos[0]) {
      left -= widthOf(first)
      photos.push(first)
      list.appendChild(tileOf(first))
      next.photos.shift()
      if (next.list.firstChild) next.list.removeChild(next.list.firstChild)
    }
    if (first) fillLastRow(next)
    else removeSection(next)
  }
  const visible = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const section = sectionOf(target)
        if (!section || section.isFilled === isIntersecting) continue
        // A focused photo stays.
        if (!isIntersecting && target.contains(document.activeElement)) continue
        section.isFilled = isIntersecting
        draw(section)
      }
    },
    { rootMargin: near },
  )
  const addSection = (photos: GalleryPhoto[], at: number, list = document.createElement('ol')): Section => {
    const section = { list, photos, isFilled: true }
    list.className = 'gallery'
    if (!list.parentElement) place.insertBefore(list, (sections[at] || { list: null }).list)
    sections.splice(at, 0, section)
    visible.observe(list)
    return section
  }
  const removeSection = (section: Section): void => {
    visible.unobserve(section.list)
    place.removeChild(section.list)
    sections.splice(sections.indexOf(section), 1)
  }
  const photosOf = (list: Element): GalleryPhoto[] =>
    Array.from(list.querySelectorAll('img')).map((image) => ({
      token: tokenIn(image.parentElement as HTMLAnchorElement), // each picture is in a link
      width: Number(image.getAttribute('width')),
      height: Number(image.getAttribute('height')),
      alt: image.alt,
    }))
  addSection(photosOf(firstList), 0, firstList)

  /** Of the next page; null on the last. */
  let next = more.hidden ? null : new URLSearchParams(linkIn(more).search).get('before')
  const setNext = (token: string | null): void => {
    next = token
    more.hidden = token === null
    linkIn(more).href = `${path}?${order}before=${token || ''}`
  }
  let isLoading = false
  const loadMore = async (): Promise<void> => {
    if (isLoading || next === null) return
    isLoading = true
    const asked = next
    const answer = await fetchPage(`${path}/photos?${order}before=${asked}`)
    isLoading = false
    if (answer.status === 404) return location.reload()
    if (!answer.page || next !== asked) return
    const known = knownTokens()
    // A poll has added those that came into the first page when others were hidden.
    addAll(answer.page.photos.filter(({ token }) => !known.has(token)))
    setNext(answer.page.next)
    // It tells again only of changes.
    end.unobserve(more)
    end.observe(more)
  }
  const addAll = (photos: GalleryPhoto[]): void => {
    if (photos.length === 0) return
    const last = sections[sections.length - 1]
    const added = addSection(photos, sections.length)
    if (last) fillLastRow(last)
    if (added.photos.length > 0) draw(added)
  }
  const end = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void loadMore()
    },
    { rootMargin: near },
  )
  end.observe(more)

  // New photos

  const newButton = main.querySelector<HTMLElement>('[data-new]')
  const empty = main.querySelector<HTMLElement>('[data-empty]')
  const isNearTop = (): boolean => window.pageYOffset < window.innerHeight / 2

  /** Makes the newest photos those of a page; new ones only when the guest sees them come. */
  const update = (page: GalleryPage, addsNew: boolean): void => {
    const listed = new Set(page.photos.map(({ token }) => token))
    const known = knownTokens()
    const isNew = ({ token }: GalleryPhoto): boolean => !known.has(token)
    if (page.next !== null && page.photos.every(isNew)) {
      if (newButton) newButton.hidden = addsNew
      if (!addsNew) return
      // More than one page is new: as after loading the page again.
      for (const section of sections.slice()) removeSection(section)
      addAll(page.photos)
      return setNext(page.next)
    }
    removeMissing(listed, page.next === null)
    const hasNew = page.photos.some(isNew)
    if (newButton) newButton.hidden = addsNew || !hasNew
    if (hasNew && addsNew) insert(page.photos.slice(), isNew)
    if (empty) empty.hidden = sections.some(({ photos }) => photos.length > 0)
  }
  /** Takes away what is not listed; if not all is listed, of those that are newer than the oldest listed one. */
  const removeMissing = (listed: Set<string>, isAll: boolean): void => {
    let isBelow = !isAll
    for (const section of sections.slice().reverse()) {
      const kept = section.photos
        .slice()
        .reverse()
        .filter(({ token }) => {
          if (listed.has(token)) isBelow = false
          return isBelow || listed.has(token)
        })
        .reverse()
      if (kept.length === section.photos.length) continue
      section.photos = kept
      if (section.isFilled) draw(section)
      if (kept.length === 0 && sections.length > 1) removeSection(section)
    }
  }
  /** Puts each new photo after the one that is before it in the list. */
  const insert = (photos: GalleryPhoto[], isNew: (photo: GalleryPhoto) => boolean): void => {
    const [first] = sections
    const head = !first || first.photos.length >= sectionPhotos ? addSection([], 0) : first
    const changed = new Set<Section>()
    let before: string | null = null
    for (const photo of photos) {
      const section = sections.find((one) => one.photos.some(({ token }) => token === before)) || head
      if (isNew(photo)) {
        const at = section.photos.findIndex(({ token }) => token === before)
        section.photos.splice(at + 1, 0, photo)
        changed.add(section)
      }
      before = photo.token
    }
    changed.forEach((section) => {
      if (section.isFilled) draw(section)
    })
  }
  if (main.dataset['newest'] === undefined) return
  let latest: GalleryPage | null = null
  let entityTag = ''
  let delayMs = pollMs
  const poll = async (): Promise<void> => {
    if (document.hidden) return
    const answer = await fetchPage(`${path}/photos${order && `?${order}`}`)
    if (answer.status === 404) return location.reload()
    delayMs = answer.page ? pollMs : Math.min(delayMs * 2, maxPollMs)
    if (!answer.page || answer.entityTag === entityTag) return
    latest = answer.page
    const addsNew = isNearTop()
    update(latest, addsNew)
    entityTag = addsNew ? answer.entityTag : ''
  }
  let timer = 0
  const schedule = (): void => {
    clearTimeout(timer)
    // Not all phones at the same moment.
    if (!document.hidden)
      timer = window.setTimeout(() => void poll().then(schedule, schedule), delayMs * (0.8 + Math.random() * 0.4))
  }
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    if (!document.hidden) void poll().then(schedule, schedule)
  })
  if (newButton)
    newButton.addEventListener('click', () => {
      window.scrollTo(0, 0)
      if (latest) update(latest, true)
    })
  schedule()
}

/** The hours are in one line, which scrolls sideways. */
function showChosenHour(main: HTMLElement): void {
  const hours = main.querySelector<HTMLElement>('.gallery__hours')
  const chosen = hours && hours.querySelector<HTMLElement>('[aria-current]')
  if (hours && chosen)
    hours.scrollLeft = chosen.offsetLeft - hours.offsetLeft - (hours.clientWidth - chosen.offsetWidth) / 2
}

const linkIn = (element: Element): HTMLAnchorElement => element.querySelector('a') as HTMLAnchorElement // always rendered
const tokenIn = ({ href }: HTMLAnchorElement): string => href.slice(href.lastIndexOf('/') + 1)

/** `status` is 0 without an answer. Browsers that have the list already get 304, which they do not show. */
async function fetchPage(url: string): Promise<{ status: number; page: GalleryPage | null; entityTag: string }> {
  try {
    const response = await fetch(url, { cache: 'no-cache' })
    const page = response.ok ? ((await response.json()) as GalleryPage) : null // as the contract's eventPhotos answers
    return { status: response.status, page, entityTag: response.headers.get('etag') || '' }
  } catch {
    return { status: 0, page: null, entityTag: '' }
  }
}

/** Once a scan, when somebody sees the page; not when it is loaded again, in another language, or from a link of a photo. */
function countScan(path: string): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[] // of this name
  const isRepeated = navigation && navigation.type !== 'navigate'
  if (isRepeated || location.search !== '' || location.hash === galleryHash) return
  const count = (): void => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', count)
    fetch(`${path}/visits`, { method: 'POST', keepalive: true }).catch(() => {})
  }
  document.addEventListener('visibilitychange', count)
  count()
}

/** Timers of more than a day are for nobody. */
const longestWaitMs = 24 * 60 * 60 * 1000
const spreadMs = 3_000

/** Loads the page again when the gallery opens, not on all phones at the same moment. */
function openAt(time: number): void {
  const waitMs = time - Date.now()
  if (waitMs < longestWaitMs) setTimeout(() => location.reload(), Math.max(waitMs, 1_000) + Math.random() * spreadMs)
}

const page = document.querySelector<HTMLElement>('main[data-path]')
if (page) enhanceGallery(page)
