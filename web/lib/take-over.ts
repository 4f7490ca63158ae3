import type { QueryClient } from '@tanstack/react-query'
import { loadingParts } from './lazy-part.ts'

/** On a slow network, the page of the server stays so long; it can be read, and its links work. */
const maxWaitMs = 8_000
const checkMs = 16

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves when nothing is loading: React renders between the checks, and what it renders may load more. */
async function whenSettled(queryClient: QueryClient): Promise<void> {
  const until = performance.now() + maxWaitMs
  for (let quietChecks = 0; quietChecks < 3 && performance.now() < until;) {
    quietChecks = loadingParts() + queryClient.isFetching() === 0 ? quietChecks + 1 : 0
    await wait(checkMs)
  }
}

/** Pictures of the first screen: so that they do not disappear for a moment. */
async function whenImagesDecoded(root: HTMLElement): Promise<void> {
  const pictures = Array.from(root.querySelectorAll('img')).filter(({ loading }) => loading !== 'lazy')
  await Promise.race([Promise.all(pictures.map((picture) => picture.decode().catch(() => {}))), wait(maxWaitMs / 4)])
}

const interactive = 'a, button, input, textarea, select, summary'

/**
 * The element of the app that is the same as one of the server's page: a field by its name, because the app shows signed-in users
 * other links and fields before it; everything else, radio buttons included, by its position: those of a group share their name.
 */
function counterpart(
  source: HTMLElement,
  to: HTMLElement,
  atPosition: HTMLElement | undefined,
): HTMLElement | undefined {
  const name = source.getAttribute('name')
  if (name !== null && source.getAttribute('type') !== 'radio')
    return to.querySelector<HTMLElement>(`${source.localName}[name="${CSS.escape(name)}"]`) ?? undefined
  return atPosition?.localName === source.localName ? atPosition : undefined
}

/** What a visitor has done so far with the page of the server: opened answers, text in fields, the focus. */
function copyState(from: HTMLElement, to: HTMLElement): () => void {
  const targets = to.querySelectorAll<HTMLElement>(interactive)
  const details = to.querySelectorAll('details')
  from.querySelectorAll('details').forEach(({ open }, n) => {
    const target = details[n]
    if (target && open) target.open = true
  })
  let focused: HTMLElement | undefined
  const fields: [target: HTMLInputElement | HTMLTextAreaElement, text: string][] = []
  from.querySelectorAll<HTMLElement>(interactive).forEach((source, n) => {
    const target = counterpart(source, to, targets[n])
    if (!target) return
    if (source === document.activeElement) focused = target
    const isField = source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement
    const isSameField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isField && isSameField && source.value !== source.defaultValue) fields.push([target, source.value])
  })
  return () => {
    for (const [target, text] of fields) {
      // The setter of the class, because React has one of its own on the element and would see no change.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), 'value')?.set?.call(target, text)
      target.dispatchEvent(new Event('input', { bubbles: true }))
    }
    focused?.focus({ preventScroll: true })
  }
}

/**
 * Shows the app in place of what the server has rendered, in one step and as soon as the app shows as much. Until then the
 * app renders outside of the document.
 */
export async function takeOver(rendered: HTMLElement, app: HTMLElement, queryClient: QueryClient): Promise<void> {
  await whenSettled(queryClient)
  await whenImagesDecoded(app)
  const restore = copyState(rendered, app)
  rendered.replaceWith(app)
  restore()
  delete document.documentElement.dataset['session']
}
