import { currentUser } from '@keepsnap/contract/accounts.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'

const server = useFakeServer()

test('the profile shows name, email address and plan, and links to the settings', async () => {
  const { token, user } = server.addUser({ subscription_tier: 'pro' })
  const { person, where } = await visit(server, { at: '/profile', token })
  const main = document.querySelector('main')
  await waitFor(() => expect(main).toHaveTextContent(user.email))
  expect(main).toHaveTextContent('marjolein')
  await waitFor(() => expect(main).toHaveTextContent('Subscription tierPro Monthly'))
  await person.click(screen.getByRole('link', { name: 'Edit Profile' }))
  await waitFor(() => expect(where()).toBe('/settings'))
})

test('a profile that failed to load can be loaded again', async () => {
  server.answer(currentUser, () => refuse(500, 'Broken'))
  const { token, user } = server.addUser()
  const { person } = await visit(server, { at: '/profile', token })
  expect(await screen.findByText('Failed to load your profile information.')).toBeVisible()
  server.answer(currentUser, () => user)
  await person.click(screen.getByRole('button', { name: 'Try Again' }))
  await waitFor(() => expect(document.querySelector('main')).toHaveTextContent(user.email))
})

test.each([[undefined], ['dead']])(
  'without a valid session (token: %s) the profile redirects to the sign-in page',
  async (token) => {
    const { where } = await visit(server, { at: '/profile', ...(token && { token }) })
    await waitFor(() => expect(where()).toBe('/login?return=%2Fprofile'))
  },
)
