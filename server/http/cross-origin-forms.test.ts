import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicUrl, startServer, type TestServer } from '../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const forms = ['/support', '/token', '/request-photo/unknown', '/report-photo/unknown']
const sendForm = (url: string, headers: Record<string, string>) =>
  server.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: 'x=1',
  })

test.each([
  { origin: 'https://evil.example' },
  { origin: `${publicUrl}.evil.example` },
  { origin: 'x' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])('forms from pages of other sites are refused and not counted: %j', async (headers) => {
  for (const url of forms) {
    const answer = await sendForm(url, headers)
    expect([url, answer.statusCode, answer.json()]).toEqual([
      url,
      403,
      {
        code: 'forbidden',
        detail: 'This form was sent from another website. Please open the page here and send it again.',
      },
    ])
    expect(answer.headers['ratelimit']).toBeUndefined()
  }
})

test.each([
  {},
  { origin: publicUrl, 'sec-fetch-site': 'same-origin' },
  // By http where PUBLIC_URL is https, or the other way round.
  { origin: publicUrl.replace('http:', 'https:') },
  // Our pages say `no-referrer`, so their forms have no origin.
  { origin: 'null', 'sec-fetch-site': 'same-origin' },
  { origin: 'null' },
])('forms of our pages and of programs are read: %j', async (headers: Record<string, string>) => {
  for (const url of forms) expect((await sendForm(url, headers)).statusCode).not.toBe(403)
})
