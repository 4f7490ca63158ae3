import { createHash } from 'node:crypto'
import { type Language, languages } from '@keepsnap/contract/languages.ts'
import { legalDocumentNames, legalNoticeDays, legalVersions } from '@keepsnap/contract/site.ts'
import { describe, expect, test } from 'vitest'
import { paths } from '../../../lib/paths.ts'
import { catalogueIn } from '../../../messages/catalogues.ts'
import { sampleSiteInfo } from '../../../test/samples.ts'
import { bindingLanguages, legalDocuments, type LegalVersion, stateOn, versionOn } from './documents.ts'
import { inlinePieces } from './inline-text.ts'
import type { LegalBlock, LegalContext, LegalText } from './legal-text.ts'
import { publishedHashes } from './published-hashes.ts'
import { currentValues, type LegalValues } from './values.ts'

/** Every setting that a text depends on, in each of its states. */
const sites: LegalContext['site'][] = [
  sampleSiteInfo,
  { ...sampleSiteInfo, payments: 'demo', emails: 'outbox', storage_host: 'store.example' },
  {
    ...sampleSiteInfo,
    payments: 'off',
    analytics: { provider: 'matomo', host: 'https://stats.example', site: '1' },
  },
  { ...sampleSiteInfo, analytics: { provider: 'plausible', host: 'https://stats.example', site: 'foto.example' } },
]

/** The texts of a block as people read them, without what the operator entered. */
function textsOf(block: LegalBlock): readonly string[] {
  if (typeof block === 'string') return [block]
  if ('list' in block) return block.list
  if ('table' in block) return [block.table.caption, ...block.table.head, ...block.table.rows.flat()]
  return 'operator' in block ? Object.values(block.operator) : [block.before, block.after]
}

/** All texts of a document, with their markup. */
const allTexts = ({ translation, summary, sections }: LegalText, context: LegalContext): string[] => [
  ...(translation === undefined ? [] : [translation]),
  ...summary(context),
  ...sections.flatMap(({ title, blocks }) => [title, ...blocks(context).flatMap(textsOf)]),
]

/** The text as people read it, for all settings. */
const readable = (text: LegalText, values: LegalValues): string =>
  sites
    .flatMap((site) => allTexts(text, { values, site }))
    .map((one) =>
      inlinePieces(one)
        .map((piece) => piece.text)
        .join(''),
    )
    .join('\n')

const cases = legalDocumentNames.flatMap((name) =>
  languages.flatMap((language) =>
    legalDocuments[name].map(
      (version) => [`${name} of ${version.from} in ${language}`, { name, language, version }] as const,
    ),
  ),
)
const currentCases = cases.filter(([, { name, version }]) => version.from >= legalVersions[name])

/** Another value for each number, which stands nowhere else; and the text of each in the document. */
function otherValues(): { values: LegalValues; texts: Map<string, keyof LegalValues> } {
  const texts = new Map<string, keyof LegalValues>()
  const entries = Object.keys(currentValues).map((name, index) => {
    const key = name as keyof LegalValues // a key of the object
    const other = 70_001 + 2 * index
    texts.set(key.endsWith('Cents') ? `${other}.00` : String(other), key)
    if (key === 'keepEmailDays') return [key, String(other)]
    return [key, key.endsWith('Cents') ? other * 100 : other]
  })
  return { values: Object.fromEntries(entries) as LegalValues, texts } // with the same keys and types
}

/** What has numbers that are not of the program: laws, addresses and standards. */
const otherNumbers =
  /IPv6|35,? (?:\/ Rue de la Presse 35, )?1000 Br[uü]|VI\.47|1701\/1|[Aa]rti(?:cle|kel) 28|14 (?:days|dagen|jours|Tagen?)|\$0\b/g
const numbersIn = (text: string): string[] => text.replace(otherNumbers, '').match(/\d+(?:\.\d+)?/g) ?? []

describe('a number of the program is never hard-coded', () => {
  test.each(currentCases)('in the %s', async (_, { language, version }) => {
    const { values, texts } = otherValues()
    const { text } = await version.load[language]()
    expect(numbersIn(readable(text, values)).filter((number) => !texts.has(number))).toEqual([])
  })

  test('and each value is in a text, with the number that the program uses', async () => {
    const { values, texts } = otherValues()
    const used = Object.fromEntries(languages.map((language) => [language, new Set<string>()]))
    for (const [, { language, version }] of currentCases) {
      const { text } = await version.load[language]()
      for (const number of numbersIn(readable(text, values))) used[language]!.add(texts.get(number) ?? '')
    }
    for (const language of languages)
      expect(Object.keys(values).filter((value) => !used[language]!.has(value))).toEqual([])
  })

  test('so the Privacy Policy says how long requests are kept', async () => {
    const { text } = await legalDocuments.privacy[0]!.load.en()
    expect(readable(text, currentValues)).toContain(`${currentValues.requestDays} days, or until the photo is deleted`)
    expect(readable(text, otherValues().values)).not.toContain(`${currentValues.requestDays} days`)
  })
})

