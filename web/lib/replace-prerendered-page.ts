import type { QueryClient } from '@tanstack/react-query'
import { pendingComponentCount } from './lazy-component.tsx'
import { wait } from './time.ts'

/** On a slow network, the server-rendered page stays at most so long; it can be read, and its links work. */
const maxWaitMs = 8_000
const checkMs = 16

/** Resolves when nothing is pending in several checks in a row: React renders between them and may start new loads. */
async function whenSettled(queryClient: QueryClient): Promise<void> {
  const until = performance.now() + maxWaitMs
  for (let quietChecks = 0; quietChecks < 3 && performance.now() < until;) {
    quietChecks = pendingComponentCount() + queryClient.isFetching() === 0 ? quietChecks + 1 : 0
    await wait(checkMs)
  }
}

/** Resolves when the images above the fold are decoded, so that they do not flicker. */
async function whenImagesDecoded(root: HTMLElement): Promise<void> {
  const pictures = Array.from(root.querySelectorAll('img')).filter(({ loading }) => loading !== 'lazy')
  await Promise.race([Promise.all(pictures.map((picture) => picture.decode().catch(() => {}))), wait(maxWaitMs / 4)])
}

/** A press becomes a click a moment after its end, on touch screens in a task of its own. */
const clickWaitMs = 50

/** Notes presses until the signal. A press that starts on one element and ends on another is no click. */
function watchPresses(signal: AbortSignal): { whenOver: () => Promise<void> } {
  let overAt = 0
  const note = (type: string, end: () => number) =>
    document.addEventListener(type, () => (overAt = end()), { capture: true, passive: true, signal })
  note('pointerdown', () => Infinity)
  note('pointerup', () => performance.now() + clickWaitMs)
  note('pointercancel', () => 0)
  const whenOver = async (): Promise<void> => {
    const until = performance.now() + maxWaitMs / 4
    while (performance.now() < Math.min(overAt, until)) await wait(checkMs)
  }
  return { whenOver }
}

const interactive = 'a, button, input, textarea, select, summary'

/**
 * The app's counterpart of an element of the server-rendered page. Fields are matched by name, because the app shows
 * signed-in users other links and fields before them; all else by position, even radio buttons, which share a name.
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

/** Copies what a visitor did on the server-rendered page: opened details, text in fields, the focus. */
function copyUserInput(from: HTMLElement, to: HTMLElement): () => void {
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
      // The prototype's setter: React overrides the one on the element to track values, and would see no change.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), 'value')?.set?.call(target, text)
      target.dispatchEvent(new Event('input', { bubbles: true }))
    }
    focused?.focus({ preventScroll: true })
  }
}

/**
 * Replaces the server-rendered page with the app in one step, as soon as the app has loaded as much. Until then the app
 * renders outside of the document.
 */
export async function replacePrerenderedPage(
  rendered: HTMLElement,
  app: HTMLElement,
  queryClient: QueryClient,
): Promise<void> {
  const replaced = new AbortController()
  const presses = watchPresses(replaced.signal)
  await whenSettled(queryClient)
  await whenImagesDecoded(app)
  await presses.whenOver()
  replaced.abort()
  const restore = copyUserInput(rendered, app)
  rendered.replaceWith(app)
  restore()
  delete document.documentElement.dataset['session']
}
