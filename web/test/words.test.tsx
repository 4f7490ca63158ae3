import { signIn } from '@keepsnap/contract/accounts.ts'
import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from './fakeServer.ts'
import { pseudo, visit } from './render.tsx'
import { foreignTexts } from './words.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
})
afterEach(() => server.close())

const sentences = (count: number) => expect(document.body.textContent?.match(/⟦/g)?.length).toBeGreaterThan(count)

describe('every sentence comes from the catalogue', () => {
  test.each([
    ['/', 30],
    ['/login', 6],
    ['/register', 12],
    ['/nowhere', 5],
  ])('on %s', async (at, count) => {
    await visit(server, { at, language: pseudo })
    await screen.findByRole('heading', { level: 1 })
    sentences(count)
    expect(foreignTexts(document.body)).toEqual([])
  })

  test('on the home page of a signed-in person, with the account menu open', async () => {
    const { token } = server.addUser({ username: 'marjolein', subscription_tier: 'pro' })
    const { person } = await visit(server, { at: '/', token, language: pseudo })
    await screen.findAllByText('marjolein')
    await person.click(screen.getByRole('button', { name: /Åççöüñt méñü/ }))
    sentences(30)
    expect(foreignTexts(document.body)).toEqual([])
  })

  test('in what a failed sign-in and an unfinished registration say', async () => {
    server.answer(signIn, () => refuse(500, 'English from the server'))
    const { person } = await visit(server, { at: '/login', language: pseudo })
    await person.type(await screen.findByLabelText(/Émáíl/), 'a@b.example')
    await person.type(screen.getByLabelText(/^⟦Pásswörd/), 'secret{Enter}')
    await screen.findByRole('alert')
    expect(foreignTexts(document.body)).toEqual([])
    const [register] = screen.getAllByRole('link', { name: /Régístér/ })
    await person.click(register!)
    await person.type(await screen.findByLabelText(/Émáíl/), 'nobody{Enter}')
    sentences(14)
    expect(foreignTexts(document.body)).toEqual([])
  })

  test('in the title of the tab', async () => {
    await visit(server, { at: '/login', language: pseudo })
    await screen.findByRole('heading', { level: 1 })
    expect(document.title).toMatch(/^⟦.+⟧$/)
  })
})

test('a sentence that is written into a component is found', () => {
  const page = document.createElement('div')
  page.innerHTML = '<p>⟦fine⟧</p><p>Forgotten</p><img alt="Also forgotten"><b translate="no">Keepsnap</b><i>12</i>'
  expect(foreignTexts(page)).toEqual(['Forgotten', 'Also forgotten'])
})
