/** The first matching element, or null. */
export const findElement = (within: ParentNode, selector: string): HTMLElement | null => within.querySelector(selector)

/** An element that the page's component always renders. */
export const getElement = findElement as (within: ParentNode, selector: string) => HTMLElement // always rendered

/** A field of a form, by its name. */
export const getInput = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`)! // always rendered

/** The value of a data attribute, or an empty string. */
export const dataAttribute = (element: HTMLElement, name: string): string => element.dataset[name] ?? ''

/** Shows a spinner and `data-busy` on a button until the returned function is called. */
export function showBusy(button: HTMLElement): () => void {
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

/** Runs `action` instead of submitting the form. Further submits are ignored until it has settled. */
export function onSubmit(form: HTMLFormElement, action: () => Promise<void>): void {
  let busy = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (busy) return
    busy = true
    await action()
    busy = false
  })
}
