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

/** A price as the plans have it, in every language: `$14.99`. */
export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`
