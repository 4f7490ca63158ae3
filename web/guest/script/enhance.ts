import { localeOf } from '../../lib/format.ts'
import { createDateTimeFormat } from '../date-time.ts'
import { callServer } from './call-server.ts'
import { dataAttribute, findElement, getElement, getInput, onSubmit, showBusy } from './dom.ts'
import { enhanceRequestForm } from './request-form.ts'
import { enhanceSaveButton, enhanceShareButton } from './save-photo.ts'
import { countVisit } from './count-visit.ts'
import { isInApp, showLargePhoto, waitForPhoto } from './wait-for-photo.ts'

/** Adds the interactive behaviour to a guest page, which also works without it. */
export function enhance(main: HTMLElement): void {
  countVisit(main)
  const { wait } = main.dataset
  const photoFrame = findElement(main, '[data-photo]')
  const requestForm = findElement(main, '[data-request]') as HTMLFormElement | null // the component renders a form
  const reportForm = findElement(main, '[data-report]') as HTMLFormElement | null // likewise
  const thanks = findElement(main, '[data-thanks]')
  const saveButton = findElement(main, '[data-save]') as HTMLAnchorElement | null // a link
  const shareButton = findElement(main, '[data-share]')
  const saveStatus = findElement(main, '[data-in-app]')
  const expiryTime = findElement(main, 'time') as HTMLTimeElement | null // the type of this element
  if (requestForm) enhanceRequestForm(requestForm, getElement(main, '[data-sent]'))
  if (reportForm && thanks) enhanceReportForm(reportForm, thanks)
  if (photoFrame) {
    const shown = wait ? Promise.resolve() : showLargePhoto(main, photoFrame)
    if (saveButton) enhanceSaveButton(saveButton, photoFrame, shown)
    if (wait) waitForPhoto(main, photoFrame)
  }
  if (shareButton) enhanceShareButton(shareButton)
  // Such a browser drops downloads without a word. After the listener of the Save button, which clears the text.
  if (saveStatus && saveStatus.parentElement && isInApp())
    saveStatus.parentElement.addEventListener('click', ({ target }) => {
      if ((target as Element).closest('a')) saveStatus.textContent = dataAttribute(saveStatus, 'inApp') // clicked
    })
  // The server formats in the owner's time zone. The device's, and its variant of the page's language, replace this.
  const locale = localeOf(document.documentElement.lang, navigator.languages)
  if (expiryTime) expiryTime.textContent = createDateTimeFormat(locale)(expiryTime.dateTime)
}

/** Moves the focus into the opened report, sends it without leaving the page, and shows thanks or what is wrong. */
function enhanceReportForm(form: HTMLFormElement, thanks: HTMLElement): void {
  const problem = getElement(form, '[data-problem]')
  const missing = getElement(form, '.error')
  const firstReason = getInput(form, 'reason')
  // The form is at the end of the page: opened, it would stay below the visible part.
  const focusForm = (): void => {
    firstReason.focus({ preventScroll: true })
    form.scrollIntoView({ block: 'nearest' })
  }
  form.parentElement?.addEventListener('toggle', focusForm)
  form.addEventListener('change', () => (missing.hidden = true))
  onSubmit(form, async () => {
    problem.hidden = true
    const fields = new FormData(form)
    const reason = fields.get('reason')
    missing.hidden = reason !== null
    if (!reason) return focusForm()
    const stopBusy = showBusy(getElement(form, 'button'))
    const note = fields.get('note') || undefined
    const { status } = await callServer(dataAttribute(form, 'report'), { reason, note })
    stopBusy()
    const isReported = status === 200
    form.hidden = isReported
    thanks.hidden = !isReported
    problem.hidden = isReported
    ;(isReported ? thanks : problem).focus()
  })
}
