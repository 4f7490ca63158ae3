import type { Photo } from '@keepsnap/contract/photos.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { jpeg } from '../images/test/sample-images.ts'
import { useServer } from './harness.ts'
import { emailsTo } from './outbox.ts'
import { makeUser, upload, validPassword, type TestUser } from './test-data.ts'

let owner: TestUser
let photo: Photo
const server = useServer()
beforeAll(async () => {
  owner = await makeUser(server)
  photo = (await upload(server, owner, await jpeg({ width: 300, height: 200 }))).json<Photo>()
  await server.work()
})

const langOf = (html = ''): string | undefined => /<html[^>]* lang="(\w+)"/.exec(html)?.[1]
/** The language of the newest email to an address. */
async function emailLanguage(address: string): Promise<string | undefined> {
  await server.work()
  return langOf((await emailsTo(server, address)).at(-1)?.html)
}
const getPage = async (url: string, headers: Record<string, string>): Promise<string | undefined> =>
  langOf((await server.request({ method: 'GET', url, headers: { accept: 'text/html', ...headers } })).body)

/** Sends the form of the request page from a browser that has chosen a language. */
const sendForm = (body: string, language: string) =>
  server.request({
    method: 'POST',
    url: `/request-photo/${photo.id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: `language=${language}` },
    body,
  })

describe('the email to a guest', () => {
  const request = (email: string, fields: object, headers: Record<string, string> = {}) =>
    server.request({ method: 'POST', url: `/photos/${photo.id}/request-email`, body: { email, ...fields }, headers })

  test.each([
    ['of the page', 'page@example.com', { language: 'de' }, { 'accept-language': 'fr' }, 'de'],
    ['that the browser prefers', 'browser@example.com', {}, { 'accept-language': 'fr-BE,nl;q=0.5' }, 'fr'],
    ['English, when neither says one', 'nobody@example.com', {}, {}, 'en'],
  ])('is in the language %s', async (_, address, fields, headers, language) => {
    expect((await request(address, fields, headers)).statusCode).toBe(200)
    expect(await emailLanguage(address)).toBe(language)
  })

  test('is in the language of the form without JavaScript, like the answer to it', async () => {
    const response = await sendForm('email=form%40example.com&language=nl', 'nl')
    expect([response.statusCode, langOf(response.body), response.headers['set-cookie']]).toEqual([200, 'nl', undefined])
    expect(await emailLanguage('form@example.com')).toBe('nl')
  })

  test('leads to a page in its language, unless the guest has chosen another one', async () => {
    await request('link@example.com', { language: 'fr' })
    await server.work()
    const [email] = await emailsTo(server, 'link@example.com')
    const path = /\/g\/[\w-]{43}/.exec(email?.text ?? '')?.[0] ?? ''
    expect(await getPage(path, { 'accept-language': 'de' })).toBe('fr')
    expect(await getPage(path, { 'accept-language': 'de', cookie: 'language=nl' })).toBe('nl')
    expect(await getPage(`${path}?lang=en`, { cookie: 'language=nl' })).toBe('en')
  })
})

test.each([
  ['nl', 'Vul maar één adres in'],
  ['fr', 'Indiquez une seule adresse'],
  ['de', 'Gib nur eine Adresse ein'],
])('a refusal on a guest page is in %s', async (language, sentence) => {
  const response = await sendForm('email=a%40example.com%2C+b%40example.com', language)
  expect([response.statusCode, response.body.includes(sentence)]).toEqual([422, true])
})

describe('the emails to a user', () => {
  test('are in the language of the page on which they registered, then in the one of the settings', async () => {
    const email = 'languages@example.com'
    const body = { email, password: validPassword, language: 'nl' }
    const response = await server.request({ method: 'POST', url: '/register', body })
    const token = response.json<{ access_token: string }>().access_token
    expect(await emailLanguage(email)).toBe('nl')
    const change = await server.request({ method: 'PUT', url: '/user/settings', token, body: { language: 'fr' } })
    expect(change.json()).toMatchObject({ language: 'fr' })
    expect((await server.request({ method: 'POST', url: '/user/test-email', token })).statusCode).toBe(200)
    expect(await emailLanguage(email)).toBe('fr')
    // Also after the account is gone.
    await server.request({ method: 'DELETE', url: '/user', token, body: { password: validPassword } })
    expect(await emailLanguage(email)).toBe('fr')
  })

  test('are in English while their language is unknown, whatever their browser prefers', async () => {
    const headers = { 'accept-language': 'de' }
    await server.request({ method: 'POST', url: '/user/test-email', token: owner.token, headers })
    expect(await emailLanguage(owner.email)).toBe('en')
  })
})
