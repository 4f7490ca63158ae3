import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type Language } from '@keepsnap/contract/languages.ts'
import { essentialStorage } from '@keepsnap/contract/site.ts'
import { expect, test } from 'vitest'
import { sampleSiteInfo } from '../../../test/samples.ts'
import { legalDocuments } from './documents.ts'
import type { LegalContext } from './legal-text.ts'
import { currentValues } from './values.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const sources = globSync(['web/**/*.{ts,tsx,html}', 'server/**/*.ts', 'contract/*.ts'], {
  cwd: root,
  exclude: (path) => /node_modules|(^|\/)dist|\/test(\/|$)|\.test\./.test(path),
}).filter((path) => !/\.test\.|\/test\/|node_modules|\/dist/.test(path))

const policy = legalDocuments.privacy[0]!
async function blocksOf(language: Language, id: string, site: Partial<LegalContext['site']> = {}) {
  const { text } = await policy.load[language]()
  const section = text.sections.find((one) => one.id === id)
  return section?.blocks({ values: currentValues, site: { ...sampleSiteInfo, ...site } }) ?? []
}
/** The first cells of the table in a section of the English text. */
const namesIn = async (id: string): Promise<string[]> =>
  (await blocksOf('en', id)).flatMap((block) =>
    typeof block === 'object' && 'table' in block ? block.table.rows.map(([name = '']) => name) : [],
  )

/** The tables whose rows each point of "What we keep" is about. */
const tablesOfRecords: Record<string, string> = {
  'Your account': 'users',
  Consents: 'consents',
  'Your sign-ins': 'sessions ws_tickets operator_confirmations',
  Photos: 'photos stored_objects photo_holds photo_archives',
  Removals: 'photo_removals photo_keeping photo_keeping_emails',
  'Your logo and background': 'watermark_runs brand_images',
  'Your use': 'usage_months usage_warnings counted_plans processing_days processing_turns photo_counts',
  Counts: 'photo_activity event_activity',
  Events: 'events event_codes',
  'Photos of guests': 'contributors guest_months',
  Helpers: 'helpers',
  'Links to an event': 'event_grants gallery_notices',
  'Requests of guests': 'photo_requests grants',
  Pseudonyms: 'photo_request_attempts',
  'Unsubscribed mailboxes': 'blocked_mailboxes',
  Reports: 'photo_reports',
  'Messages to support': 'support_messages',
  Emails: 'emails',
  'Links in emails': 'email_links',
  'Data exports': 'archives',
  'API keys': 'api_keys webhooks webhook_deliveries webhook_attempts',
  Payments:
    'subscribers billing_customers subscriptions paid_plans checkouts refunds disputes billing_effects payment_events demo_customers demo_checkouts demo_payments demo_subscriptions demo_price_changes demo_events demo_invoices demo_refunds',
  Withdrawals: 'withdrawals',
  'Business details': 'businesses',
  'Invoices of businesses': 'business_invoices',
  'IP addresses': 'known_clients',
  'Wrong passwords': 'sign_in_delays',
  Counters: 'rate_hits',
  'Audit log': 'audit_log admin_keys',
  'The program’s log': '',
  Backups: 'erasures',
}
const nothingAboutPeople =
  'availability_days demo_clock payment_settings restores secret_keys plan_prices plans removal_guard storage_checks storage_copies storage_nodes storage_removals backup_state installation storage_state workers'

test('every table of the database is in the Privacy Policy, or holds nothing about people', async () => {
  const tables = Array.from(
    /export interface DB \{([^}]*)\}/.exec(read('server/platform/db/schema.ts'))![1]!.matchAll(/^ {2}(\w+):/gm),
    ([, name]) => name!,
  )
  const named = [...Object.values(tablesOfRecords), nothingAboutPeople].flatMap((names) =>
    names.split(' ').filter(Boolean),
  )
  expect(named.toSorted()).toEqual(tables.toSorted())
  const records = (await namesIn('what')).map((name) => /\*\*(.+?)\*\*/.exec(name)?.[1])
  expect(records).toEqual(Object.keys(tablesOfRecords))
})

