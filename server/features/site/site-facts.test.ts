import { expect, test } from 'vitest'
import type { SiteInfo } from '@keepsnap/contract/site.ts'
import { serverForThisTest } from '../../test/harness.ts'

const facts: SiteInfo = {
  operator: {
    name: 'Foto BV',
    address: '1 Sample Street, 1000 Sample Town',
    vat: 'SAMPLE 0000.000.000',
    email: 'info@foto.example',
    is_sample: true,
  },
  team: [
    { role: 'Support', name: 'Ann Peeters' },
    { role: 'Photography', name: 'Bert: Claes' },
  ],
  support_email: 'info@foto.example',
  emails: 'outbox',
  payments: 'off',
  storage_host: null,
  analytics: { provider: 'plausible', host: 'https://stats.example', site: 'foto.example' },
}

test('pages get the facts of the settings, once a minute, and not again while they are the same', async () => {
  const server = await serverForThisTest({
    PAYMENTS: 'off',
    OPERATOR_NAME: 'Foto BV',
    OPERATOR_EMAIL: 'info@foto.example',
    ANALYTICS_PROVIDER: 'plausible',
    ANALYTICS_HOST: 'https://stats.example',
    ANALYTICS_SITE: 'foto.example',
    OPERATOR_TEAM: ' Support: Ann Peeters; Photography : Bert: Claes ;',
  })
  const get = (headers: Record<string, string> = {}) => server.request({ method: 'GET', url: '/site', headers })
  const answer = await get()
  expect(answer.json()).toEqual(facts)
  expect(answer.headers).toMatchObject({ 'cache-control': 'public, max-age=60', etag: expect.stringMatching(/^W\/"/) })
  const again = await get({ 'if-none-match': String(answer.headers.etag) })
  expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', 'public, max-age=60'])
  expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
})
