import { call, find, onSubmit, workOn } from './page.ts'

/** Sends the report in place, and says thanks there. */
export function enhanceReport(form: HTMLFormElement, thanks: HTMLElement): void {
  const problem = find(form, '[data-problem]')!
  onSubmit(form, async () => {
    problem.hidden = true
    const done = workOn(find(form, 'button')!)
    const fields = new FormData(form)
    const note = fields.get('note') || undefined
    const { status } = await call(form.dataset['report']!, { reason: fields.get('reason'), note })
    done()
    const ok = status === 200
    form.hidden = ok
    thanks.hidden = !ok
    problem.hidden = ok
    ;(ok ? thanks : problem).focus()
  })
}