/** The names under which a source stores something: literals, and constants of the same file. */
function storedNames(path: string): string[] {
  const source = read(path)
  const constantOf = (name: string): string[] =>
    Array.from(
      source.matchAll(new RegExp(`\\b${name}(?:Of)?\\b[^=\\n]*= (?:\\(.*\\): string => )?['\`]([\\w-]+)`, 'g')),
      ([, value]) => value!,
    )
  const calls = source.matchAll(
    /(?:storage|localStorage|sessionStorage)\s*\.(?:get|set|getItem|setItem|removeItem)\(([^,()]+)/gi,
  )
  const opened = source.matchAll(/openDB(?:<\w+>)?\(([^,)]+)/g)
  return Array.from([...calls, ...opened], ([, argument]) => argument!.trim()).flatMap((argument) => {
    const literal = /^'(.*)'$/.exec(argument)
    if (literal) return literal[1]!
    const found = constantOf(argument)
    return found.length > 0 ? found : `${path}: ${argument}`
  })
}

test('every name under which pages store something in browsers is in the Privacy Policy', () => {
  // lib/storage.ts passes names on; cookie keys are constants of contract/site.ts.
  const stored = new Set(sources.filter((path) => path !== 'web/lib/storage.ts').flatMap(storedNames))
  const imported = new Map([
    ['cookiePreferencesKey', 'cookie_preferences'],
    ['cookieDecisionKey', 'cookie_decision'],
  ])
  const names = [...stored].map((name) => imported.get(name.split(': ').at(-1)!) ?? name)
  const isNamed = (name: string): boolean =>
    name === 'plausible_ignore' ||
    essentialStorage.some(({ name: key }) => (key.endsWith('*') ? name.startsWith(key.slice(0, -1)) : key === name))
  expect(names.length).toBeGreaterThan(7)
  expect(names.filter((name) => !isNamed(name))).toEqual([])
})

test('three kinds of files set a cookie: those of the language, of known browsers, and of guests who add photos or help', () => {
  const setters = sources.filter((path) =>
    /document\.cookie\s*=|['"]set-cookie['"]|set(Secret)?Cookie\(|cookieStore/i.test(read(path)),
  )
  expect(
    setters.filter(
      (path) =>
        !/request-headers|secret-cookies|features\/(accounts\/sessions|events\/(contributors|helpers))|languages?\b|page-counter/i.test(
          path,
        ),
    ),
  ).toEqual([])
  expect(sources.filter((path) => /navigator\.serviceWorker|caches\.open/.test(read(path)))).toEqual([])
})

test('the policy names what pages store, as the contract has it', async () => {
  const areas = {
    localStorage: 'Local storage',
    sessionStorage: 'Session storage',
    IndexedDB: 'IndexedDB',
    cookie: 'Cookie',
  }
  const names = essentialStorage.map(({ name, area }) => `${name} (${areas[area]})`)
  expect((await namesIn('device')).toSorted()).toEqual(names.toSorted())
})

test.each(languages)('the recipients of data depend on the settings (%s)', async (language) => {
  const section = async (id: string, site: Partial<LegalContext['site']>): Promise<string> =>
    JSON.stringify(await blocksOf(language, id, site))
  const analytics = { provider: 'matomo', host: 'https://stats.example', site: '1' } as const
  expect(await section('others', { payments: 'stripe' })).toContain('Stripe')
  expect(await section('others', { payments: 'demo' })).not.toContain('Stripe')
  expect(await section('others', { payments: 'off' })).not.toContain('Stripe')
  expect(await section('others', { storage_host: 's3.example' })).toContain('s3.example')
  expect(await section('others', { emails: 'outbox' })).not.toBe(await section('others', { emails: 'smtp' }))
  expect(await section('others', { analytics })).toContain(analytics.host)
  expect(await section('device', { analytics })).toContain('Matomo')
  expect(await section('device', { analytics: { ...analytics, provider: 'plausible' } })).toMatch(
    /Plausible.*plausible_ignore/,
  )
  expect(await section('device', {})).not.toMatch(/Matomo|Plausible/)
  for (const { name: key } of essentialStorage) expect(await section('device', {})).toContain(key)
  expect(await section('rights', {})).toContain('Gegevensbeschermingsautoriteit')
})
