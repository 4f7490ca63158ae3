import { act, fireEvent, render, screen } from '@testing-library/react'
import { Link, MemoryRouter, useNavigate } from 'react-router'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { keepScroll, useScrollRestoration } from './viewport.ts'

let scrolls: unknown[]
function Page() {
  useScrollRestoration()
  const navigate = useNavigate()
  return (
    <>
      <Link to="/latest">Latest</Link>
      <Link to="/#pricing">Plans</Link>
      <Link to="/?photo=1" state={keepScroll}>
        Photo
      </Link>
      <button type="button" onClick={() => navigate(-1)}>
        Back
      </button>
      <p id="pricing">Three plans</p>
    </>
  )
}
const open = (path = '/') =>
  render(
    <MemoryRouter initialEntries={[path]}>
      <Page />
    </MemoryRouter>,
  )
const click = (name: string) => act(async () => void fireEvent.click(screen.getByText(name)))

/** What a user does: the page moves, and the browser dispatches an event. */
function scrollTo(top: number) {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(top)
  act(() => void window.dispatchEvent(new Event('scroll')))
}

beforeEach(() => {
  scrolls = []
  vi.spyOn(window, 'scrollTo').mockImplementation((options: unknown) => void scrolls.push(options))
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolls.push(`#${this.id}`)
  })
})

describe('the scroll position', () => {
  test('is the top on a new page', async () => {
    open()
    scrollTo(700)
    await click('Latest')
    expect(scrolls).toEqual([{ top: 0, behavior: 'instant' }])
  })

  test('does not change when a dialog with its own URL opens and closes', async () => {
    open()
    scrollTo(700)
    await click('Photo')
    scrollTo(900)
    await click('Back')
    expect(scrolls).toEqual([])
  })

  test('is restored when going back', async () => {
    open()
    scrollTo(700)
    await click('Latest')
    scrollTo(40)
    scrolls = []
    await click('Back')
    expect(scrolls).toEqual([{ top: 700, behavior: 'instant' }])
  })

  test('is the element of the hash', async () => {
    open()
    await click('Plans')
    expect(scrolls).toEqual(['#pricing'])
  })

  test('is stored for a reload of the page', async () => {
    open()
    scrollTo(300)
    await click('Latest')
    act(() => void window.dispatchEvent(new Event('pagehide')))
    expect(window.sessionStorage.getItem('places')).toContain('=300')
  })

  describe('in a document that is loaded after another one', () => {
    const loadAfterScrolling = (from: string, to: string, type: NavigationTimingType): void => {
      const { unmount } = open(from)
      scrollTo(700)
      act(() => void window.dispatchEvent(new Event('pagehide')))
      unmount()
      vi.stubGlobal('performance', { getEntriesByType: () => [{ type }] })
      open(to)
      vi.unstubAllGlobals()
    }

    test.each<[string, string, NavigationTimingType, unknown[]]>([
      ['is restored by a reload', '/pricing', 'reload', [{ top: 700, behavior: 'instant' }]],
      ['is not that of another page', '/subscription/success?session_id=1', 'navigate', []],
      ['is not that of an earlier visit', '/pricing', 'navigate', []],
    ])('%s', (_, to, type, expected) => {
      loadAfterScrolling('/pricing', to, type)
      expect(scrolls).toEqual(expected)
    })
  })
})
