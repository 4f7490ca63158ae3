import { callServer } from './call-server.ts'
import { data, get, onSubmit, showBusy } from './dom.ts'

/** Sends the report without leaving the page and shows thanks or the error. */
export function enhanceReportForm(form: HTMLFormElement, thanks: HTMLElement): void {
  const problem = get(form, '[data-problem]')
  onSubmit(form, async () => {
    problem.hidden = true
    const done = showBusy(get(form, 'button'))
    const fields = new FormData(form)
    const note = fields.get('note') || undefined
    const { status } = await callServer(data(form, 'report'), { reason: fields.get('reason'), note })
    done()
    const ok = status === 200
    form.hidden = ok
    thanks.hidden = !ok
    problem.hidden = ok
    ;(ok ? thanks : problem).focus()
  })
}
