import { afterEach, expect, test, vi } from 'vitest'
import { keepScreenOn } from './wake-lock.ts'
import { eventually } from '../../../test/eventually.ts'

const release = vi.fn<() => Promise<void>>(async () => {})
const request = vi.fn<() => Promise<{ release: () => Promise<void> }>>(async () => ({ release }))
/** A page with a document of its own, so that its visibility can be set. */
function openPage(wakeLock?: { request: typeof request }) {
  const document = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    createElement: (name: string) => window.document.createElement(name),
    body: window.document.body,
  })
  return { document, navigator: wakeLock ? { wakeLock } : {} }
}
afterEach(() => {
  request.mockClear()
  release.mockClear()
})

test('the screen stays on, also after the page was hidden, until it is stopped', async () => {
  const page = openPage({ request })
  const stop = keepScreenOn(page as never) // only these parts of a window are used
  await eventually(() => expect(request).toHaveBeenCalledTimes(1))
  page.document.visibilityState = 'hidden'
  page.document.dispatchEvent(new Event('visibilitychange'))
  expect(request).toHaveBeenCalledTimes(1)
  page.document.visibilityState = 'visible'
  page.document.dispatchEvent(new Event('visibilitychange'))
  expect(request).toHaveBeenCalledTimes(2)
  await Promise.resolve()
  stop()
  expect(release).toHaveBeenCalledTimes(1)
  page.document.dispatchEvent(new Event('visibilitychange'))
  expect(request).toHaveBeenCalledTimes(2)
})

test('nothing happens in a browser without wake locks and recording', async () => {
  const stop = keepScreenOn(openPage() as never) // only these parts of a window are used
  await Promise.resolve()
  expect(document.querySelector('video')).toBeNull()
  stop()
})
