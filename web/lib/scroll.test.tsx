import { act, fireEvent, render, screen } from '@testing-library/react'
import { Link, MemoryRouter, useNavigate } from 'react-router'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { staying, useScrollPlaces } from './scroll.ts'

let went: unknown[]
function Page() {
  useScrollPlaces()
  const navigate = useNavigate()
  return (
    <>
      <Link to="/latest">Latest</Link>
      <Link to="/#pricing">Plans</Link>
      <Link to="/?photo=1" state={staying}>
        Photo
      </Link>
      <button type="button" onClick={() => navigate(-1)}>
        Back
      </button>
      <p id="pricing">Three plans</p>
    </>
  )
}
const open = () =>
  render(
    <MemoryRouter initialEntries={['/']}>
      <Page />
    </MemoryRouter>,
  )
const click = (name: string) => act(async () => void fireEvent.click(screen.getByText(name)))

/** What a reader does: the page stands lower, and the browser says so. */
function scrollTo(top: number) {
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(top)
  act(() => void window.dispatchEvent(new Event('scroll')))
}

beforeEach(() => {
  went = []
  vi.spyOn(window, 'scrollTo').mockImplementation((place: unknown) => void went.push(place))
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    went.push(`#${this.id}`)
  })
  return () => void vi.restoreAllMocks()
})

describe('the place on the page', () => {
  test('is the top of a new page', async () => {
    open()
    scrollTo(700)
    await click('Latest')
    expect(went).toEqual([{ top: 0, behavior: 'instant' }])
  })

  test('stays when something opens over the page, and when it closes', async () => {
    open()
    scrollTo(700)
    await click('Photo')
    scrollTo(900)
    await click('Back')
    expect(went).toEqual([])
  })

  test('is where the reader was, going back', async () => {
    open()
    scrollTo(700)
    await click('Latest')
    scrollTo(40)
    went = []
    await click('Back')
    expect(went).toEqual([{ top: 700, behavior: 'instant' }])
  })

  test('is the part that the address asks for', async () => {
    open()
    await click('Plans')
    expect(went).toEqual(['#pricing'])
  })

  test('is kept when the page is loaded again', async () => {
    open()
    scrollTo(300)
    await click('Latest')
    act(() => void window.dispatchEvent(new Event('pagehide')))
    expect(window.sessionStorage.getItem('places')).toContain('=300')
  })
})
