import { dataAttribute, getElement, showBusy } from './dom.ts'
import { showPhoto } from './wait-for-photo.ts'

/**
 * On iOS, opens the share sheet, which can save to Photos; a download would end up in Files. The file is fetched before
 * the tap, because iOS only allows sharing shortly after one. If anything fails, the button remains a download link.
 */
export function enhanceSaveButton(button: HTMLAnchorElement, photoFrame: HTMLElement): void {
  // Missing on plain http and in old browsers.
  if (!navigator.canShare) return
  const saveStatus = getElement(document, '.guest__status')
  let photoFiles: File[] = []
  let busy = false
  let fetchFailed = false

  const fetchFile = async (): Promise<void> => {
    try {
      const response = await fetch(dataAttribute(button, 'save'))
      const bytes = await response.blob()
      photoFiles = [new File([bytes], button.download, { type: dataAttribute(button, 'type') })]
      fetchFailed = !response.ok || !navigator.canShare({ files: photoFiles })
      if (!fetchFailed) void showPhoto(photoFrame, URL.createObjectURL(bytes))
    } catch {
      fetchFailed = true
    }
  }
  const fetchingFile = fetchFile()
  button.addEventListener('click', async (event) => {
    if (fetchFailed) return // the browser follows the link
    event.preventDefault()
    if (busy) return
    if (!photoFiles[0]) {
      busy = true
      const stopBusy = showBusy(button)
      await fetchingFile
      stopBusy()
      busy = false
    }
    if (fetchFailed) return void (location.href = button.href)
    saveStatus.textContent = ''
    // Not awaited: on iOS 15 the promise sometimes never settles, and the next tap must work.
    navigator.share({ files: photoFiles }).catch(({ name }: Error) => {
      if (name === 'NotAllowedError') saveStatus.textContent = dataAttribute(button, 'tapAgain')
      else if (name !== 'AbortError') location.href = button.href
    })
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
