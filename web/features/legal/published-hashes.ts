import type { LegalDocument } from '@keepsnap/contract/legal.ts'
import type { LegalLanguage } from './documents.ts'

/** Hashes of the texts of each version with the facts of a sample installation, oldest first: see legal-texts.test.ts. */
export const publishedHashes: Record<LegalDocument, Record<string, Record<LegalLanguage, string>>> = {
  privacy: { '2026-11-23': { en: 'ec0cd06e04df9a4b', nl: 'b1550ea9e6a3d3d9' } },
  terms: { '2026-11-23': { en: '69d00bce09799d9b', nl: 'dad3138a92471f66' } },
}
