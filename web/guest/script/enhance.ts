import { createDateTimeFormat } from '../date-time.ts'
import { find, get } from './dom.ts'
import { enhanceReportForm } from './report-form.ts'
import { enhanceRequestForm } from './request-form.ts'
import { enhanceSaveButton, enhanceShareButton } from './save-photo.ts'
import { showPhoto, waitForPhoto } from './wait-for-photo.ts'

/** Screens of this width show the full-size photo, because the thumbnail would look blurred. */
const wideScreen = '(min-width: 48rem)'

/** Adds the interactive behaviour to a guest page, which also works without it. */
export function enhance(main: HTMLElement): void {
  const { wait, full } = main.dataset
  const frame = find(main, '[data-photo]')
  const request = main.querySelector<HTMLFormElement>('[data-request]')
  const report = main.querySelector<HTMLFormElement>('[data-report]')
  const thanks = find(main, '[data-thanks]')
  const save = main.querySelector<HTMLAnchorElement>('[data-save]')
  const share = find(main, '[data-share]')
  const size = find(main, '[data-number]')
  const time = main.querySelector('time')
  if (request) enhanceRequestForm(request, get(main, '[data-sent]'))
  if (report && thanks) enhanceReportForm(report, thanks)
  if (frame) {
    if (save) enhanceSaveButton(save, frame)
    if (wait) waitForPhoto(main, frame)
    if (full && matchMedia(wideScreen).matches) void showPhoto(frame, full)
  }
  if (share) enhanceShareButton(share)
  // The server formats in English and UTC; replace this with the device's locale and time zone.
  if (size) size.textContent = Number(size.textContent).toLocaleString()
  if (time) time.textContent = createDateTimeFormat()(time.dateTime)
}
