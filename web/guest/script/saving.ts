import { find, workOn } from './page.ts'
import { showPicture } from './waiting.ts'

/**
 * iOS: the share sheet keeps a photo with the photos, where an attachment would land in Files. The file is fetched before
 * the tap, because a late one can lose the tap's permission. Whatever fails leads to the plain link, which the button is.
 */
export function enhanceSave(button: HTMLAnchorElement, place: HTMLElement): void {
  // Plain http, or an old phone.
  if (!navigator.canShare) return
  const { save, type, ready } = button.dataset
  const say = find(button.parentElement!, '.guest__say')!
  let files: File[] | undefined
  let busy = false
  let broken = false

  const fetchFile = async (): Promise<void> => {
    try {
      const answer = await fetch(save!)
      const bytes = await answer.blob()
      files = [new File([bytes], button.download, { type: type! })]
      broken = !answer.ok || !navigator.canShare({ files })
      if (!broken) void showPicture(place, URL.createObjectURL(bytes))
    } catch {
      broken = true
    }
  }
  const fetching = fetchFile()
  button.addEventListener('click', async (event) => {
    if (broken) return // the plain link
    event.preventDefault()
    if (busy) return
    if (!files) {
      busy = true
      const done = workOn(button)
      await fetching
      done()
      busy = false
    }
    if (broken) return void (location.href = button.href)
    say.textContent = ''
    // Not waited for before the next tap: iOS 15 has shares that never end.
    navigator.share({ files: files! }).catch(({ name }: Error) => {
      if (name === 'NotAllowedError') say.textContent = ready!
      else if (name !== 'AbortError') location.href = button.href
    })
  })
}

/** The second action: the address of this page, by whatever the phone offers. */
export function enhanceShare(button: HTMLElement): void {
  if (!navigator.share) return
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.share({ title: document.title, url: location.href }).catch(() => {})
  })
}
