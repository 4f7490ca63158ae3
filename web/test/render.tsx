import { act, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect, type ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { App, createAppState, type AppState } from '../app.tsx'
import { createFormat } from '../lib/format.ts'
import type { Language } from '../lib/locales.ts'
import { pseudoOf } from '../lib/pseudo.ts'
import { en } from '../messages/en.ts'
import type { Screen } from '../lib/screens.ts'
import { screens as ownScreens } from '../routes.tsx'
import type { FakeServer } from './fakeServer.ts'

export const english: Language = { tag: 'en', text: null, format: createFormat('en-US') }
export const pseudo: Language = { tag: 'en', text: pseudoOf(en), format: createFormat('en-US') }

/** A history entry to start from: a path, or more of it. */
type Entry = string | { pathname: string; search?: string; hash?: string; state?: unknown }

interface Start {
  /** Pages visited so far; the last one is shown. */
  at: Entry | Entry[]
  /** Token found in the browser's storage. */
  token?: string
  language?: Language
  /** Pages beyond the app's own, or instead of them. */
  screens?: readonly Screen[]
  indicator?: ReactNode
}

export interface Visit {
  state: AppState
  /** Where the browser is now, `/login?return=...`. */
  where: () => string
  /** The history entry's state. */
  whereState: () => unknown
  person: ReturnType<typeof userEvent.setup>
}

/** Opens the whole app, as a browser would, against a server. */
export async function visit(server: FakeServer, { at, token, language = english, screens = [], indicator }: Start) {
  if (token) window.localStorage.setItem('token', token)
  let last: ReturnType<typeof useLocation> | null = null
  function Spy() {
    const location = useLocation()
    useEffect(() => {
      last = location
    }, [location])
    return null
  }
  const entries = Array.isArray(at) ? at : [at]
  function Router({ children }: { children: ReactNode }) {
    return (
      <MemoryRouter initialEntries={entries}>
        <Spy />
        {children}
      </MemoryRouter>
    )
  }
  const state = createAppState({ page: window, apiOrigin: server.origin, retries: 0 })
  await act(async () => {
    render(
      <App
        state={state}
        language={language}
        screens={[...screens, ...ownScreens.filter(({ path }) => !screens.some((screen) => screen.path === path))]}
        Router={Router}
        indicator={indicator}
      />,
    )
  })
  const visitor: Visit = {
    state,
    where: () => (last ? last.pathname + last.search + last.hash : ''),
    whereState: () => last?.state,
    person: userEvent.setup(),
  }
  return visitor
}
