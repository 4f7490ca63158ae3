import { emailProblem, type EmailProblem } from '@keepsnap/contract/emails.ts'
import { callServer, errorSentence } from './call-server.ts'
import { data, get, getInput, onSubmit, showBusy } from './dom.ts'

interface Messages {
  failed: string
  offline: string
  problems: Record<EmailProblem, string>
}

/** Checks the address before sending, sends the request once, and shows the result without leaving the page. */
export function enhanceRequestForm(form: HTMLFormElement, sent: HTMLElement): void {
  const messages = JSON.parse(data(form, 'messages')) as Messages // written by EmailForm.tsx
  const input = getInput(form, 'email')
  const showProblem = problemDisplay(form, input)
  const showFailure = failureDisplay(form)
  const showSent = (isSent: boolean): void => {
    form.hidden = isSent
    sent.hidden = !isSent
    get(sent, 'h1').focus()
  }
  form.noValidate = true

  onSubmit(form, async () => {
    const email = input.value.trim()
    const problem = emailProblem(email)
    showFailure('')
    showProblem(problem ? messages.problems[problem] : '')
    if (problem) return
    input.readOnly = true
    const done = showBusy(get(form, '.btn--primary'))
    const website = getInput(form, 'website').value
    const { status, body } = await callServer(data(form, 'request'), { email, website })
    done()
    input.readOnly = false
    if (!status) showFailure(navigator.onLine ? messages.failed : messages.offline)
    else if (status === 200) {
      const at = email.lastIndexOf('@')
      get(sent, '[data-name]').textContent = email.slice(0, at)
      get(sent, '[data-domain]').textContent = email.slice(at)
      showSent(true)
    } else if (status === 422) showProblem(errorSentence(body) || messages.problems.form)
    else showFailure(status < 500 ? `${messages.failed} ${errorSentence(body)}` : messages.failed)
  })
  get(sent, '[data-another]').addEventListener('click', (event) => {
    event.preventDefault()
    showSent(false)
    showProblem('')
    input.value = ''
    input.focus()
  })
}

/** Shows what is wrong with the address beside the field; an empty sentence hides it. */
function problemDisplay(form: HTMLFormElement, input: HTMLInputElement): (sentence: string) => void {
  const error = get(form, '.error')
  return (sentence) => {
    error.hidden = !sentence
    get(error, 'span').textContent = sentence
    get(form, '.field').classList.toggle('field--bad', !!sentence)
    input.setAttribute('aria-invalid', String(!!sentence))
    if (sentence) input.focus()
  }
}

/** Shows above the field why the request failed; an empty sentence hides it. */
function failureDisplay(form: HTMLFormElement): (sentence: string) => void {
  const failed = get(form, '[data-failed]')
  return (sentence) => {
    failed.hidden = !sentence
    get(failed, 'span').textContent = sentence
    if (sentence) failed.focus()
  }
}
