import type { Language } from '@keepsnap/contract/languages.ts'
import type { LegalDocument } from '@keepsnap/contract/site.ts'

/** Hashes of the texts of each version with sample settings, oldest first: see legal-texts.test.ts. */
export const publishedHashes: Record<LegalDocument, Record<string, Record<Language, string>>> = {
  privacy: {
    '2026-11-23': { en: 'dfe52f2645108ac9', nl: '4e1bcc077d1a7b3e', fr: '87a59cbbb009e5f0', de: '9939e1c9c0eee99f' },
    '2026-12-29': { en: '2d3b7253ca6b47d8', nl: '64af0edb1f964ab5', fr: '71e9edcfc3fa7fbc', de: 'b7b5212c41a7dd6a' },
    '2026-12-30': { en: 'c497890b439f5b8b', nl: '4a4c14fbe1a6fd4e', fr: '8519cee25eb23481', de: '63af9f8b680b61bf' },
    '2026-12-31': { en: '39e5ddaa30728b0c', nl: '5cda83bf845990db', fr: '469ec1a07801fa02', de: '94edc2fe43ca7f0a' },
    '2027-01-01': { en: 'e8dbe3e54f34a7e6', nl: '4d1d49fb3204e8c2', fr: '193469eca7460372', de: '6aa4d58efc902179' },
  },
  terms: {
    '2026-11-23': { en: '69d00bce09799d9b', nl: 'dad3138a92471f66', fr: 'afa065f8f94311fa', de: 'c0ff363ea3eca61c' },
    '2026-12-30': { en: 'f8de5731e10c0620', nl: '1a8625c996d40cf5', fr: '1bc2313a6d66c657', de: '6c3cd3356b63fda9' },
  },
}
