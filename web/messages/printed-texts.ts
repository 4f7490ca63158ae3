import type { Language } from '@keepsnap/contract/languages.ts'

/** What is printed on table cards and posters in one language. */
export interface PrintedTexts {
  language: Language
  /** The headline over a code that gives the photo at once. */
  keep: string
  /** The headline over a code that leads to the request page. */
  get: string
  /** How to scan, for guests who never have. */
  point: string
  noApp: string
  byEmail: string
  /** On posters: three steps. */
  steps: { keep: readonly string[]; get: readonly string[] }
  /** Over the code of the Wi-Fi network, and over that of the photo beside it. */
  join: string
  scan: string
}
