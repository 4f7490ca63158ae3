import { emailProblem, type EmailProblem } from '@keepsnap/contract/emails.ts'
import { callServer, errorSentence } from './call-server.ts'
import { dataAttribute, getElement, getInput, onSubmit, showBusy } from './dom.ts'

interface RequestFormMessages {
  failed: string
  offline: string
  problems: Record<EmailProblem, string>
  /** Translations of the server's sentences; undefined in English. */
  refusals?: Record<string, string>
}

/** Why the request was refused, in the language of the page; empty without a translation. */
function sentenceOf(body: unknown, { refusals }: RequestFormMessages): string {
  const sentence = errorSentence(body)
  return refusals ? (refusals[sentence] ?? '') : sentence
}

/** Checks the address before sending, sends the request once, and shows the result without leaving the page. */
export function enhanceRequestForm(form: HTMLFormElement, sentMessage: HTMLElement): void {
  const messages = JSON.parse(dataAttribute(form, 'messages')) as RequestFormMessages // written by EmailForm.tsx
  const emailInput = getInput(form, 'email')
  const showProblem = problemDisplay(form, emailInput)
  const showFailure = failureDisplay(form)
  const showSent = (isSent: boolean): void => {
    // A guest may have gone on to the report while the request was sent.
    const { activeElement: focused, body } = document
    const staysHere = !focused || focused === body || form.contains(focused)
    form.hidden = isSent
    sentMessage.hidden = !isSent
    if (staysHere) getElement(sentMessage, 'h1').focus()
  }
  form.noValidate = true

  onSubmit(form, async () => {
    const email = emailInput.value.trim()
    const problem = emailProblem(email)
    showFailure('')
    showProblem(problem ? messages.problems[problem] : '')
    if (problem) return
    emailInput.readOnly = true
    const stopBusy = showBusy(getElement(form, '.btn--primary'))
    const website = getInput(form, 'website').value
    const language = getInput(form, 'language').value
    const { status, body } = await callServer(dataAttribute(form, 'request'), { email, website, language })
    stopBusy()
    emailInput.readOnly = false
    if (!status) showFailure(navigator.onLine ? messages.failed : `${messages.failed} ${messages.offline}`)
    else if (status === 200) {
      const at = email.lastIndexOf('@')
      getElement(sentMessage, '[data-name]').textContent = email.slice(0, at)
      getElement(sentMessage, '[data-domain]').textContent = email.slice(at)
      showSent(true)
    } else if (status === 422) {
      showFailure(messages.failed)
      showProblem(sentenceOf(body, messages) || messages.problems.form)
    } else showFailure(status < 500 ? `${messages.failed} ${sentenceOf(body, messages)}` : messages.failed)
  })
  getElement(sentMessage, '[data-another]').addEventListener('click', (event) => {
    event.preventDefault()
    showSent(false)
    showProblem('')
    emailInput.value = ''
    emailInput.focus()
  })
}

/** Shows what is wrong with the address beside the field; an empty sentence hides it. */
function problemDisplay(form: HTMLFormElement, emailInput: HTMLInputElement): (sentence: string) => void {
  const error = getElement(form, '.error')
  return (sentence) => {
    error.hidden = !sentence
    getElement(error, 'span').textContent = sentence
    getElement(form, '.field').classList.toggle('field--bad', !!sentence)
    emailInput.setAttribute('aria-invalid', String(!!sentence))
    if (sentence) emailInput.focus()
  }
}

/** Shows above the field why the request failed; an empty sentence hides it. */
function failureDisplay(form: HTMLFormElement): (sentence: string) => void {
  const failed = getElement(form, '[data-failed]')
  return (sentence) => {
    failed.hidden = !sentence
    getElement(failed, 'span').textContent = sentence
    if (sentence) failed.focus()
  }
}
