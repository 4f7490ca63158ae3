import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'

const server = useFakeServer()

const codeAlt = 'QR code for the photo on the screen'
const code = () => screen.findByAltText(codeAlt)
const sampleOf = (picture: HTMLElement) => /\/qr\/s\/(\w+)\.svg$/.exec(picture.getAttribute('src') ?? '')?.[1]
const shownSample = () => sampleOf(screen.getByAltText(codeAlt))
const others = () =>
  within(screen.getByRole('list', { name: 'Other photos' }))
    .getAllByAltText(/^QR code for/)
    .map(sampleOf)
const note = () => screen.getByText('Demonstration').closest('div')!

describe('the demonstration of the big screen', () => {
  test('shows sample pictures with codes of this server, calls nothing, and leads visitors to registration', async () => {
    await visit(server, { at: '/demo-screen' })
    expect(await screen.findByAltText(/^Candles and red wine/)).toHaveAttribute(
      'src',
      // A file of the web app, from the origin of the page.
      expect.stringMatching(/^\/pictures\/table-1200\.webp$/),
    )
    expect(await code()).toHaveAttribute('src', `${server.origin}/qr/s/table.svg`)
    expect(others()).toEqual(['topper', 'dance', 'balloons', 'rings'])
    expect(server.calls).toEqual([])
    expect(document.title).toContain('The big screen')
    const link = within(note()).getByRole('link')
    expect(link).toHaveTextContent('Get Started')
    expect(link).toHaveAttribute('href', '/register')
    expect(screen.getByRole('link', { name: 'Sign In' })).toBeVisible()
    // Neither hiding nor settings.
    act(() => screen.getByRole('button', { name: 'More' }).click())
    const controls = within(screen.getByRole('group', { name: 'Photo' })).getAllByRole('button')
    const names = ['Pause', 'Next', 'Full screen', 'More', 'QR code', 'Other photos', 'Keyboard shortcuts']
    expect(controls.map((button) => button.textContent)).toEqual(names)
  })

  test('leads signed-in users to their own big screen', async () => {
    await visit(server, { at: '/demo-screen', token: server.addUser().token })
    await code()
    expect(within(note()).getByRole('link', { name: 'Open Latest' })).toHaveAttribute('href', '/latest')
    expect(screen.queryByText('Get Started')).toBeNull()
  })

  test('keeps the focus on the link when the first picture comes', async () => {
    const decoded = Promise.withResolvers<void>()
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockReturnValue(decoded.promise)
    await visit(server, { at: '/demo-screen' })
    const link = await screen.findByRole('link', { name: 'Get Started' })
    expect(screen.getByText('Loading...')).toBeInTheDocument()
    // The other photos have their room from the start: beside the first one, they would move what is there.
    expect(document.querySelector('.latest__recent')).toBeEmptyDOMElement()
    act(() => link.focus())
    decoded.resolve()
    await code()
    expect(screen.queryByText('Loading...')).toBeNull()
    expect(link).toHaveFocus()
  })

  test('the next picture is shown when somebody asks for it, and the one before moves to the others', async () => {
    const { person } = await visit(server, { at: '/demo-screen' })
    await code()
    await person.click(screen.getByRole('button', { name: 'Next' }))
    await eventually(() => expect(shownSample()).toBe('family'))
    expect(others()).toEqual(['table', 'topper', 'dance', 'balloons'])
    // The other photos on the big screen of this device stay as they are.
    await person.click(screen.getByRole('button', { name: 'More' }))
    await person.click(screen.getByRole('button', { name: 'Other photos' }))
    expect(screen.queryByRole('list', { name: 'Other photos' })).toBeNull()
    expect(window.localStorage.getItem('stage-prints')).toBeNull()
    expect(screen.getByAltText(/^A family of wooden figures/)).toBeVisible()
  })
})

describe('the sample pictures', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  const afterSeconds = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1_000)
    return shownSample()
  }

  test('arrive one after the other by themselves, until they are paused', async () => {
    await visit(server, { at: '/demo-screen' })
    await eventually(() => expect(shownSample()).toBe('table'))
    // Each attempt of `eventually` has passed 50 ms already.
    expect(await afterSeconds(5)).toBe('table')
    await eventually(async () => expect(await afterSeconds(1)).toBe('family'))
    await eventually(async () => expect(await afterSeconds(1)).toBe('rings'))
    fireEvent.click(screen.getByRole('button', { name: 'Pause' }))
    expect(await afterSeconds(60)).toBe('rings')
  })

  test('say when they cannot be loaded, and are loaded again on request', async () => {
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode').mockRejectedValue(new Error('no connection'))
    await visit(server, { at: '/demo-screen' })
    await eventually(() => expect(screen.getByText('Loading...')).toBeInTheDocument())
    await act(() => vi.advanceTimersByTimeAsync(130_000))
    expect(screen.getByRole('alert')).toHaveTextContent('The sample pictures couldn’t be loaded.')
    expect(screen.queryByText('Loading...')).toBeNull()
    decode.mockResolvedValue()
    fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await eventually(() => expect(shownSample()).toBe('table'))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('wait for users who prefer reduced motion, until these start them', async () => {
    const matchMedia = window.matchMedia.bind(window)
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.defineProperty(matchMedia(query), 'matches', { value: query.includes('reduced-motion') }),
    )
    await visit(server, { at: '/demo-screen' })
    await eventually(() => expect(shownSample()).toBe('table'))
    expect(await afterSeconds(60)).toBe('table')
    fireEvent.click(screen.getByRole('button', { name: 'Play' }))
    await eventually(async () => expect(await afterSeconds(4)).toBe('family'))
  })
})
