import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { visit } from '../test/render.tsx'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
})
afterEach(() => server.close())

describe('a path without a page', () => {
  test.each(['/nowhere', '/latest/of/all', '/GALLERY'])('%s shows the 404 page', async (at) => {
    await visit(server, { at })
    expect(await screen.findByRole('heading', { name: 'This page isn’t in the album' })).toBeVisible()
    await waitFor(() => expect(document.title).toBe('Page not found · Keepsnap'))
  })

  test('leads home', async () => {
    const { person, where } = await visit(server, { at: '/nowhere' })
    await person.click(await screen.findByRole('link', { name: 'Go Home' }))
    await waitFor(() => expect(where()).toBe('/'))
  })

  test('leads back to where the person came from', async () => {
    window.history.pushState(null, '', '/')
    const { person, where } = await visit(server, { at: ['/login', '/nowhere'] })
    await person.click(await screen.findByRole('button', { name: 'Go Back' }))
    await waitFor(() => expect(where()).toBe('/login'))
  })
})
