import { accessOf, type Endpoint, type Input, type Reply } from '@keepsnap/contract/endpoint.ts'
import { QueryClient } from '@tanstack/react-query'
import type { AppState } from '../app-state.ts'
import { endpointPath, type Api, type ReplyWithHeaders } from '../lib/api.ts'
import { createSession } from '../lib/session.ts'
import { openStorage } from '../lib/storage.ts'
import type { Theme } from '../lib/theme.ts'

/** Answers a GET call that is open to everybody: path and query to the bytes of the reply. */
type Load = (path: string) => Promise<string>

/** How a page calls the API while it is rendered. */
export interface ServerCalls {
  /** That of PUBLIC_URL, for URLs on the page. */
  origin: string
  load: Load
}

/** Calls of the API within the server, for what every visitor may read. */
function createServerApi({ origin, load }: ServerCalls): Api {
  const read = async (endpoint: Endpoint, input: object): Promise<string> => {
    if (endpoint.method !== 'GET' || !accessOf(endpoint).includes('public'))
      throw new Error(`${endpoint.method} ${endpoint.path} is not for a page that is rendered by the server`)
    return load(endpointPath(endpoint, input))
  }
  const send = async <S extends Endpoint>(endpoint: S, input: Input<S>): Promise<ReplyWithHeaders<S>> => {
    const body: unknown = JSON.parse(await read(endpoint, input as object)) // Input<S> consists of objects
    return { reply: body as Reply<S>, headers: new Headers() } // the server serialises by the contract
  }
  return {
    origin,
    send,
    call: async (endpoint, input) => (await send(endpoint, input)).reply,
    bytes: async (endpoint, input) => new Blob([await read(endpoint, input as object)]), // as above
    upload: () => Promise.reject(new Error('pages that are rendered by the server upload nothing')),
  }
}

const systemTheme: Theme = { choice: () => 'system', choose: () => {}, subscribe: () => () => {} }

/** The state of the app for a visitor who is not signed in and whose browser stores nothing. */
export function createServerState(calls: ServerCalls): AppState {
  const storage = openStorage(() => {
    throw new Error('the server has no storage of a browser')
  })
  return {
    api: createServerApi(calls),
    session: createSession(storage, new EventTarget()),
    theme: systemTheme,
    queryClient: new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } }),
  }
}
