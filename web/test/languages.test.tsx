import { signIn } from '@keepsnap/contract/accounts.ts'
import { checkResetLink, invalidResetTokenDetail } from '@keepsnap/contract/security.ts'
import { getHold } from '@keepsnap/contract/screen.ts'
import { latestPhoto, listPhotos } from '@keepsnap/contract/photos.ts'
import { listPhotoRequests, listReports, resendPhotoRequest } from '@keepsnap/contract/guests.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createFormat } from '../lib/format.ts'
import type { LocaleData } from '../lib/i18n.tsx'
import { catalogueIn } from '../messages/catalogues.ts'
import { refuse, useFakeServer } from './fake-server.ts'
import { visit } from './render.tsx'
import { failedPhoto, sampleRequest, sampleRequestList } from './samples.ts'

const shown = (tag: Language): LocaleData => ({ tag, text: catalogueIn(tag), format: createFormat(tag) })
const server = useFakeServer()

describe('what the server says in English, in another language', () => {
  test.each([
    ['This address does not exist.', 'Dit adres bestaat niet.'],
    // What a mail server of somebody wrote has no translation.
    ['554 Go away', 'Dat is niet gelukt. Probeer het opnieuw.'],
  ])('%s in the data is %s', async (failure, sentence) => {
    server.answer(listReports, () => ({ reports: [] }))
    server.answer(listPhotoRequests, () => sampleRequestList([sampleRequest(1, { state: 'failed', failure })]))
    await visit(server, { at: '/photo-requests', token: server.addUser().token, language: shown('nl') })
    expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0)
    expect(screen.queryByText(failure)).toBeNull()
  })

  test('why a photo failed is said in the language of the app on Latest, too', async () => {
    const sentence = 'This photo is damaged or incomplete. Please upload the original file again.'
    server.answer(latestPhoto, () => failedPhoto(1, { error_message: sentence }))
    server.answer(listPhotos, () => [])
    server.answer(getHold, () => ({ hold: null }))
    await visit(server, { at: '/latest', token: server.addUser().token, language: shown('nl') })
    expect(await screen.findByText(catalogueIn('nl').refusals.sentences[sentence]!)).toBeVisible()
    expect(screen.queryByText(sentence)).toBeNull()
  })

  test('a refusal with a translation is shown, one without is the sentence of the page', async () => {
    server.answer(listReports, () => ({ reports: [] }))
    const requests = [sampleRequest(1, { state: 'failed', failure: null })]
    server.answer(listPhotoRequests, () => sampleRequestList(requests))
    server.answer(resendPhotoRequest, () => refuse(409, 'Only failed emails can be resent.', 'conflict'))
    const { person } = await visit(server, {
      at: '/photo-requests',
      token: server.addUser().token,
      language: shown('de'),
    })
    const { requests: text } = catalogueIn('de')
    const [resend] = await screen.findAllByRole('button', { name: text.resendTo('guest1@example.com') })
    await person.click(resend!)
    const translation = catalogueIn('de').refusals.sentences['Only failed emails can be resent.']!
    expect(await screen.findByText(translation)).toBeVisible()
    server.answer(resendPhotoRequest, () => refuse(409, 'A sentence that nobody has translated.', 'conflict'))
    await person.click(resend!)
    expect(await screen.findByText(text.errors.resend)).toBeVisible()
  })

  test('rules that read the English sentence go on working', async () => {
    server.answer(checkResetLink, () => refuse(400, invalidResetTokenDetail))
    await visit(server, { at: '/reset-password?token=x', language: shown('fr') })
    expect(
      await screen.findByRole('heading', { level: 1, name: catalogueIn('fr').reset.reset.invalid.heading }),
    ).toBeVisible()
    expect(screen.getByText(catalogueIn('fr').refusals.sentences[invalidResetTokenDetail]!)).toBeVisible()
  })

  test('a form says the first of several problems', async () => {
    server.answer(signIn, () => refuse(400, 'Too many sign-ins right now. Please try again.'))
    const { person } = await visit(server, { at: '/login', language: shown('nl') })
    const { session } = catalogueIn('nl')
    await person.type(await screen.findByLabelText(session.email), 'lotte@example.com')
    await person.type(screen.getByLabelText(session.password, { selector: 'input' }), 'Kasteel14!')
    await person.click(screen.getByRole('button', { name: session.login.submit }))
    const sentence = session.errors.loginFailed('Er loggen nu te veel mensen tegelijk in. Probeer het opnieuw.')
    expect(await screen.findByText(sentence)).toBeVisible()
  })
})
