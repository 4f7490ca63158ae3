import { dataAttribute, getElement, showBusy } from './dom.ts'
import { showPhoto } from './wait-for-photo.ts'

/** The server counts requests for the link. One byte is enough; a redirect would lead to the store, which is another origin. */
const countDownload = (url: string): Promise<unknown> =>
  fetch(url, { headers: { range: 'bytes=0-0' }, redirect: 'manual' }).catch(() => {})

/** The file is fetched after this time, even if the picture is not shown yet. */
const shownPatienceMs = 8_000

/**
 * On iOS, opens the share sheet, which can save to Photos; a download would end up in Files. The file is fetched before
 * the tap, because iOS only allows sharing shortly after one, but not before the picture is `shown`, for which slow lines need
 * all they have. If anything fails, the button remains a download link.
 */
export function enhanceSaveButton(
  button: HTMLAnchorElement,
  photoFrame: HTMLElement,
  shown: Promise<void> = Promise.resolve(),
): void {
  // Missing on plain http and in old browsers.
  if (!navigator.canShare) return
  const saveStatus = getElement(document, '.guest__status')
  let photoFiles: File[] = []
  let busy = false
  let shareRefused = false
  let countRequest: Promise<unknown> | undefined

  const fetchFile = async (): Promise<void> => {
    try {
      const response = await fetch(dataAttribute(button, 'save'))
      const bytes = await response.blob()
      // A redirect to the page of a photo that is now sent by email ends with status 200.
      if (response.ok && bytes.type === dataAttribute(button, 'type')) {
        photoFiles = [new File([bytes], dataAttribute(button, 'name'), { type: bytes.type })]
        if (navigator.canShare({ files: photoFiles })) void showPhoto(photoFrame, URL.createObjectURL(bytes))
        else shareRefused = true
      }
    } catch {}
  }
  const followLink = (): void => {
    location.href = button.href
  }
  let firstFetch: Promise<void> | undefined
  const fetchOnce = (): Promise<void> => (firstFetch ??= fetchFile())
  void shown.then(fetchOnce)
  setTimeout(fetchOnce, shownPatienceMs)
  button.addEventListener('click', async (event) => {
    if (shareRefused) return // the browser follows the link
    event.preventDefault()
    if (busy) return
    if (!photoFiles[0]) {
      busy = true
      const stopBusy = showBusy(button)
      await fetchOnce()
      // A connection that was lost for a moment must not send the photo to Files.
      if (!photoFiles[0]) await fetchFile()
      stopBusy()
      busy = false
    }
    if (shareRefused || !photoFiles[0]) return followLink()
    saveStatus.textContent = ''
    // Not awaited: on iOS 15 the promise sometimes never settles, and the next tap must work.
    navigator.share({ files: photoFiles }).then(
      () => {
        saveStatus.textContent = ''
        return (countRequest ??= countDownload(button.href))
      },
      ({ name }: Error) => {
        if (name === 'NotAllowedError') saveStatus.textContent = dataAttribute(button, 'tapAgain')
        else if (name !== 'AbortError') followLink()
      },
    )
  })
}

/** Shares the page's URL, where the browser can share. */
export function enhanceShareButton(button: HTMLElement): void {
  if (!navigator.share) return
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.share({ title: document.title, url: location.href }).catch(() => {})
  })
}
