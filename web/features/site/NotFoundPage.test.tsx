import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'

const server = useFakeServer()

test.each([
  ['link', 'Go Home', '/'],
  ['link', 'Contact support', '/support'],
  ['button', 'Go Back', '/login'],
])('a path without a page has the %s %s, to %s', async (role, name, path) => {
  window.history.pushState(null, '', '/')
  const { person, where } = await visit(server, { at: ['/login', '/latest/of/all'] })
  expect(await screen.findByRole('heading', { name: 'This page isn’t in the album' })).toBeVisible()
  await waitFor(() => expect(document.title).toBe('Page not found · Keepsnap'))
  await person.click(screen.getByRole(role, { name }))
  await waitFor(() => expect(where()).toBe(path))
})

test('Go Back goes home where there is no page before it', async () => {
  vi.spyOn(window.history, 'length', 'get').mockReturnValue(1)
  const { person, where } = await visit(server, { at: '/GALLERY' })
  await person.click(await screen.findByRole('button', { name: 'Go Back' }))
  await waitFor(() => expect(where()).toBe('/'))
})
