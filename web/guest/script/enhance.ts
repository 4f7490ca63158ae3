import { emailProblem, type EmailProblem } from '@keepsnap/contract/form-rules.ts'
import { localeOf } from '../../lib/format.ts'
import { createDateTimeFormat } from '../date-time.ts'

/** Adds the interactive behaviour to a guest page, which also works without it. */
export function enhance(main: HTMLElement): void {
  countVisit(main)
  const { wait } = main.dataset
  const photoFrame = findElement(main, '[data-photo]')
  const requestForm = findElement(main, '[data-request]:not([data-also])') as HTMLFormElement | null // a form
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

/** Whether the page was opened before: it reloads itself while its photo is processed, and exists in other languages. */
function isRepeated(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[] // of this name
  const type = navigation && navigation.type
  return type === 'reload' || type === 'back_forward' || /[?&]lang=/.test(location.search)
}

/**
 * Tells the server that a guest has opened the page, once it is visible: programs that draw previews of links run no scripts, and
 * browsers open pages in advance. Links with `visit` count the visit where this call was not made.
 */
function countVisit(main: HTMLElement): void {
  const { visit, calls } = main.dataset
  const links = Array.from(main.querySelectorAll<HTMLAnchorElement>('a[href*="visit=1"]'))
  const hrefs = links.map((link) => link.getAttribute('href') || '')
  const setLinks = (change: (href: string) => string): void =>
    links.forEach((link, at) => link.setAttribute('href', change(hrefs[at] || '')))
  const restoreLinks = (): void => setLinks((href) => href)
  const count = (): void => {
    if (!visit || document.hidden) return
    document.removeEventListener('visibilitychange', count)
    setLinks((href) => href.replace(/[?&]visit=1$/, ''))
    if (isRepeated()) return
    // Sent even if the guest has saved the photo and gone before the answer.
    fetch(`${calls}/visits?by=${visit}`, { method: 'POST', keepalive: true }).then(
      ({ ok }) => (ok ? undefined : restoreLinks()),
      restoreLinks,
    )
  }
  document.addEventListener('visibilitychange', count)
  count()
}

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

/**
 * Checks the address before sending, sends the request once, and shows the result without leaving the page. With `data-also` of the
 * form, JSON, more is sent than the address.
 */
export function enhanceRequestForm(form: HTMLFormElement, sentMessage: HTMLElement): void {
  const messages = JSON.parse(dataAttribute(form, 'messages')) as RequestFormMessages // written by AddressForm.tsx
  const emailInput = getInput(form, 'email')
  const showProblem = problemDisplay(form, emailInput)
  const showFailure = failureDisplay(form)
  const showSent = (isSent: boolean): void => {
    // A guest may have gone on to the report while the request was sent.
    const { activeElement: focused, body } = document
    const staysHere = !focused || focused === body || form.contains(focused)
    form.hidden = isSent
    sentMessage.hidden = !isSent
    if (staysHere) getElement(sentMessage, '[tabindex]').focus()
  }
  form.noValidate = true

  onSubmit(form, async () => {
    const email = emailInput.value.trim()
    const problem = emailProblem(email)
    showFailure('')
    showProblem(problem ? messages.problems[problem] : '')
    if (problem) return
    emailInput.readOnly = true
    const stopBusy = showBusy(getElement(form, 'button'))
    const website = getInput(form, 'website').value
    const language = getInput(form, 'language').value
    const tellMe = findElement(form, '[name=tell_me]:checked') && { tell_me: true }
    const also = JSON.parse(dataAttribute(form, 'also') || '{}') as object // written by AddressForm.tsx and scanned-photos.ts
    const { status, body } = await callServer(dataAttribute(form, 'request'), {
      email,
      website,
      language,
      ...also,
      ...tellMe,
    })
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

const pollIntervalMs = 2_000
/** After this many calls the interval grows. */
const regularPollCalls = 30
const maxPollIntervalMs = 30_000

/** The fields of the contract's `PublicPhoto` that are used here. */
interface Photo {
  thumbnail_url: string
  processing_complete: boolean
  width: number | null
  height: number | null
}

/** Browsers inside of apps: on Android, of apps that say so, and on iOS those that do not call themselves Safari. */
const inApp =
  /; wv\)|FBA[NV]|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|musical_ly|Bytedance|\((iPhone|iPad)(?!.*Safari\/)/

/** Whether the page is shown inside of an app, such as Instagram. */
export const isInApp = (): boolean => inApp.test(navigator.userAgent)

/** Shows a photo in place of the one or the placeholder in `frame`, once it is loaded; on an error nothing changes. */
async function showPhoto(photoFrame: HTMLElement, url: string): Promise<void> {
  const image = new Image()
  image.className = 'guest__picture'
  image.alt = dataAttribute(photoFrame, 'photo')
  image.src = url
  try {
    await image.decode()
    findElement(photoFrame, '.guest__picture')?.remove()
    photoFrame.append(image)
  } catch {}
}

/**
 * Shows the picture for screens, and then the full-size one where people save the photo by a long press on it, because apps and
 * plain http leave no other way. The promise is of the first.
 */
function showLargePhoto(main: HTMLElement, photoFrame: HTMLElement): Promise<void> {
  const { screen, full } = main.dataset
  const shown = screen ? showPhoto(photoFrame, screen) : Promise.resolve()
  if (full && (!window.isSecureContext || isInApp())) void shown.then(() => showPhoto(photoFrame, full))
  return shown
}

/** Polls the photo until it is processed: only while the page is visible, and less often when it takes long. */
function waitForPhoto(main: HTMLElement, photoFrame: HTMLElement): void {
  const waitMessage = getElement(photoFrame, '.guest__wait')
  let pollCalls = 0
  let pollDelayMs = pollIntervalMs
  let pollTimer = 0

  const showReadyPhoto = async ({ thumbnail_url, width, height }: Photo): Promise<void> => {
    if (dataAttribute(main, 'wait') === 'reload') return location.reload()
    if (width)
      getElement(photoFrame, 'img').setAttribute(
        'src',
        `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/>`,
      )
    await showPhoto(photoFrame, thumbnail_url)
    void showLargePhoto(main, photoFrame)
    // Screen readers announce the new text; others do not see it.
    waitMessage.className = 'visually-hidden'
    waitMessage.textContent = dataAttribute(waitMessage, 'ready')
    findElement(main, '[data-download-when-ready]')?.removeAttribute('hidden')
  }
  const poll = async (): Promise<void> => {
    if (!document.hidden) {
      const { status, body } = await callServer(`${dataAttribute(main, 'calls')}/public`)
      const photo = body as Photo | null // as the contract's publicPhoto answers
      if (status === 200 && photo?.processing_complete) return showReadyPhoto(photo)
      // The photo no longer exists; the server's page says so.
      if (status === 404) return location.reload()
      if (++pollCalls > regularPollCalls || status !== 200) pollDelayMs = Math.min(pollDelayMs * 1.5, maxPollIntervalMs)
    }
    pollTimer = 0
    schedulePoll()
  }
  // At most one timer at a time; none once the photo is shown, because `pollTimer` then stays set.
  const schedulePoll = (): void => {
    if (!document.hidden) pollTimer ||= window.setTimeout(poll, pollDelayMs)
  }
  document.addEventListener('visibilitychange', schedulePoll)
  schedulePoll()
}

/** The server counts requests for the link. One byte is enough; a redirect would lead to the store, which is another origin. */
export const countDownload = (url: string): Promise<unknown> =>
  fetch(url, { headers: { range: 'bytes=0-0' }, redirect: 'manual' }).catch(() => {})

/** The file is fetched after this time, even if the picture is not shown yet. */
const shownPatienceMs = 8_000

/**
 * On iOS, opens the share sheet, which can save to Photos; a download would end up in Files. The file is fetched before
 * the tap, because iOS only allows sharing shortly after one, but not before the picture is `shown`, for which slow lines need
 * all they have. If anything fails, the button remains a download link.
 */
function enhanceSaveButton(
  button: HTMLAnchorElement,
  photoFrame: HTMLElement,
  shown: Promise<void> = Promise.resolve(),
): void {
  // Missing on plain http and in old browsers.
  if (!navigator.canShare) return
  const saveStatus = getElement(document, '.guest__status')
  let photoFiles: File[] = []
  let busy = false
  let shareRefused = false
  let countRequest: Promise<unknown> | undefined

  const fetchFile = async (): Promise<void> => {
    try {
      const response = await fetch(dataAttribute(button, 'save'))
      const bytes = await response.blob()
      // A redirect to the page of a photo that is now sent by email ends with status 200.
      if (response.ok && bytes.type === dataAttribute(button, 'type')) {
        photoFiles = [new File([bytes], dataAttribute(button, 'name'), { type: bytes.type })]
        if (navigator.canShare({ files: photoFiles })) void showPhoto(photoFrame, URL.createObjectURL(bytes))
        else shareRefused = true
      }
    } catch {}
  }
  const followLink = (): void => {
    location.href = button.href
  }
  let firstFetch: Promise<void> | undefined
  const fetchOnce = (): Promise<void> => (firstFetch ??= fetchFile())
  void shown.then(fetchOnce)
  setTimeout(fetchOnce, shownPatienceMs)
  button.addEventListener('click', async (event) => {
    if (shareRefused) return // the browser follows the link
    event.preventDefault()
    if (busy) return
    if (!photoFiles[0]) {
      busy = true
      const stopBusy = showBusy(button)
      await fetchOnce()
      // A connection that was lost for a moment must not send the photo to Files.
      if (!photoFiles[0]) await fetchFile()
      stopBusy()
      busy = false
    }
    if (shareRefused || !photoFiles[0]) return followLink()
    saveStatus.textContent = ''
    // Not awaited: on iOS 15 the promise sometimes never settles, and the next tap must work.
    navigator.share({ files: photoFiles }).then(
      () => {
        saveStatus.textContent = ''
        return (countRequest ??= countDownload(button.href))
      },
      ({ name }: Error) => {
        if (name === 'NotAllowedError') saveStatus.textContent = dataAttribute(button, 'tapAgain')
        else if (name !== 'AbortError') followLink()
      },
    )
  })
}

/** Shares the page's URL, where the browser can share. */
function enhanceShareButton(button: HTMLElement): void {
  if (!navigator.share) return
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.share({ title: document.title, url: location.href }).catch(() => {})
  })
}

/** Runs `action` instead of submitting the form. Further submits are ignored until it has settled. */
function onSubmit(form: HTMLFormElement, action: () => Promise<void>): void {
  let busy = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (busy) return
    busy = true
    await action()
    busy = false
  })
}

