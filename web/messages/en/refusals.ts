/** Part of `refusals`: about photos, logos and backgrounds. */
export const refusedPhotos: Readonly<Record<string, string>> = {}

/** What the server says in English only: refusals, why a photo could not be processed, why an email was not sent. */
interface Refusals {
  /** Instead of a sentence that is not in the list; null where the sentences of the server are shown. */
  general: string | null
  /** Translations by the server's sentence, where `{}` stands for a value; they contain the first as `{0}`. */
  sentences: Readonly<Record<string, string>>
}

/** In English, the sentences of the server are shown. */
export const refusals: Refusals = { general: null, sentences: refusedPhotos }
