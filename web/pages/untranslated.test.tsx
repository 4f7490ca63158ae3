import { signIn } from '@keepsnap/contract/accounts.ts'
import { getPhoto, latestPhoto, listPhotos, uploadPhoto } from '@keepsnap/contract/photos.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { refuse, useFakeServer } from '../test/fake-server.ts'
import { failedPhoto, processingPhoto, samplePhoto } from '../test/sample-photos.ts'
import { pseudo, visit } from '../test/render.tsx'
import { untranslatedTexts } from '../test/untranslated.ts'

const server = useFakeServer()

const sentences = (count: number) => expect(document.body.textContent?.match(/⟦/g)?.length).toBeGreaterThan(count)

describe('every sentence comes from the catalogue', () => {
  test.each([
    ['/', 30],
    ['/login', 6],
    ['/register', 12],
    ['/nowhere', 5],
    ['/forgot-password', 6],
    ['/reset-password', 4],
    ['/reset-password?token=abc', 10],
    ['/demo-screen', 10],
    ['/verify-email', 3],
    ['/verify-email?token=abc', 3],
  ])('on %s', async (at, count) => {
    await visit(server, { at, language: pseudo })
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => sentences(count))
    expect(untranslatedTexts(document.body)).toEqual([])
  })

  test('on the home page of a signed-in user, with the account menu open', async () => {
    const { token } = server.addUser({ username: 'marjolein', subscription_tier: 'pro' })
    const { person } = await visit(server, { at: '/', token, language: pseudo })
    await screen.findAllByText('marjolein')
    await person.click(screen.getByRole('button', { name: /Åççöüñt méñü/ }))
    sentences(30)
    expect(untranslatedTexts(document.body)).toEqual([])
  })

  test('in the errors of a failed sign-in and of an incomplete registration', async () => {
    server.answer(signIn, () => refuse(500, 'English from the server'))
    const { person } = await visit(server, { at: '/login', language: pseudo })
    await person.type(await screen.findByLabelText(/Émáíl/), 'a@b.example')
    await person.type(screen.getByLabelText(/^⟦Pásswörd/), 'secret{Enter}')
    await screen.findByRole('alert')
    expect(untranslatedTexts(document.body)).toEqual([])
    const [register] = screen.getAllByRole('link', { name: /Régístér/ })
    await person.click(register!)
    await person.type(await screen.findByLabelText(/Émáíl/), 'nobody{Enter}')
    sentences(14)
    expect(untranslatedTexts(document.body)).toEqual([])
  })

  describe('on the pages of photos', () => {
    const photos = [samplePhoto(3), failedPhoto(2), processingPhoto(1)]
    const open = (at: string, latest = photos[0]!) => {
      server.answer(latestPhoto, () => latest)
      server.answer(listPhotos, () => photos)
      const { token } = server.addUser({ is_admin: true })
      return visit(server, { at, token, language: pseudo })
    }
    /** The untranslated texts of a page with more than `count` sentences, some of which are loaded on demand. */
    const untranslatedAmong = async (count: number) => {
      await waitFor(() => sentences(count))
      return untranslatedTexts(document.body)
    }

    test.each([
      ['ready', samplePhoto(3)],
      ['being processed', processingPhoto(3)],
      ['failed', failedPhoto(3, { error_message: 'From the server.' })],
    ])('the Latest page with a photo that is %s, and its panels', async (_, latest) => {
      const { person } = await open('/latest', latest)
      await person.click(await screen.findByRole('button', { name: /Shöw Débüg/ }))
      // Show Debug is there before the photo has been fetched.
      const code = await screen.findByRole('button', { name: /QR/ })
      if (!code.hasAttribute('disabled')) await person.click(code)
      expect(await untranslatedAmong(25)).toEqual([])
    })

    test('the Latest page without a photo, and with one that cannot be loaded', async () => {
      server.answer(latestPhoto, () => refuse(404, 'English from the server'))
      server.answer(listPhotos, () => [])
      const { token } = server.addUser()
      const { state } = await visit(server, { at: '/latest', token, language: pseudo })
      await screen.findByText(/Nö phötös üplöádéd ÿét/)
      expect(await untranslatedAmong(8)).toEqual([])
      server.answer(latestPhoto, () => refuse(500, 'English from the server'))
      await state.queryClient.resetQueries()
      await screen.findByText(/Érrör löádíñg/)
      expect(await untranslatedAmong(8)).toEqual([])
    })

    test('the gallery with its selection and its confirmation dialog', async () => {
      const { person } = await open('/gallery')
      await person.click(await screen.findByRole('button', { name: /Séléçt/ }))
      const [first] = await screen.findAllByRole('button', { pressed: false })
      await person.click(first!)
      await person.click(screen.getByRole('button', { name: /Délété/ }))
      expect(await untranslatedAmong(15)).toEqual([])
    })

    test.each(photos.map(({ id }) => id))('the viewer with %s', async (id) => {
      await open(`/gallery?photo=${id}`)
      await screen.findByRole('dialog')
      expect(await untranslatedAmong(15)).toEqual([])
    })

    test('the viewer of a photo that no longer exists', async () => {
      server.answer(getPhoto, () => refuse(404, 'English from the server'))
      await open('/gallery?photo=nothing')
      await screen.findByText(/ñö löñgér éxísts/)
      expect(await untranslatedAmong(12)).toEqual([])
    })

    test('the upload page with one file and with several files', async () => {
      server.answer(uploadPhoto, () => refuse(500, undefined))
      const { person } = await open('/upload')
      const files = ['one', 'two'].map((name) => new File(['picture'], `${name}.jpg`, { type: 'image/jpeg' }))
      const picker = () => document.querySelector<HTMLInputElement>('input[type=file][multiple]')
      await waitFor(() => expect(picker()).not.toBeNull())
      expect(await untranslatedAmong(12)).toEqual([])
      await person.upload(picker()!, files[0]!)
      await person.click(await screen.findByRole('button', { name: /Uplöád Phötö/ }))
      await screen.findByText(/Fáíléd tö üplöád/)
      expect(await untranslatedAmong(10)).toEqual([])
      await person.click(screen.getByRole('button', { name: /Rémövé/ }))
      await waitFor(() => expect(picker()).not.toBeNull())
      await person.upload(picker()!, files)
      await waitFor(() => expect(screen.getAllByText(/Fáíléd tö üplöád/)).toHaveLength(2))
      expect(await untranslatedAmong(15)).toEqual([])
    })
  })

  test('in the title of the tab', async () => {
    await visit(server, { at: '/login', language: pseudo })
    await screen.findByRole('heading', { level: 1 })
    expect(document.title).toMatch(/^⟦.+⟧$/)
  })
})

test('a sentence that is not in the catalogue is found', () => {
  const page = document.createElement('div')
  page.innerHTML = '<p>⟦fine⟧</p><p>Forgotten</p><img alt="Also forgotten"><b translate="no">Keepsnap</b><i>12</i>'
  expect(untranslatedTexts(page)).toEqual(['Forgotten', 'Also forgotten'])
})