const timeoutMs = 20_000

interface ServerAnswer {
  /** The HTTP status; 0 without an answer: offline, timeout or not JSON. */
  status: number
  body: unknown
}

/** Calls the server; with a body, by POST. */
export async function callServer(path: string, body?: object): Promise<ServerAnswer> {
  // Not AbortSignal.timeout(), which phones of 2021 do not support. Screens of 2018 know no signal, and wait.
  const abortController = 'AbortController' in window ? new AbortController() : null
  const timeoutTimer = setTimeout(() => abortController?.abort(), timeoutMs)
  const postRequest = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  try {
    const signal = abortController && { signal: abortController.signal }
    const response = await fetch(path, { cache: 'no-store', ...signal, ...postRequest })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: null }
  } finally {
    clearTimeout(timeoutTimer)
  }
}

/** The sentence in an error response: `detail`, or the first of its messages. */
function errorSentence(body: unknown): string {
  const detail = (body as { detail?: string | { msg: string }[] } | null)?.detail // the contract's ErrorBody
  return (typeof detail === 'object' ? detail[0]?.msg : detail) ?? ''
}

/** The first matching element, or null. */
export const findElement = (within: ParentNode, selector: string): HTMLElement | null => within.querySelector(selector)

/** An element that the page's component always renders. */
export const getElement = findElement as (within: ParentNode, selector: string) => HTMLElement // always rendered

/** A field of a form, by its name. */
const getInput = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`)! // always rendered

/** The value of a data attribute, or an empty string. */
const dataAttribute = (element: HTMLElement, name: string): string => element.dataset[name] ?? ''

/** Shows a spinner and `data-busy` on a button until the returned function is called. */
function showBusy(button: HTMLElement): () => void {
  const label = getElement(button, '[data-label]')
  const idleText = label.textContent
  button.setAttribute('aria-busy', 'true')
  button.insertAdjacentHTML('afterbegin', '<span class="spin" aria-hidden="true"></span>')
  label.textContent = dataAttribute(button, 'busy')
  return () => {
    button.removeAttribute('aria-busy')
    getElement(button, '.spin').remove()
    label.textContent = idleText
  }
}
