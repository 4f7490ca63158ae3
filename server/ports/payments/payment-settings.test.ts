import { expect, test } from 'vitest'
import { isTestKey, readPaymentSettings } from './payment-settings.ts'

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1234abcd',
  STRIPE_WEBHOOK_SECRET: 'whsec_5678efgh',
  STRIPE_PRICE_PRO_MONTHLY: 'price_month',
  STRIPE_PRICE_PRO_YEARLY: 'price_year',
}
const [atHome, onTheInternet] = ['http://192.168.1.20:3000', 'https://photos.example.com']

function read(env: Record<string, string>, publicUrl = onTheInternet) {
  const problems: string[] = []
  const { payments } = readPaymentSettings((name) => env[name], publicUrl, problems)
  return { payments, problems }
}

test.each([
  [{}, atHome, 'demo'],
  [{}, 'http://localhost:3000', 'demo'],
  [{}, onTheInternet, 'off'],
  [stripe, atHome, 'stripe'],
  [stripe, onTheInternet, 'stripe'],
  [{ ...stripe, PAYMENTS: 'demo' }, onTheInternet, 'demo'],
  [{ ...stripe, PAYMENTS: 'off' }, atHome, 'off'],
  [{ ...stripe, PAYMENTS: 'stripe' }, onTheInternet, 'stripe'],
])('%o at %s: payments are %s', (env, publicUrl, kind) => {
  const { payments, problems } = read(env, publicUrl)
  expect([payments.kind, problems]).toEqual([kind, []])
})

test('Stripe has its keys, prices and the address of its API', () => {
  expect(read(stripe).payments).toEqual({
    kind: 'stripe',
    secretKey: 'sk_test_1234abcd',
    webhookSecret: 'whsec_5678efgh',
    prices: { pro_monthly: 'price_month', pro_yearly: 'price_year' },
    apiBase: undefined,
  })
  expect(read({ ...stripe, STRIPE_API_BASE: 'http://127.0.0.1:12111/' }).payments).toMatchObject({
    apiBase: 'http://127.0.0.1:12111',
  })
})

test.each([
  ['sk_test_1', true],
  ['rk_test_1', true],
  ['sk_live_1', false],
  ['rk_live_test_', false],
])('%s is a key of the test mode: %s', (secretKey, isTest) => {
  const { payments, problems } = read({ ...stripe, STRIPE_SECRET_KEY: secretKey })
  expect([payments.kind === 'stripe' && isTestKey(payments), problems]).toEqual([isTest, []])
})

test.each([
  [{ PAYMENTS: 'card' }, 'PAYMENTS is "card"; give one of stripe, demo, off.'],
  [
    { PAYMENTS: 'stripe' },
    'need STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_PRO_MONTHLY, STRIPE_PRICE_PRO_YEARLY',
  ],
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'need STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_PRO_MONTHLY, STRIPE_PRICE_PRO_YEARLY'],
  [{ ...stripe, STRIPE_SECRET_KEY: 'pk_live_1' }, 'STRIPE_SECRET_KEY is not a secret key'],
  [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET is not the signing secret'],
  [{ ...stripe, STRIPE_PRICE_PRO_YEARLY: 'price_month' }, 'are the same; give one price for each plan'],
  [{ ...stripe, STRIPE_API_BASE: 'api.stripe.com' }, 'STRIPE_API_BASE is "api.stripe.com"; give an origin'],
  [{ ...stripe, STRIPE_API_BASE: 'https://api.stripe.com/v1' }, 'without a path'],
  [{ ...stripe, STRIPE_API_BASE: 'file:///' }, 'give an origin'],
])('%o is refused in one line', (env, line) => {
  const { problems } = read(env)
  expect(problems).toEqual([expect.stringContaining(line)])
})

test('a refusal repeats no secret', () => {
  const { problems } = read({ ...stripe, STRIPE_SECRET_KEY: 'mistyped-key', STRIPE_WEBHOOK_SECRET: 'mistyped-secret' })
  expect(problems).toHaveLength(2)
  expect(problems.join()).not.toContain('mistyped')
})
