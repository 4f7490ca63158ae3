import { callServer } from './call-server.ts'
import { data, find, get } from './dom.ts'

const intervalMs = 2_000
/** After this many calls the interval grows. */
const regularCalls = 30
const maxIntervalMs = 30_000

/** The fields of the contract's `PublicPhoto` that are used here. */
interface Photo {
  thumbnail_url: string
  processing_complete: boolean
  width: number | null
  height: number | null
}

/** Shows a photo in place of the one or the placeholder in `frame`, once it is loaded; on an error nothing changes. */
export async function showPhoto(frame: HTMLElement, url: string): Promise<void> {
  const image = new Image()
  image.className = 'guest__picture'
  image.alt = data(frame, 'photo')
  image.src = url
  try {
    await image.decode()
    find(frame, '.guest__picture')?.remove()
    frame.append(image)
  } catch {}
}

/** Polls the photo until it is processed: only while the page is visible, and less often when it takes long. */
export function waitForPhoto(main: HTMLElement, frame: HTMLElement): void {
  const message = get(frame, '.guest__wait')
  let calls = 0
  let delay = intervalMs
  let timer = 0

  const show = async ({ thumbnail_url, width, height }: Photo): Promise<void> => {
    if (data(main, 'wait') === 'reload') return location.reload()
    if (width)
      get(frame, 'img').setAttribute(
        'src',
        `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/>`,
      )
    await showPhoto(frame, thumbnail_url)
    // Screen readers announce the new text; others do not see it.
    message.className = 'sr'
    message.textContent = data(message, 'ready')
    find(main, '[data-download-when-ready]')?.removeAttribute('hidden')
  }
  const poll = async (): Promise<void> => {
    if (!document.hidden) {
      const { status, body } = await callServer(`/photos/${data(main, 'id')}/public`)
      const photo = body as Photo | null // as the contract's publicPhoto answers
      if (status === 200 && photo?.processing_complete) return show(photo)
      // The photo no longer exists; the server's page says so.
      if (status === 404) return location.reload()
      if (++calls > regularCalls || status !== 200) delay = Math.min(delay * 1.5, maxIntervalMs)
    }
    timer = 0
    schedule()
  }
  // At most one timer at a time; none once the photo is shown, because `timer` then stays set.
  const schedule = (): void => {
    if (!document.hidden) timer ||= window.setTimeout(poll, delay)
  }
  document.addEventListener('visibilitychange', schedule)
  schedule()
}
