import { createUntil } from '../until.ts'
import { find } from './page.ts'
import { enhanceReport } from './report.ts'
import { enhanceRequest } from './request.ts'
import { enhanceSave, enhanceShare } from './saving.ts'
import { showPicture, waitForPhoto } from './waiting.ts'

/** From here on the small picture would look soft. */
const wide = '(min-width: 48rem)'

/** Gives life to a page that works without. */
export function enhance(main: HTMLElement): void {
  const have = <E extends HTMLElement>(selector: string, work: (element: E) => void): void => {
    const element = find<E>(main, selector)
    if (element) work(element)
  }
  const { wait, full } = main.dataset
  have<HTMLFormElement>('[data-request]', (form) => enhanceRequest(form, find(main, '[data-sent]')!))
  have('[data-thanks]', (thanks) => enhanceReport(find<HTMLFormElement>(main, '[data-report]')!, thanks))
  have('[data-photo]', (place) => {
    have<HTMLAnchorElement>('[data-save]', (button) => enhanceSave(button, place))
    if (wait) waitForPhoto(main, place)
    if (full && matchMedia(wide).matches) void showPicture(place, full)
  })
  have<HTMLButtonElement>('[data-share]', enhanceShare)
  // The server wrote UTC and English; the phone knows better.
  have('[data-number]', (number) => {
    number.textContent = Number(number.textContent).toLocaleString()
  })
  have<HTMLTimeElement>('time', (time) => {
    time.textContent = createUntil()(time.dateTime)
  })
}
