import { cookiePreferencesKey } from '@keepsnap/contract/browser-storage.ts'
import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect, type ComponentType, type ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect } from 'vitest'
import { createAppState, type AppState } from '../app-state.ts'
import { App } from '../app.tsx'
import { createFormat } from '../lib/format.ts'
import type { LocaleData } from '../lib/i18n.tsx'
import type { PageRoute } from '../lib/page-route.ts'
import { translateSentence } from '../lib/server-sentences.ts'
import { pseudoCatalogue } from '../lib/pseudolocale.ts'
import { en } from '../messages/en.ts'
import { routes as appRoutes } from '../routes.tsx'
import type { FakeServer } from './fake-server.ts'

export const english: LocaleData = { tag: 'en', text: null, format: createFormat('en-US') }
export const pseudo: LocaleData = { tag: 'en', text: pseudoCatalogue(en), format: createFormat('en-US') }

/** A history entry: a path, or more of a location. */
type Entry = string | { pathname: string; search?: string; hash?: string; state?: unknown }

interface Options {
  /** The history; its last entry is shown. */
  at: Entry | Entry[]
  /** The token in the browser's storage. */
  token?: string
  language?: LocaleData
  /** What the visitor said to the cookie notice; null: it is still to be asked. */
  cookies?: { tracking: boolean } | null
  /** Pages in addition to those of the app, or in place of those with the same path. */
  routes?: readonly PageRoute[]
  /** In place of the page at this path: rendering one part of a long page takes much less time than the whole page. */
  part?: ComponentType
  indicator?: ReactNode
  /** With footer, notices and the cookie notice. Otherwise every page has the layout of the big screen, which takes less time. */
  withFrame?: boolean
}

export interface Visit {
  state: AppState
  /** The current path and query: `/login?return=...`. */
  where: () => string
  /** The state of the current history entry. */
  whereState: () => unknown
  person: ReturnType<typeof userEvent.setup>
  /** Waits until the live connection is open, and until what the page fetches again because of that has arrived. */
  connected: () => Promise<void>
}

function routeOf(at: Options['at'], Page: ComponentType, access: PageRoute['access']): PageRoute {
  const entry = [at].flat().at(-1)!
  const { pathname: path } = new URL(typeof entry === 'string' ? entry : entry.pathname, 'http://keepsnap.test')
  return { path, Page, access, layout: { className: 'part' } }
}

/** Opens the whole app with a server. */
export async function visit(server: FakeServer, options: Options): Promise<Visit> {
  const { at, token, language = english, indicator, cookies = { tracking: false }, part, withFrame = false } = options
  const routes = [...(options.routes ?? []), ...(part ? [routeOf(at, part, token ? 'signed-in' : 'anyone')] : [])]
  if (token) window.localStorage.setItem('token', token)
  if (cookies) window.localStorage.setItem(cookiePreferencesKey, JSON.stringify({ functional: true, ...cookies }))
  let last: ReturnType<typeof useLocation> | null = null
  function LocationSpy() {
    const location = useLocation()
    useEffect(() => {
      last = location
    }, [location])
    return null
  }
  function Router({ children }: { children: ReactNode }) {
    return (
      <MemoryRouter initialEntries={[at].flat()}>
        <LocationSpy />
        {children}
      </MemoryRouter>
    )
  }
  const refusals = language.text?.refusals
  const state = createAppState({
    page: window,
    apiOrigin: server.origin,
    queryRetries: 0,
    // As in the builds of other languages.
    ...(refusals && language.tag !== 'en' && { translate: async (sentence) => translateSentence(sentence, refusals) }),
  })
  const otherRoutes = appRoutes.filter(({ path }) => !routes.some((route) => route.path === path))
  const allRoutes = [...routes, ...otherRoutes]
  const smallRoutes = allRoutes.map((route) => ({ ...route, layout: { ...route.layout, bigScreen: true } }))
  await act(async () => {
    render(
      <App
        state={state}
        language={language}
        routes={withFrame ? allRoutes : smallRoutes}
        Router={Router}
        indicator={indicator}
      />,
    )
  })
  return {
    state,
    where: () => (last ? last.pathname + last.search + last.hash : ''),
    whereState: () => last?.state,
    // Without style sheets, all elements can be clicked.
    person: userEvent.setup({ delay: null, pointerEventsCheck: 0 }),
    async connected() {
      await waitFor(() => expect(server.connections()).toBe(1))
      // Only now: the page has sent its requests before it said whose connection it is.
      await waitFor(() => expect(state.queryClient.isFetching()).toBe(0))
    },
  }
}

/** Waits until the page has rendered the current states of its queries, which notify it in a timeout of 0 ms. */
export const rendered = (): Promise<void> => act(() => new Promise<void>((resolve) => setTimeout(resolve, 20)))

/** Waits until the page has this main heading and the focus is on it. */
export async function focusedHeading(name: string): Promise<void> {
  const heading = await screen.findByRole('heading', { level: 1, name })
  await waitFor(() => expect(heading).toHaveFocus())
}
