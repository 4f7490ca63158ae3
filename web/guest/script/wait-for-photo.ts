import { callServer } from './call-server.ts'
import { dataAttribute, findElement, getElement } from './dom.ts'

const pollIntervalMs = 2_000
/** After this many calls the interval grows. */
const regularPollCalls = 30
const maxPollIntervalMs = 30_000

/** The fields of the contract's `PublicPhoto` that are used here. */
interface Photo {
  thumbnail_url: string
  processing_complete: boolean
  width: number | null
  height: number | null
}

/** Browsers inside of apps: on Android, of apps that say so, and on iOS those that do not call themselves Safari. */
const inApp =
  /; wv\)|FBA[NV]|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|musical_ly|Bytedance|\((iPhone|iPad)(?!.*Safari\/)/

/** Whether the page is shown inside of an app, such as Instagram. */
export const isInApp = (): boolean => inApp.test(navigator.userAgent)

/** Shows a photo in place of the one or the placeholder in `frame`, once it is loaded; on an error nothing changes. */
export async function showPhoto(photoFrame: HTMLElement, url: string): Promise<void> {
  const image = new Image()
  image.className = 'guest__picture'
  image.alt = dataAttribute(photoFrame, 'photo')
  image.src = url
  try {
    await image.decode()
    findElement(photoFrame, '.guest__picture')?.remove()
    photoFrame.append(image)
  } catch {}
}

/**
 * Shows the picture for screens, and then the full-size one where people save the photo by a long press on it, because apps and
 * plain http leave no other way. The promise is of the first.
 */
export function showLargePhoto(main: HTMLElement, photoFrame: HTMLElement): Promise<void> {
  const { screen, full } = main.dataset
  const shown = screen ? showPhoto(photoFrame, screen) : Promise.resolve()
  if (full && (!window.isSecureContext || isInApp())) void shown.then(() => showPhoto(photoFrame, full))
  return shown
}

/** Polls the photo until it is processed: only while the page is visible, and less often when it takes long. */
export function waitForPhoto(main: HTMLElement, photoFrame: HTMLElement): void {
  const waitMessage = getElement(photoFrame, '.guest__wait')
  let pollCalls = 0
  let pollDelayMs = pollIntervalMs
  let pollTimer = 0

  const showReadyPhoto = async ({ thumbnail_url, width, height }: Photo): Promise<void> => {
    if (dataAttribute(main, 'wait') === 'reload') return location.reload()
    if (width)
      getElement(photoFrame, 'img').setAttribute(
        'src',
        `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/>`,
      )
    await showPhoto(photoFrame, thumbnail_url)
    void showLargePhoto(main, photoFrame)
    // Screen readers announce the new text; others do not see it.
    waitMessage.className = 'visually-hidden'
    waitMessage.textContent = dataAttribute(waitMessage, 'ready')
    findElement(main, '[data-download-when-ready]')?.removeAttribute('hidden')
  }
  const poll = async (): Promise<void> => {
    if (!document.hidden) {
      const { status, body } = await callServer(`/photos/${dataAttribute(main, 'id')}/public`)
      const photo = body as Photo | null // as the contract's publicPhoto answers
      if (status === 200 && photo?.processing_complete) return showReadyPhoto(photo)
      // The photo no longer exists; the server's page says so.
      if (status === 404) return location.reload()
      if (++pollCalls > regularPollCalls || status !== 200) pollDelayMs = Math.min(pollDelayMs * 1.5, maxPollIntervalMs)
    }
    pollTimer = 0
    schedulePoll()
  }
  // At most one timer at a time; none once the photo is shown, because `pollTimer` then stays set.
  const schedulePoll = (): void => {
    if (!document.hidden) pollTimer ||= window.setTimeout(poll, pollDelayMs)
  }
  document.addEventListener('visibilitychange', schedulePoll)
  schedulePoll()
}
