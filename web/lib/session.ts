import { createListeners } from './listeners.ts'
import type { KeyValueStorage } from './storage.ts'

/** `endReason`: why the last session of this page ended. The user signed out, or the token was refused. */
export interface SessionState {
  token: string | null
  endReason: 'signed-out' | 'expired' | null
}

/** `sameUser`: the user is certainly the same as before. */
interface SessionChange {
  sameUser: boolean
}

/** The session of this browser: one bearer token, shared by all tabs. */
export interface Session {
  state(): SessionState
  begin(token: string): void
  /**
   * The user of a token continues with another one, such as after a password change. Does nothing if the session has
   * ended or changed since.
   */
  renew(from: string, to: string): void
  /**
   * Runs a call that replaces or ends the token. Other requests may get a 401 for the old token before this call has
   * returned. Such a 401 ends the session only if the token is still the same when the call has finished.
   */
  whileReplacing<T>(call: () => Promise<T>): Promise<T>
  end(reason: 'signed-out' | 'expired'): void
  /** Forgets why the last session ended. The sign-in page calls it. */
  clearEndReason(): void
  /** Calls back after every change, including those of other tabs. Returns the function that unsubscribes. */
  subscribe(listener: (change: SessionChange) => void): () => void
}

const storageKey = 'token'
/** How long a refused token stays stored. */
const refusedTokenMs = 500

/**
 * `tabs` receives the storage events of the other tabs: the window. `afterDelay` calls back when a refused token may be
 * removed from the storage.
 */
export function createSession(
  storage: KeyValueStorage,
  tabs: EventTarget,
  afterDelay: (callback: () => void) => void = (callback) => void setTimeout(callback, refusedTokenMs),
): Session {
  let state: SessionState = { token: storage.get(storageKey), endReason: null }
  let refusedToken: string | null = null
  const listeners = createListeners<SessionChange>()
  const replacements = new Set<Promise<unknown>>()
  const change = (next: SessionState, sameUser = false): void => {
    state = next
    listeners.notify({ sameUser })
  }
  const replaceToken = (token: string, sameUser: boolean): void => {
    storage.set(storageKey, token)
    change({ token, endReason: null }, sameUser)
  }
  const readStorage = (renewed: { from: string; to: string } | null): void => {
    const token = storage.get(storageKey)
    if (token === state.token || (token !== null && token === refusedToken)) return
    const sameUser = renewed !== null && renewed.from === state.token && renewed.to === token
    change({ token, endReason: token === null ? 'expired' : null }, sameUser)
  }
  /**
   * Ends the session here at once, unless another tab has already stored a new token. The refused one is removed
   * later: another tab may have just changed the password, and removing its new token would sign out all tabs.
   */
  const endRefused = (token: string): void => {
    refusedToken = token
    readStorage(null)
    if (state.token !== token) return
    change({ token: null, endReason: 'expired' })
    afterDelay(() => {
      if (storage.get(storageKey) === token) storage.set(storageKey, null)
    })
  }
  tabs.addEventListener('storage', (event) => {
    const { key, oldValue, newValue } = event as StorageEvent // the only type of event with this name
    // Only `renew` replaces a token by another one in one step.
    const renewed = oldValue !== null && newValue !== null ? { from: oldValue, to: newValue } : null
    if (key === storageKey || key === null) readStorage(renewed)
  })
  return {
    state: () => state,
    subscribe: listeners.add,
    begin(token) {
      // A step of its own: other tabs take a token that replaces another one for the same user's.
      if (storage.get(storageKey) !== null) storage.set(storageKey, null)
      replaceToken(token, false)
    },
    renew: (from, to) => void (storage.get(storageKey) === from && replaceToken(to, true)),
    async whileReplacing(call) {
      const replacement = call()
      replacements.add(replacement)
      try {
        return await replacement
      } finally {
        replacements.delete(replacement)
      }
    },
    end(reason) {
      const { token } = state
      if (token === null) return
      if (reason === 'signed-out') {
        storage.set(storageKey, null)
        return change({ token: null, endReason: reason })
      }
      if (replacements.size === 0) return endRefused(token)
      void Promise.allSettled(replacements).then(() => state.token === token && endRefused(token))
    },
    clearEndReason() {
      state = { ...state, endReason: null }
    },
  }
}
