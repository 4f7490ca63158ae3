import type { LegalDocument } from '@keepsnap/contract/legal.ts'
import type { LegalLanguage } from './documents.ts'

/** Hashes of the texts of each version with sample settings, oldest first: see legal-texts.test.ts. */
export const publishedHashes: Record<LegalDocument, Record<string, Record<LegalLanguage, string>>> = {
  privacy: {
    '2026-11-23': { en: 'dfe52f2645108ac9', nl: '4e1bcc077d1a7b3e' },
    '2026-12-29': { en: 'bf3be932dd6c8754', nl: '8d420120d8a1d1f7' },
  },
  terms: { '2026-11-23': { en: '69d00bce09799d9b', nl: 'dad3138a92471f66' } },
}
