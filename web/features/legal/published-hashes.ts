import type { LegalDocument } from '@keepsnap/contract/legal.ts'
import type { LegalLanguage } from './documents.ts'

/** Hashes of the texts of each version with the facts of a sample installation, oldest first: see legal-texts.test.ts. */
export const publishedHashes: Record<LegalDocument, Record<string, Record<LegalLanguage, string>>> = {
  privacy: { '2026-11-23': { en: '9ce7c3d2a67fe474', nl: '3bcaa833267d0450' } },
  terms: { '2026-11-23': { en: '69d00bce09799d9b', nl: 'dad3138a92471f66' } },
}
