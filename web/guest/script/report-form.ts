import { callServer } from './call-server.ts'
import { dataAttribute, getElement, onSubmit, showBusy } from './dom.ts'

/** Sends the report without leaving the page and shows thanks or the error. */
export function enhanceReportForm(form: HTMLFormElement, thanks: HTMLElement): void {
  const problem = getElement(form, '[data-problem]')
  onSubmit(form, async () => {
    problem.hidden = true
    const stopBusy = showBusy(getElement(form, 'button'))
    const fields = new FormData(form)
    const note = fields.get('note') || undefined
    const { status } = await callServer(dataAttribute(form, 'report'), { reason: fields.get('reason'), note })
    stopBusy()
    const isReported = status === 200
    form.hidden = isReported
    thanks.hidden = !isReported
    problem.hidden = isReported
    ;(isReported ? thanks : problem).focus()
  })
}
