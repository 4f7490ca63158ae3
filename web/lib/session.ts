import type { KeyValue } from './storage.ts'

/** `ended` says how the last session of this page came to its end: the person left, or the token died. */
export interface SessionState {
  token: string | null
  ended: 'left' | 'expired' | null
}

/** `samePerson`: certain that whoever is signed in now was so before. */
export interface SessionChange {
  samePerson: boolean
}

/** Who is signed in, as far as this browser knows: one bearer token, shared by all tabs. */
export interface Session {
  state(): SessionState
  begin(token: string): void
  /** The same person goes on under another token, such as after changing the password. */
  renew(token: string): void
  /**
   * Runs a call that replaces the token. The server may refuse the old one before its answer is here: that it is refused
   * ends the session only when the call is over and has brought no other.
   */
  renewing<T>(call: () => Promise<T>): Promise<T>
  end(why: 'left' | 'expired'): void
  /** Forgets how the last session ended; the sign-in page calls it once it is there. */
  settle(): void
  /** Calls back after every change, also those made by other tabs; returns the way to stop. */
  subscribe(listener: (change: SessionChange) => void): () => void
}

const entry = 'token'

/** Keeps the token under `token`; `tabs` is where storage events arrive (the window). */
export function createSession(storage: KeyValue, tabs: EventTarget): Session {
  let state: SessionState = { token: storage.get(entry), ended: null }
  const listeners = new Set<(change: SessionChange) => void>()
  const renewals = new Set<Promise<unknown>>()
  const become = (next: SessionState, samePerson = false): void => {
    state = next
    for (const listener of listeners) listener({ samePerson })
  }
  tabs.addEventListener('storage', (event) => {
    const { key } = event as StorageEvent // the only events of that name
    if (key !== entry && key !== null) return
    const token = storage.get(entry)
    if (token !== state.token) become({ token, ended: token === null ? 'expired' : null })
  })
  return {
    state: () => state,
    begin(token) {
      storage.set(entry, token)
      become({ token, ended: null })
    },
    renew(token) {
      storage.set(entry, token)
      become({ token, ended: null }, true)
    },
    async renewing(call) {
      const under = call()
      renewals.add(under)
      try {
        return await under
      } finally {
        renewals.delete(under)
      }
    },
    end(why) {
      const { token } = state
      if (token === null) return
      const finish = (): void => {
        storage.set(entry, null)
        become({ token: null, ended: why })
      }
      if (why === 'left' || renewals.size === 0) return finish()
      void Promise.allSettled(renewals).then(() => state.token === token && finish())
    },
    settle() {
      state = { ...state, ended: null }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
