import { localeOf } from '../../lib/format.ts'
import { createDateTimeFormat } from '../date-time.ts'
import { findElement, getElement } from './dom.ts'
import { enhanceReportForm } from './report-form.ts'
import { enhanceRequestForm } from './request-form.ts'
import { enhanceSaveButton, enhanceShareButton } from './save-photo.ts'
import { showPhoto, waitForPhoto } from './wait-for-photo.ts'

/** Screens of this width show the full-size photo, because the thumbnail would look blurred. */
const wideScreen = '(min-width: 48rem)'

/** Adds the interactive behaviour to a guest page, which also works without it. */
export function enhance(main: HTMLElement): void {
  const { wait, full } = main.dataset
  const photoFrame = findElement(main, '[data-photo]')
  const requestForm = findElement(main, '[data-request]') as HTMLFormElement | null // the component renders a form
  const reportForm = findElement(main, '[data-report]') as HTMLFormElement | null // likewise
  const thanks = findElement(main, '[data-thanks]')
  const saveButton = findElement(main, '[data-save]') as HTMLAnchorElement | null // a link
  const shareButton = findElement(main, '[data-share]')
  const expiryTime = findElement(main, 'time') as HTMLTimeElement | null // the type of this element
  if (requestForm) enhanceRequestForm(requestForm, getElement(main, '[data-sent]'))
  if (reportForm && thanks) enhanceReportForm(reportForm, thanks)
  if (photoFrame) {
    if (saveButton) enhanceSaveButton(saveButton, photoFrame)
    if (wait) waitForPhoto(main, photoFrame)
    if (full && matchMedia(wideScreen).matches) void showPhoto(photoFrame, full)
  }
  if (shareButton) enhanceShareButton(shareButton)
  // The server formats in the owner's time zone. The device's, and its variant of the page's language, replace this.
  const locale = localeOf(document.documentElement.lang, navigator.languages)
  if (expiryTime) expiryTime.textContent = createDateTimeFormat(locale)(expiryTime.dateTime)
}
