import { currentUser } from '@keepsnap/contract/accounts.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { pseudo, visit } from '../test/render.tsx'
import { foreignTexts } from '../test/words.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
})
afterEach(() => server.close())

test('the profile shows name, address and plan, and leads to the settings', async () => {
  const { token, user } = server.addUser({ subscription_tier: 'pro' })
  const { person, where } = await visit(server, { at: '/profile', token })
  const main = document.querySelector('main')
  await waitFor(() => expect(main).toHaveTextContent(user.email))
  expect(main).toHaveTextContent('marjolein')
  expect(main).toHaveTextContent('Subscription tierPro')
  await person.click(screen.getByRole('link', { name: 'Edit Profile' }))
  await waitFor(() => expect(where()).toBe('/settings'))
})

test('a profile that does not load can be tried again', async () => {
  server.answer(currentUser, () => refuse(500, 'Broken'))
  const { token, user } = server.addUser()
  const { person } = await visit(server, { at: '/profile', token })
  expect(await screen.findByText('Failed to load your profile information.')).toBeVisible()
  server.answer(currentUser, () => user)
  await person.click(screen.getByRole('button', { name: 'Try Again' }))
  await waitFor(() => expect(document.querySelector('main')).toHaveTextContent(user.email))
})

test.each([[undefined], ['dead']])('the profile of nobody (%s) leads to sign in, and back', async (token) => {
  const { where } = await visit(server, { at: '/profile', ...(token && { token }) })
  await waitFor(() => expect(where()).toBe('/login?return=%2Fprofile'))
})

test('every sentence of the profile comes from the catalogue', async () => {
  const { token } = server.addUser()
  await visit(server, { at: '/profile', token, language: pseudo })
  await screen.findByText(/Édít Próf|Édít Pröfílé/)
  expect(foreignTexts(document.body)).toEqual([])
})
