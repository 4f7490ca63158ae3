import { eventLimits } from '@keepsnap/contract/event-limits.ts'

/** A photo whose code this phone has scanned. Phones hold such items: the names must not change. */
export interface ScannedPhoto {
  id: string
  /** Of the code that opens the photo itself; missing where only the page was seen that sends it by email. */
  code?: string
  /** The mark of its event. */
  event: string
  /** Until when it is kept, in milliseconds since 1970. */
  until: number
  /** Whether the guest asked to keep those of this event longer. */
  isRemembered?: boolean
}

const storageKey = 'scanned-photos'
const hourMs = 3_600_000
const keepMs = eventLimits.scannedHours * hourMs
const rememberMs = eventLimits.rememberedDays * 24 * hourMs
/** The oldest go first. */
const maxPhotos = 200

const isName = (value: unknown): boolean => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)

/** Storage can be changed by hand, and clocks of phones by years. */
function isKept(value: unknown): value is ScannedPhoto {
  const { id, code, event, until } = (value || {}) as Partial<ScannedPhoto> // each is looked at
  const leftMs = Number(until) - Date.now()
  return isName(id) && isName(event) && (code === undefined || isName(code)) && leftMs > 0 && leftMs <= rememberMs
}

function read(): ScannedPhoto[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) || '[]')
    return Array.isArray(stored) ? stored.filter(isKept) : []
  } catch {
    return []
  }
}

/** Without storage, or when it is full, the page works as before. */
function write(photos: ScannedPhoto[]): void {
  try {
    if (photos.length > 0) localStorage.setItem(storageKey, JSON.stringify(photos.slice(0, maxPhotos)))
    else localStorage.removeItem(storageKey)
  } catch {}
}

/** The photos whose codes this phone has scanned, newest first: for 48 hours, on this phone alone. */
export const scannedPhotos = {
  /** Those of an event. What has expired leaves the storage. */
  of(event: string): ScannedPhoto[] {
    const photos = read()
    write(photos)
    return photos.filter((photo) => photo.event === event)
  },
  add({ id, code, event }: Pick<ScannedPhoto, 'id' | 'code' | 'event'>): void {
    const photos = read()
    const before = photos.find((photo) => photo.id === id)
    const knownCode = code || (before && before.code)
    const isRemembered = photos.some((photo) => photo.event === event && photo.isRemembered)
    const until = Date.now() + (isRemembered ? rememberMs : keepMs)
    const photo = { id, event, until, ...(knownCode && { code: knownCode }), ...(isRemembered && { isRemembered }) }
    write([photo, ...photos.filter((one) => one !== before)])
  },
  remove: (ids: readonly string[]): void => write(read().filter(({ id }) => ids.indexOf(id) < 0)),
  /** Keeps those of an event for 30 days. */
  remember(event: string): void {
    const until = Date.now() + rememberMs
    write(read().map((photo) => (photo.event === event ? { ...photo, until, isRemembered: true } : photo)))
  },
  /** Nothing is left, of any event. */
  forget: (): void => write([]),
}
