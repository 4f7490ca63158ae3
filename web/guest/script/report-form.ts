import { callServer } from './call-server.ts'
import { dataAttribute, getElement, getInput, onSubmit, showBusy } from './dom.ts'

/** Moves the focus into the opened report, sends it without leaving the page, and shows thanks or what is wrong. */
export function enhanceReportForm(form: HTMLFormElement, thanks: HTMLElement): void {
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
