import { call, find } from './page.ts'

const everyMs = 2_000
const steadyCalls = 30
const mostMs = 30_000

/** The fields of the contract's `PublicPhoto` that are read here. */
interface Seen {
  thumbnail_url: string | null
  processing_complete: boolean
  width: number | null
  height: number | null
}

/** Puts the picture where its likeness lies, once it can be drawn whole; otherwise what is there stays. */
export async function showPicture(place: HTMLElement, address: string): Promise<void> {
  const picture = new Image()
  picture.className = 'guest__picture'
  picture.alt = place.dataset['photo']!
  picture.src = address
  try {
    await picture.decode()
    find(place, '.guest__picture')?.remove()
    place.append(picture)
  } catch {}
}

/** Asks for the photo until it is there; rests while nobody looks, and asks less often when it takes long. */
export function waitForPhoto(main: HTMLElement, place: HTMLElement): void {
  const waiting = find(place, '.guest__wait')!
  let calls = 0
  let delay = everyMs
  let timer = 0

  const arrive = async ({ thumbnail_url, width, height }: Seen): Promise<void> => {
    if (main.dataset['wait'] === 'reload') return location.reload()
    if (width)
      place.querySelector('img')!.src =
        `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/>`
    await showPicture(place, thumbnail_url!)
    // Stays for those who hear the page, and says so.
    waiting.className = 'sr'
    waiting.textContent = waiting.dataset['here']!
    find(main, '[data-later]')?.removeAttribute('hidden')
  }
  const ask = async (): Promise<void> => {
    if (!document.hidden) {
      const { status, body } = await call(`/photos/${main.dataset['id']}/public`)
      const photo = body as Seen | null // as the contract's publicPhoto answers
      if (status === 200 && photo!.processing_complete) return arrive(photo!)
      // Not there any more: the server's page says so.
      if (status === 404) return location.reload()
      if (++calls > steadyCalls || status !== 200) delay = Math.min(delay * 1.5, mostMs)
    }
    timer = 0
    plan()
  }
  /** Once at a time, and never again when the photo is there. */
  const plan = (): void => {
    if (!document.hidden) timer ||= window.setTimeout(ask, delay)
  }
  document.addEventListener('visibilitychange', plan)
  plan()
}
