import { data, get, showBusy } from './dom.ts'
import { showPhoto } from './wait-for-photo.ts'

/**
 * On iOS, opens the share sheet, which can save to Photos; a download would end up in Files. The file is fetched before
 * the tap, because iOS only allows sharing shortly after one. If anything fails, the button remains a download link.
 */
export function enhanceSaveButton(button: HTMLAnchorElement, frame: HTMLElement): void {
  // Missing on plain http and in old browsers.
  if (!navigator.canShare) return
  const status = get(document, '.guest__status')
  let files: File[] = []
  let busy = false
  let failed = false

  const fetchFile = async (): Promise<void> => {
    try {
      const answer = await fetch(data(button, 'save'))
      const bytes = await answer.blob()
      files = [new File([bytes], button.download, { type: data(button, 'type') })]
      failed = !answer.ok || !navigator.canShare({ files })
      if (!failed) void showPhoto(frame, URL.createObjectURL(bytes))
    } catch {
      failed = true
    }
  }
  const fetching = fetchFile()
  button.addEventListener('click', async (event) => {
    if (failed) return // the browser follows the link
    event.preventDefault()
    if (busy) return
    if (!files[0]) {
      busy = true
      const done = showBusy(button)
      await fetching
      done()
      busy = false
    }
    if (failed) return void (location.href = button.href)
    status.textContent = ''
    // Not awaited: on iOS 15 the promise sometimes never settles, and the next tap must work.
    navigator.share({ files }).catch(({ name }: Error) => {
      if (name === 'NotAllowedError') status.textContent = data(button, 'tapAgain')
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
