import { legalVersions, type LegalDocument } from '@keepsnap/contract/legal.ts'
import type { LegalText } from './legal-text.ts'
import { currentValues, type LegalValues } from './values.ts'

/** The languages of the texts; the first is shown where there is none in the language of the page. */
export const legalLanguages = ['en', 'nl'] as const
export type LegalLanguage = (typeof legalLanguages)[number]

/** One version of a document. */
export interface LegalVersion {
  /** The day from which it applies; `?version=` in URLs. */
  from: string
  /** When it was published: at least `legalNoticeDays` before, except the first one. */
  published: string
  /** What is different from the version before, in a sentence; null for the first. */
  changes: Record<LegalLanguage, string> | null
  /** Its numbers. A version that no longer applies has them as data, in a file beside its texts. */
  values: LegalValues
  /** Loads the text: a chunk of its own. */
  load: Record<LegalLanguage, () => Promise<{ text: LegalText }>>
}

/** The versions of each document, newest first. How the next is made: docs/decisions/0039-versions-of-legal-texts.md. */
export const legalDocuments: Record<LegalDocument, readonly LegalVersion[]> = {
  privacy: [
    {
      from: '2026-12-29',
      published: '2026-11-29',
      changes: {
        en: 'A cookie recognizes the browsers with which you have signed in, so that others who try passwords cannot hold you up; limits against floods also count wider networks of IPv6.',
        nl: 'Een cookie herkent de browsers waarmee je je aangemeld hebt, zodat anderen die wachtwoorden proberen je niet ophouden; limieten tegen misbruik tellen ook ruimere netwerken van IPv6.',
      },
      values: currentValues,
      load: {
        en: () => import('./2026-12-29/privacy-en.ts'),
        nl: () => import('./2026-12-29/privacy-nl.ts'),
      },
    },
    {
      from: legalVersions.privacy,
      published: '2026-11-23',
      changes: null,
      values: currentValues,
      load: {
        en: () => import('./2026-11-23/privacy-en.ts'),
        nl: () => import('./2026-11-23/privacy-nl.ts'),
      },
    },
  ],
  terms: [
    {
      from: legalVersions.terms,
      published: '2026-11-23',
      changes: null,
      values: currentValues,
      load: {
        en: () => import('./2026-11-23/terms-en.ts'),
        nl: () => import('./2026-11-23/terms-nl.ts'),
      },
    },
  ],
}

/** The version that applies on a day, `2026-11-23`: the newest that is not announced for later. */
export const versionOn = (versions: readonly LegalVersion[], day: string): LegalVersion | undefined =>
  versions.find(({ from }) => from <= day) ?? versions.at(-1)

/** The day before which a version applied; undefined for the newest. */
export const endOf = (versions: readonly LegalVersion[], version: LegalVersion): string | undefined =>
  versions[versions.indexOf(version) - 1]?.from

/** Whether a version applies on a day, applied before, or will. */
export type VersionState = 'current' | 'earlier' | 'announced'

/** The state of a version on a day. */
export function stateOn(versions: readonly LegalVersion[], version: LegalVersion, day: string): VersionState {
  if (version === versionOn(versions, day)) return 'current'
  return version.from > day ? 'announced' : 'earlier'
}
