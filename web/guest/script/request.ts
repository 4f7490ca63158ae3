import { emailProblem, type EmailProblem } from '@keepsnap/contract/emails.ts'
import { call, detailOf, find, onSubmit, workOn } from './page.ts'

interface Words {
  failed: string
  offline: string
  problems: Record<EmailProblem, string>
}

/** Takes over the form: judges the address before sending, sends once, and shows what became of it in place. */
export function enhanceRequest(form: HTMLFormElement, sent: HTMLElement): void {
  const words = JSON.parse(form.dataset['words']!) as Words // written by EmailForm.tsx
  const input = form.querySelector<HTMLInputElement>('[name=email]')!
  const error = find(form, '.error')!
  const failed = find(form, '[data-failed]')!
  form.noValidate = true

  const showProblem = (sentence: string): void => {
    error.hidden = !sentence
    find(error, 'span')!.textContent = sentence
    input.parentElement!.classList.toggle('field--bad', !!sentence)
    input.setAttribute('aria-invalid', String(!!sentence))
    if (sentence) input.focus()
  }
  const showFailure = (sentence: string): void => {
    failed.hidden = !sentence
    find(failed, 'span')!.textContent = sentence
    if (sentence) failed.focus()
  }
  const showSent = (isSent: boolean): void => {
    form.hidden = isSent
    sent.hidden = !isSent
    find(sent, 'h1')!.focus()
  }

  onSubmit(form, async () => {
    const email = input.value.trim()
    const problem = emailProblem(email)
    showFailure('')
    showProblem(problem ? words.problems[problem] : '')
    if (problem) return
    input.readOnly = true
    const done = workOn(find(form, '.btn--primary')!)
    const website = form.querySelector<HTMLInputElement>('[name=website]')!.value
    const { status, body } = await call(form.dataset['request']!, { email, website })
    done()
    input.readOnly = false
    if (!status) showFailure(navigator.onLine ? words.failed : words.offline)
    else if (status === 200) {
      const at = email.lastIndexOf('@')
      find(sent, '[data-name]')!.textContent = email.slice(0, at)
      find(sent, '[data-domain]')!.textContent = email.slice(at)
      showSent(true)
    } else if (status === 422) showProblem(detailOf(body) || words.problems.form)
    else showFailure(status < 500 ? `${words.failed} ${detailOf(body)}` : words.failed)
  })
  find(sent, '[data-another]')!.addEventListener('click', (event) => {
    event.preventDefault()
    showSent(false)
    showProblem('')
    input.value = ''
    input.focus()
  })
}
