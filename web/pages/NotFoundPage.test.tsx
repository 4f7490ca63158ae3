import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { useFakeServer } from '../test/fake-server.ts'
import { visit } from '../test/render.tsx'

const server = useFakeServer()

describe('a path without a page', () => {
  test.each(['/nowhere', '/latest/of/all', '/GALLERY'])('%s shows the 404 page', async (at) => {
    await visit(server, { at })
    expect(await screen.findByRole('heading', { name: 'This page isn’t in the album' })).toBeVisible()
    await waitFor(() => expect(document.title).toBe('Page not found · Keepsnap'))
  })

  test('links to the home page', async () => {
    const { person, where } = await visit(server, { at: '/nowhere' })
    await person.click(await screen.findByRole('link', { name: 'Go Home' }))
    await waitFor(() => expect(where()).toBe('/'))
  })

  test('links to support', async () => {
    const { person, where } = await visit(server, { at: '/nowhere' })
    await person.click(await screen.findByRole('link', { name: 'Contact support' }))
    await waitFor(() => expect(where()).toBe('/support'))
  })

  test('goes home where there is no page before it', async () => {
    vi.spyOn(window.history, 'length', 'get').mockReturnValue(1)
    const { person, where } = await visit(server, { at: '/nowhere' })
    await person.click(await screen.findByRole('button', { name: 'Go Back' }))
    await waitFor(() => expect(where()).toBe('/'))
  })

  test('goes back to the previous page', async () => {
    window.history.pushState(null, '', '/')
    const { person, where } = await visit(server, { at: ['/login', '/nowhere'] })
    await person.click(await screen.findByRole('button', { name: 'Go Back' }))
    await waitFor(() => expect(where()).toBe('/login'))
  })
})
