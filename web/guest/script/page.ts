/** The one element, or none. */
export const find = (within: ParentNode, selector: string): HTMLElement | null =>
  within.querySelector<HTMLElement>(selector)

const answerMs = 20_000

interface Answer {
  /** 0 when none came: no connection, or none for too long. */
  status: number
  body: unknown
}

/** Calls the server; with a body, as a POST. */
export async function call(path: string, body?: object): Promise<Answer> {
  // Not AbortSignal.timeout: phones of 2021 lack it.
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), answerMs)
  const posted = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  try {
    const answer = await fetch(path, { cache: 'no-store', signal: stop.signal, ...posted })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: null }
  } finally {
    clearTimeout(timer)
  }
}

/** What a refusal says, product.md section 4: a sentence, or a list of which the first counts. */
export function detailOf(body: unknown): string {
  const detail = (body as { detail?: string | { msg: string }[] } | null)?.detail // of our own server
  return (typeof detail === 'object' ? detail[0]?.msg : detail) ?? ''
}

/** Says on a button that it works: a spinner at once, and its `data-busy`. Returns the way back. */
export function workOn(button: HTMLElement): () => void {
  const words = find(button, '[data-label]')!
  const before = words.textContent
  button.setAttribute('aria-busy', 'true')
  button.insertAdjacentHTML('afterbegin', '<span class="spin" aria-hidden="true"></span>')
  words.textContent = button.dataset['busy']!
  return () => {
    button.removeAttribute('aria-busy')
    find(button, '.spin')!.remove()
    words.textContent = before
  }
}

/** Runs one at a time: further submits of the form are swallowed while the work goes on. */
export function onSubmit(form: HTMLFormElement, work: () => Promise<void>): void {
  let busy = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (busy) return
    busy = true
    await work()
    busy = false
  })
}
