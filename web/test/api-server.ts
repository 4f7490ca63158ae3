import { afterEach, beforeEach } from 'vitest'
import { createApi, type Api } from '../lib/api.ts'
import { createSession, type Session } from '../lib/session.ts'
import { openStorage } from '../lib/storage.ts'
import { startFakeServer, type FakeServer } from './fake-server.ts'

type ApiServer = Pick<FakeServer, 'addUser' | 'answer' | 'revoke'> & {
  readonly calls: readonly string[]
  /** A client of the server, with the session of this token. */
  start(token?: string): { session: Session; api: Api }
}

/** Starts a server before each test of the file. */
export function useApiServer(): ApiServer {
  let server: FakeServer
  beforeEach(async () => {
    server = await startFakeServer()
  })
  afterEach(() => server.close())
  return {
    get calls() {
      return server.calls
    },
    addUser: (fields) => server.addUser(fields),
    answer: (endpoint, handler) => server.answer(endpoint, handler),
    revoke: (token) => server.revoke(token),
    start(token) {
      if (token) window.localStorage.setItem('token', token)
      const session = createSession(
        openStorage(() => window.localStorage),
        new EventTarget(),
      )
      return { session, api: createApi(server.origin, session) }
    },
  }
}

/** The error with which a call is rejected; null if it succeeds. */
export const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )
