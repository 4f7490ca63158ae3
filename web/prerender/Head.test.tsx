import { currentUser } from '@keepsnap/contract/accounts.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { en } from '../messages/en.ts'
import { useFakeServer } from '../test/fake-server.ts'
import { visit } from '../test/render.tsx'
import { notFoundHead, pageHeads, type PageName, pageNameOf } from './Head.tsx'

const server = useFakeServer()

const forVisitors: PageName[] = ['login', 'register']
/** Pages whose title depends on the link that opened them; without a link they show an error. */
const byLink: PageName[] = ['resetPassword', 'verifyEmail', 'subscriptionSuccess']
const names = (Object.keys(pages) as PageName[]).filter((name) => !byLink.includes(name)) // its own keys

test.each(names)('%s has the title that the server has sent', async (name) => {
  const head = pageHeads[name]
  server.answer(currentUser, ({ user }) => user!) // only signed-in users call it
  document.title = ''
  await visit(server, {
    at: pages[name],
    ...(!forVisitors.includes(name) && { token: server.addUser({ is_admin: false }).token }),
  })
  await waitFor(() => expect(document.title).toBe(en.frame.documentTitle(head.title(en))))
})

test('an unknown path has the title of the 404 page', async () => {
  await visit(server, { at: '/nowhere' })
  await waitFor(() => expect(document.title).toBe(en.frame.documentTitle(notFoundHead.title(en))))
  expect(pageNameOf('/nowhere')).toBeUndefined()
})

test('what search engines show is a description of its own, of a length that they show', () => {
  for (const text of Object.values(en.pageDescriptions)) expect(text.length).toBeLessThanOrEqual(200)
})
