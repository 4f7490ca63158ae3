import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { nodeWarnings, startupBanner, startupWarnings } from './startup-banner.ts'

const operator = {
  OPERATOR_NAME: 'Ann Peeters BV',
  OPERATOR_ADDRESS: '5 Market Street, 9000 Ghent',
  OPERATOR_VAT: 'BE 0123.456.789',
  OPERATOR_EMAIL: 'ann@peeters.be',
}
const configFor = (env: Record<string, string>) =>
  readConfig({ ...operator, ...env }, { lanAddress: '192.168.1.20', cwd: '/srv' })
const bannerFor = (env: Record<string, string>): string =>
  startupBanner({ config: configFor(env), port: 3000, isolation: undefined, store: 's3', startedInMs: 1200 })
const noMail = "Email isn't set up, so guests can't request photos. Set SMTP_URL and MAIL_FROM."

test('in a private network without a mail server, the banner names the outbox folder', () => {
  expect(startupWarnings(configFor({}))).not.toContain(noMail)
  expect(bannerFor({})).toContain('files in /srv/data/outbox')
})

test('on the internet without a mail server, the banner warns that email is not set up', () => {
  const env = { PUBLIC_URL: 'https://photos.example.com' }
  expect(startupWarnings(configFor(env))).toEqual([noMail])
  expect(bannerFor(env)).toMatch(/Mail +not set up\n/)
})

test.each([
  ['http://localhost:3000', 'which phones cannot reach. Set PUBLIC_URL to the URL that guests use.'],
  ['https://127.0.0.1:3000', 'which phones cannot reach. Set PUBLIC_URL to the URL that guests use.'],
  ['http://[::1]:3000', 'which phones cannot reach. Set PUBLIC_URL to the URL that guests use.'],
  [
    'http://photos.lan',
    "without https. That is fine in a venue's own network; on the internet, set PUBLIC_URL to an https URL.",
  ],
])('of %s, the banner warns about the QR codes', (url, problem) => {
  const warning = `QR codes point to ${url}, ${problem}`
  expect(startupWarnings(configFor({ PUBLIC_URL: url }))).toEqual([warning])
  expect(bannerFor({ PUBLIC_URL: url })).toContain(`! ${warning}`)
})

describe('an operator who is not named', () => {
  const env = { PUBLIC_URL: 'https://photos.example.com', SMTP_URL: 'smtp://mail.example.com' }

  test('gives a warning on the internet, with the settings to set', () => {
    const [warning, ...others] = startupWarnings(configFor({ ...env, OPERATOR_NAME: '', OPERATOR_EMAIL: '' }))
    expect(warning).toMatch(/^OPERATOR_NAME, OPERATOR_EMAIL, SUPPORT_EMAIL: not set\. .*sample values/)
    expect(others).toEqual([])
    expect(bannerFor({ ...env, OPERATOR_VAT: '' })).toContain('! OPERATOR_VAT: not set.')
  })

  test('gives none in a private network, or when all are set', () => {
    expect(startupWarnings(configFor({ ...env, PUBLIC_URL: 'https://photos.lan', OPERATOR_NAME: '' }))).toEqual([])
    expect(startupWarnings(configFor(env))).toEqual([])
  })
})

test('the banner names the mail server without its credentials', () => {
  const env = { PUBLIC_URL: 'https://photos.example.com', SMTP_URL: 'smtp://ann:secret@mail.example.com:587' }
  expect(startupWarnings(configFor(env))).toEqual([])
  expect(bannerFor(env)).toContain('through mail.example.com, port 587, from photos@photos.example.com')
  expect(bannerFor(env)).not.toContain('secret')
})

describe('the banner says how plans are paid', () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_live_1234',
    STRIPE_WEBHOOK_SECRET: 'whsec_5678',
    STRIPE_PRICE_PRO_MONTHLY: 'price_month',
    STRIPE_PRICE_PRO_YEARLY: 'price_year',
  }
  const mail = { SMTP_URL: 'smtp://mail.example.com' }
  const internet = { ...mail, PUBLIC_URL: 'https://photos.example.com' }
  const testKey = { STRIPE_SECRET_KEY: 'sk_test_1234' }
  test.each<[Record<string, string>, string, string | undefined]>([
    [{ ...mail, PUBLIC_URL: 'https://photos.lan' }, 'demo: no money moves', undefined],
    [{ ...internet, PAYMENTS: 'demo' }, 'demo: no money moves', 'anybody gets a paid plan without paying'],
    [internet, 'off: plans cannot be bought', undefined],
    [{ ...internet, ...stripe }, 'by card at Stripe, live mode', undefined],
    [{ ...internet, ...stripe, ...testKey }, 'by card at Stripe, test mode', 'is a key of the test mode'],
    [
      { ...stripe, ...mail, PUBLIC_URL: 'https://photos.lan' },
      'live mode',
      'Stripe cannot send webhooks to https://photos.lan',
    ],
  ])('%o: %s', (env, line, warning) => {
    expect(bannerFor(env)).toMatch(new RegExp(`Payments +[^\n]*${line}\n`))
    const warnings = startupWarnings(configFor(env))
    expect(warnings).toHaveLength(warning === undefined ? 0 : 1)
    expect(warnings.join()).toContain(warning ?? '')
    expect(bannerFor(env)).not.toMatch(/1234|5678/)
  })
})

test('nodes are told what is on their machine alone', () => {
  const shared = {
    SMTP_URL: 'smtp://mail.example.com',
    PUBLIC_URL: 'https://photos.example.com',
    S3_BUCKET: 'photos',
    S3_ENDPOINT: 'https://s3.example.com',
    S3_REGION: 'eu',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
  }
  expect(nodeWarnings(configFor(shared))).toEqual([])
  expect(nodeWarnings(configFor({}))).toEqual([
    expect.stringContaining('/srv/data/files: all nodes must share this folder'),
    expect.stringContaining('/srv/data/outbox of the node that sends them'),
  ])
})