test('a button of Settings that a text names has that name in the app', async () => {
  const buttons = new Set<string>()
  for (const [, { language, version }] of currentCases) {
    const { text } = await version.load[language]()
    for (const [, names] of readable(text, version.values).matchAll(
      /((?:(?:[“„]|«\s)[^“”„«»]+(?:[“”]|\s»)(?: (?:and|en|et|und) )?)+) (?:in|in den|dans les) (?:Settings|Instellingen|Paramètres|Einstellungen)/g,
    ))
      for (const [, name] of names!.matchAll(/(?:[“„]|«\s)([^“”„«»]+)(?:[“”]|\s»)/g)) {
        const { subscription, security } = catalogueIn(language)
        expect([language, name, JSON.stringify([subscription, security]).includes(`"${name}"`)]).toEqual([
          language,
          name,
          true,
        ])
        buttons.add(name!)
      }
  }
  expect(buttons.size).toBe(3 * languages.length)
})

describe('published versions', () => {
  test.each(cases)('%s has not changed', async (_, { name, language, version }) => {
    const { text } = await version.load[language]()
    const hash = createHash('sha256').update(readable(text, version.values)).digest('hex').slice(0, 16)
    // A version that was released never changes: add a new one (docs/decisions/0039-versions-of-legal-texts.md). Before the
    // release, and for a mistake in a translation, copy the hash to published-hashes.ts.
    expect({ [language]: hash }).toEqual({ [language]: publishedHashes[name][version.from]?.[language] })
  })

  test.each(legalDocumentNames)(
    'of %s are in order, announced in time, and contain the one of the contract',
    (name) => {
      const versions = legalDocuments[name]
      expect(versions.map(({ from }) => from)).toContain(legalVersions[name])
      expect(versions.map(({ from }) => from)).toEqual(
        versions
          .map(({ from }) => from)
          .toSorted()
          .toReversed(),
      )
      for (const { from, published, changes } of versions.slice(0, -1)) {
        expect(Date.parse(from) - Date.parse(published)).toBeGreaterThanOrEqual(legalNoticeDays * 86_400_000)
        expect(changes).not.toBeNull()
      }
      const earlier = versions.filter(({ from }) => from < legalVersions[name])
      expect(earlier.filter(({ values }) => values === currentValues)).toEqual([])
      expect(Object.keys(publishedHashes[name])).toEqual(versions.map(({ from }) => from).toReversed())
    },
  )

  test('the one that applies is the newest that is not announced for later', () => {
    const version = (from: string): LegalVersion => ({ ...legalDocuments.terms[0]!, from })
    const versions = [version('2027-03-01'), version('2027-01-01'), version('2026-11-23')]
    const on = (day: string) => [versionOn(versions, day)?.from, ...versions.map((one) => stateOn(versions, one, day))]
    expect(on('2026-12-31')).toEqual(['2026-11-23', 'announced', 'announced', 'current'])
    expect(on('2027-01-01')).toEqual(['2027-01-01', 'announced', 'current', 'earlier'])
    expect(on('2027-04-01')).toEqual(['2027-03-01', 'current', 'earlier', 'earlier'])
    // A device whose clock is wrong.
    expect(on('2001-01-01')[0]).toBe('2026-11-23')
  })
})

test.each(cases)('the sections and links of %s exist', async (_, { version, language }) => {
  const [text, english] = await Promise.all(
    [language, 'en' as const].map(async (one) => (await version.load[one]()).text),
  )
  const ids = english!.sections.map(({ id }) => id)
  expect(text!.sections.map(({ id }) => id)).toEqual(ids)
  const targets = [...Object.values<string>(paths), ...ids.map((id) => `#${id}`)]
  const pieces = sites
    .flatMap((site) => allTexts(text!, { values: version.values, site }))
    .flatMap((one) => inlinePieces(one))
  const links = pieces.flatMap(({ to }) => to ?? [])
  expect(links.filter((to) => !to.startsWith('https://') && !targets.includes(to))).toEqual([])
  expect(links.length).toBeGreaterThan(10)
  expect(pieces.map((piece) => piece.text).filter((one) => /\*\*|\]\(|undefined|NaN/.test(one))).toEqual([])
})

test.each(cases)('%s binds, or names first the texts that do', async (_, { version, language }) => {
  const { translation } = (await version.load[language]()).text
  const namesBinding = /traduction.*néerlandais.*anglais|Übersetzung.*niederländisch.*englisch/.test(translation ?? '')
  expect(namesBinding).toBe(!(bindingLanguages as readonly Language[]).includes(language))
})
