import { isPrivateUrl } from '../../lib/private-url.ts'

/** How plans are paid: by card at Stripe, as a demonstration without money, or not at all. */
export type PaymentsConfig =
  | {
      kind: 'stripe'
      secretKey: string
      webhookSecret: string
      /** Stripe's ids of the prices of the paid plans. */
      prices: { pro_monthly: string; pro_yearly: string }
      /** Where Stripe's API is; undefined: at Stripe. */
      apiBase: string | undefined
    }
  | { kind: 'demo' }
  | { kind: 'off' }

/** Whether Stripe's key is one of the test mode, in which no money moves. */
export const isTestKey = ({ secretKey }: Extract<PaymentsConfig, { kind: 'stripe' }>): boolean =>
  /^[a-z]+_test_/.test(secretKey)

/** Warnings about payments that do not do what people on the internet would expect. */
export function paymentWarnings(payments: PaymentsConfig, publicUrl: string): string[] {
  const isPrivate = isPrivateUrl(publicUrl)
  if (payments.kind === 'demo' && !isPrivate)
    return [`Payments are a demonstration at ${publicUrl}: anybody gets a paid plan without paying. Set PAYMENTS.`]
  if (payments.kind !== 'stripe') return []
  if (isPrivate && payments.apiBase === undefined)
    return [
      `Stripe cannot send webhooks to ${publicUrl}, so renewals and cancellations are noticed up to an hour later. Set PUBLIC_URL to a URL on the internet.`,
    ]
  return isTestKey(payments) && !isPrivate
    ? ['STRIPE_SECRET_KEY is a key of the test mode: no money moves. Set the key of the live mode to receive payments.']
    : []
}

/** The ids of the prices with demo payments. */
export const demoPrices = { pro_monthly: 'demo_pro_monthly', pro_yearly: 'demo_pro_yearly' } as const

/** Reads a setting; undefined when it is missing or empty. */
type ReadSetting = (name: string) => string | undefined

const kinds = ['stripe', 'demo', 'off'] as const
const stripeSettings = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_PRO_MONTHLY',
  'STRIPE_PRICE_PRO_YEARLY',
] as const

function readStripe(readSetting: ReadSetting, problems: string[]): PaymentsConfig {
  const missing = stripeSettings.filter((name) => !readSetting(name))
  if (missing.length)
    problems.push(`Payments by Stripe need ${missing.join(', ')} too; set all of ${stripeSettings.join(', ')}.`)
  // The values may be secrets, so the messages do not repeat them.
  const secretKey = readSetting('STRIPE_SECRET_KEY') ?? ''
  if (secretKey && !/^(sk|rk)_(test|live)_\w+$/.test(secretKey))
    problems.push('STRIPE_SECRET_KEY is not a secret key; give one that begins with sk_ or rk_.')
  const webhookSecret = readSetting('STRIPE_WEBHOOK_SECRET') ?? ''
  if (webhookSecret && !webhookSecret.startsWith('whsec_'))
    problems.push('STRIPE_WEBHOOK_SECRET is not the signing secret of a webhook; give the one that begins with whsec_.')
  const prices = {
    pro_monthly: readSetting('STRIPE_PRICE_PRO_MONTHLY') ?? '',
    pro_yearly: readSetting('STRIPE_PRICE_PRO_YEARLY') ?? '',
  }
  if (prices.pro_monthly && prices.pro_monthly === prices.pro_yearly)
    problems.push('STRIPE_PRICE_PRO_MONTHLY and STRIPE_PRICE_PRO_YEARLY are the same; give one price for each plan.')
  const apiBase = readSetting('STRIPE_API_BASE')
  const parsedBase = apiBase !== undefined && URL.canParse(apiBase) ? new URL(apiBase) : undefined
  const isBase =
    parsedBase && /^https?:$/.test(parsedBase.protocol) && parsedBase.pathname === '/' && !parsedBase.search
  if (apiBase !== undefined && !isBase)
    problems.push(`STRIPE_API_BASE is "${apiBase}"; give an origin such as https://api.stripe.com, without a path.`)
  return { kind: 'stripe', secretKey, webhookSecret, prices, apiBase: isBase ? parsedBase.origin : undefined }
}

/**
 * Reads PAYMENTS and STRIPE_*. Without PAYMENTS: Stripe if there is a key, a demonstration on a private URL, otherwise
 * none.
 */
export function readPaymentSettings(
  readSetting: ReadSetting,
  publicUrl: string,
  problems: string[],
): { payments: PaymentsConfig } {
  const setting = readSetting('PAYMENTS')
  const kind = kinds.find((one) => one === setting)
  if (setting !== undefined && !kind) problems.push(`PAYMENTS is "${setting}"; give one of ${kinds.join(', ')}.`)
  const hasKey = readSetting('STRIPE_SECRET_KEY') !== undefined
  const defaultKind = hasKey ? 'stripe' : isPrivateUrl(publicUrl) ? 'demo' : 'off'
  const chosenKind = kind ?? defaultKind
  return { payments: chosenKind === 'stripe' ? readStripe(readSetting, problems) : { kind: chosenKind } }
}
