import type { CsvWord } from '@keepsnap/contract/csv.ts'

/** Tables that owners save. */
interface CsvMessages {
  /** Translations by the server's word; null where the words of the server are shown. */
  words: Readonly<Record<CsvWord, string>> | null
}

/** In English, the words of the server are shown. */
export const csv: CsvMessages = { words: null }
