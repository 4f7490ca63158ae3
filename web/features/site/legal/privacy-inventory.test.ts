import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { essentialStorage } from '@keepsnap/contract/site.ts'
import { expect, test } from 'vitest'
import { sampleSiteInfo } from '../../../test/samples.ts'
import { deviceKeys, recordIds, recordsOfTables } from './2026-12-29/inventory.ts'
import { text as dutch } from './2026-12-29/privacy-nl.ts'
import { text as english } from './2026-12-29/privacy-en.ts'
import { text as french } from './2026-12-29/privacy-fr.ts'
import { text as german } from './2026-12-29/privacy-de.ts'
import type { LegalContext, LegalText } from './legal-text.ts'
import { currentValues } from './values.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const sources = globSync(['web/**/*.{ts,tsx,html}', 'server/**/*.ts', 'contract/*.ts'], {
  cwd: root,
  exclude: (path) => /node_modules|(^|\/)dist|\/test(\/|$)|\.test\./.test(path),
}).filter((path) => !/\.test\.|\/test\/|node_modules|\/dist/.test(path))

test('every table of the database is in the Privacy Policy, or holds nothing about people', () => {
  const tables = Array.from(
    /export interface DB \{([^}]*)\}/.exec(read('server/platform/db/schema.ts'))![1]!.matchAll(/^ {2}(\w+):/gm),
  )
  expect(tables.length).toBeGreaterThan(50)
  expect(Object.keys(recordsOfTables).toSorted()).toEqual(tables.map(([, name]) => name!).toSorted())
  const rows = new Set<string>(Object.values(recordsOfTables))
  expect([...rows].filter((row) => row !== 'nothing about people').toSorted()).toEqual(
    recordIds.filter((id) => id !== 'log').toSorted(),
  )
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
    /(?:storage|localStorage|sessionStorage)\s*\.(?:get|set|getItem|setItem|removeItem)\(([^,)]+)/gi,
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
    Object.keys(deviceKeys).some((key) => (key.endsWith('*') ? name.startsWith(key.slice(0, -1)) : key === name))
  expect(names.length).toBeGreaterThan(7)
  expect(names.filter((name) => !isNamed(name))).toEqual([])
})

test('two kinds of files set a cookie: those of the language and that of known browsers', () => {
  const setters = sources.filter((path) =>
    /document\.cookie\s*=|['"]set-cookie['"]|setCookie\(|cookieStore/i.test(read(path)),
  )
  expect(
    setters.filter(
      (path) => !/request-headers|server\/features\/accounts\/sign-in|languages?\b|page-counter/i.test(path),
    ),
  ).toEqual([])
  expect(sources.filter((path) => /navigator\.serviceWorker|caches\.open/.test(read(path)))).toEqual([])
})

test('the list of what pages store is that of the contract', () => {
  const areas = { localStorage: 'browser', sessionStorage: 'tab', IndexedDB: 'database', cookie: 'cookie' }
  expect(Object.fromEntries(essentialStorage.map(({ name, area }) => [name, areas[area]]))).toEqual(deviceKeys)
})

/** A section as one text. */
const section = (policy: LegalText, id: string, site: Partial<LegalContext['site']>): string =>
  JSON.stringify(
    policy.sections
      .find((one) => one.id === id)
      ?.blocks({ values: currentValues, site: { ...sampleSiteInfo, ...site } }),
  )

test.each([
  ['English', english],
  ['Dutch', dutch],
  ['French', french],
  ['German', german],
])('the recipients of data depend on the settings (%s)', (_, policy) => {
  const analytics = { provider: 'matomo', host: 'https://stats.example', site: '1' } as const
  expect(section(policy, 'others', { payments: 'stripe' })).toContain('Stripe')
  expect(section(policy, 'others', { payments: 'demo' })).not.toContain('Stripe')
  expect(section(policy, 'others', { payments: 'off' })).not.toContain('Stripe')
  expect(section(policy, 'others', { storage_host: 's3.example' })).toContain('s3.example')
  expect(section(policy, 'others', { emails: 'outbox' })).not.toBe(section(policy, 'others', { emails: 'smtp' }))
  expect(section(policy, 'others', { analytics })).toContain(analytics.host)
  expect(section(policy, 'device', { analytics })).toContain('Matomo')
  expect(section(policy, 'device', { analytics: { ...analytics, provider: 'plausible' } })).toMatch(
    /Plausible.*plausible_ignore/,
  )
  expect(section(policy, 'device', {})).not.toMatch(/Matomo|Plausible/)
  for (const key of Object.keys(deviceKeys)) expect(section(policy, 'device', {})).toContain(key)
  expect(section(policy, 'rights', {})).toContain('Gegevensbeschermingsautoriteit')
})
