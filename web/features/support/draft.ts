import { supportFields, type SupportFields } from '@keepsnap/contract/support.ts'
import { openStorage, type KeyValueStorage } from '../../lib/storage.ts'

/** What was typed into the form; a field that was not touched is missing. */
export type Draft = Partial<SupportFields>

const storageKey = 'support-draft'

/**
 * What was typed in this tab, kept across reloads until it is sent. A draft belongs to the account that was signed in: nobody
 * who signs in afterwards sees it. That of a visitor goes on after signing in.
 */
export interface DraftStore {
  read(userId: string | null): Draft
  write(userId: string | null, draft: Draft): void
  clear(): void
}

export function createDraftStore(storage: KeyValueStorage = openStorage(() => window.sessionStorage)): DraftStore {
  return {
    read(userId) {
      const stored = parse(storage.get(storageKey))
      const owner = stored['owner']
      if (owner !== undefined && owner !== userId) return {}
      return Object.fromEntries(
        supportFields.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]])),
      )
    },
    write: (userId, draft) =>
      storage.set(storageKey, JSON.stringify({ ...draft, ...(userId !== null && { owner: userId }) })),
    clear: () => storage.set(storageKey, null),
  }
}

/** The texts of a stored object; anything else may have been written by another version, or by hand. */
function parse(text: string | null): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
