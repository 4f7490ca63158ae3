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
  const { wait, full } = main.dataset
  const place = find(main, '[data-photo]')
  const request = main.querySelector<HTMLFormElement>('[data-request]')
  const report = main.querySelector<HTMLFormElement>('[data-report]')
  const thanks = find(main, '[data-thanks]')
  const save = main.querySelector<HTMLAnchorElement>('[data-save]')
  const number = find(main, '[data-number]')
  const time = main.querySelector('time')
  if (request) enhanceRequest(request, find(main, '[data-sent]')!)
  if (report && thanks) enhanceReport(report, thanks)
  if (place) {
    if (save) enhanceSave(save, place)
    if (wait) waitForPhoto(main, place)
    if (full && matchMedia(wide).matches) void showPicture(place, full)
  }
  const share = find(main, '[data-share]')
  if (share) enhanceShare(share)
  // The server wrote UTC and English; the phone knows better.
  if (number) number.textContent = Number(number.textContent).toLocaleString()
  if (time) time.textContent = createUntil()(time.dateTime)
}
