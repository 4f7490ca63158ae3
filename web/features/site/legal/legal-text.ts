import type { Language } from '@keepsnap/contract/languages.ts'
import type { SiteInfo } from '@keepsnap/contract/site.ts'
import type { LegalValues } from './values.ts'

/** The input of a text: the numbers of its version, and the settings of this installation. */
export interface LegalContext {
  values: LegalValues
  site: SiteInfo
}

/**
 * A part of a section. Texts may contain `**bold**` and `[links](/privacy)`; therefore they never contain values that
 * people enter, which have blocks of their own.
 */
export type LegalBlock =
  | string
  | { list: readonly string[] }
  /** The first cell of a row names it. */
  | { table: { caption: string; head: readonly string[]; rows: readonly (readonly string[])[] } }
  /** Name, address, VAT number and email address of the operator, with their labels. */
  | { operator: { name: string; address: string; vat: string; email: string } }
  /** An address to write to, after a text that introduces it. */
  | { contact: 'operator' | 'support'; before: string; after: string }

/** A section; `id` is its anchor, and the same in each language. */
export interface LegalSection {
  id: string
  title: string
  blocks: (context: LegalContext) => readonly LegalBlock[]
}

/** A document in one language. */
export interface LegalText {
  /** Says first that the text is a translation, and which texts bind; links to these follow it. */
  translation?: string
  /** The most important points, which replace nothing below. */
  summary: (context: LegalContext) => readonly string[]
  sections: readonly LegalSection[]
}

/**
 * Reads a document in Markdown: a quotation that says that it is a translation, the list of the most important points, then
 * sections, `## Title {#id}`. Besides paragraphs, lists and tables, which begin with `Table: ` and the caption:
 *
 * - `{requestDays}`: a value of the version. `{storage_host}`, `{analytics_name}`, `{analytics_host}`: a setting.
 * - `{?stripe} ...` at the beginning: the paragraph or the point is there only under this condition. `{?store|, but ...}`: the
 *   same for a part of a sentence.
 * - Lines with `{operator_name}` and so on: who runs this site. `{operator_email}.` and `{support_email}.`: an address to
 *   write to.
 */
export function readLegalText(markdown: string, language: Language): LegalText {
  const [head = '', ...sections] = markdown.trim().split('\n\n## ')
  const [, translation, points = ''] = /^(?:> (.*)\n\n)?([^]*)$/.exec(head) ?? []
  return {
    ...(translation !== undefined && { translation }),
    summary: (context) => itemsOf(points, createFill(context, language)),
    sections: sections.map((section) => {
      const [, title = '', id = '', body = ''] = /^(.*) \{#(\w+)\}\n\n([^]*)$/.exec(section) ?? []
      const blocks = body.split('\n\n')
      return {
        id,
        title,
        blocks: (context) => blocks.flatMap((block) => readBlock(block, createFill(context, language))),
      }
    }),
  }
}

/** A text with its values; null where its condition does not hold. */
type Fill = (text: string) => string | null

function createFill({ values, site }: LegalContext, language: Language): Fill {
  const { analytics, storage_host: store } = site
  const conditions = new Set([
    ...(site.payments === 'off' ? ['no-plans'] : ['plans', site.payments]),
    site.emails,
    store === null ? 'no-store' : 'store',
    ...(analytics ? ['analytics', analytics.provider] : ['no-analytics']),
  ])
  const settings = {
    storage_host: store,
    analytics_host: analytics?.host,
    analytics_name: analytics?.provider === 'matomo' ? 'Matomo' : 'Plausible',
  }
  const valueOf = (name: string): string => {
    const value = { ...values, ...settings }[name as keyof LegalValues | keyof typeof settings]
    if (value === undefined || value === null) throw new Error(`There is no value ${name}.`)
    // As the plans have it, in every language: `$14.99`.
    if (name.endsWith('Cents')) return `$${(Number(value) / 100).toFixed(2)}`
    return typeof value === 'number' && language !== 'en' ? String(value).replace('.', ',') : String(value)
  }
  return (text) => {
    const [, condition, rest = text] = /^\{\?([\w-]+)\} ([^]*)$/.exec(text) ?? []
    if (condition !== undefined && !conditions.has(condition)) return null
    return rest
      .replace(/\{\?([\w-]+)\|([^}]*)\}/g, (_, name: string, part: string) => (conditions.has(name) ? part : ''))
      .replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name))
  }
}

const itemsOf = (list: string, fill: Fill): string[] =>
  list.split('\n').flatMap((line) => fill(line.slice('- '.length)) ?? [])

/** A block, unless its condition does not hold. */
function readBlock(source: string, fill: Fill): LegalBlock | [] {
  const lines = source.split('\n')
  const [first = ''] = lines
  if (first.startsWith('- ')) return { list: itemsOf(source, fill) }
  if (first.startsWith('Table: ')) {
    const [head = [], , ...rows] = lines.slice(1).map((line) => line.slice('| '.length, -' |'.length).split(' | '))
    return {
      table: {
        caption: first.slice('Table: '.length),
        head,
        rows: rows.map((row) => row.flatMap((cell) => fill(cell) ?? [])),
      },
    }
  }
  if (first.endsWith(': {operator_name}')) {
    const [name = '', address = '', vat = '', email = ''] = lines.map((line) => line.split(': ')[0]!)
    return { operator: { name, address, vat, email } }
  }
  const [, before, contact, after] = /^(.*) \{(operator|support)_email\}\. (.*)$/.exec(source) ?? []
  if (contact !== undefined)
    return { contact: contact as 'operator' | 'support', before: fill(before!)!, after: fill(after!)! }
  return fill(source) ?? []
}
