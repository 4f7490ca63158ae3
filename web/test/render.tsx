import { act, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect } from 'vitest'
import { cookiePreferencesKey } from '@keepsnap/contract/site.ts'
import { updateSettings, type User } from '@keepsnap/contract/accounts.ts'
import { getBusiness } from '@keepsnap/contract/businesses.ts'
import { listApiKeys, listWebhooks } from '@keepsnap/contract/integrations.ts'
import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { watermarkPreview, watermarkRun, type WatermarkRun } from '@keepsnap/contract/branding.ts'
import { type Archive, exportState, listSessions, type SessionDetails } from '@keepsnap/contract/security.ts'
import { type AppState, createAppState } from '../app-state.ts'
import { App } from '../app.tsx'
import { createFormat } from '../lib/format.ts'
import type { LocaleData } from '../lib/i18n.tsx'
import type { PageRoute } from '../lib/paths.ts'
import { translateSentence } from '../lib/server-sentences.ts'
import { pseudoCatalogue } from '../lib/development-language.ts'
import { en } from '../messages/en.ts'
import { routes as appRoutes } from '../routes.tsx'
import { useCurrentUser } from '../lib/app-services.tsx'
import { usePlanStatus, type UserPlan } from '../features/plans/plan-status.ts'
import { Section } from '../ui/SectionLinks.tsx'
import { type FakeServer, refuse } from './fake-server.ts'
import { planStatusOf, samplePlanStatus } from './samples.ts'

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

export const sampleRun: WatermarkRun = {
  state: 'idle',
  what: null,
  total: 0,
  done: 0,
  failed: 0,
  started_at: null,
  finished_at: null,
  undoable: 0,
  applicable: 0,
}
export const noArchive: Archive = {
  state: 'none',
  requested_at: null,
  ready_at: null,
  expires_at: null,
  size_bytes: null,
}
const used = '2026-11-14T20:00:00.000Z'
export const sampleSessions: SessionDetails[] = [
  { id: 's1', user_agent: 'Firefox/143.0 (X11; Linux)', created_at: used, last_used_at: used, current: true },
  { id: 's2', user_agent: 'Safari/604.1 (iPhone)', created_at: used, last_used_at: used, current: false },
]

export const sampleSessionList = {
  sessions: sampleSessions,
  password_set_at: '2026-11-01T20:00:00.000Z',
  previous_password_set_at: '2026-10-01T20:00:00.000Z',
}

/** Answers every call of the settings page. `saved` collects the bodies of the settings calls. */
export function serveSettings(server: FakeServer): { saved: Partial<User>[] } {
  const saved: Partial<User>[] = []
  server.answer(subscriptionStatus, ({ user }) =>
    user?.subscription_tier === 'pro' ? planStatusOf('pro_monthly') : samplePlanStatus(7),
  )
  server.answer(updateSettings, ({ body, user }) => {
    saved.push(body)
    return Object.assign(user!, body) // the endpoint requires a user
  })
  server.answer(getBusiness, () => ({ business: null }))
  server.answer(listSessions, () => sampleSessionList)
  server.answer(listApiKeys, () => [])
  server.answer(exportState, () => noArchive)
  server.answer(listWebhooks, () => [])
  server.answer(watermarkRun, () => sampleRun)
  server.answer(watermarkPreview, () => refuse(404, 'Not found', 'not_found'))
  return { saved }
}

/** Opens the settings page as a new user. */
export async function openSettings(server: FakeServer, fields: Partial<User> = {}) {
  const { token, user } = server.addUser(fields)
  const page = await visit(server, { at: '/settings', token })
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  // Sections that depend on the plan appear once it has loaded.
  await waitFor(() => expect(document.querySelector('.plan-unknown')).toBeNull())
  return { ...page, token, user }
}

/** A part of the settings page. `plan` is undefined until it is known. */
type Part = (props: { user: User; plan: UserPlan | undefined }) => ReactNode

/** Opens the app as a new user, with one part of the settings page in place of the whole page. */
export async function openPart(server: FakeServer, Part: Part, fields: Partial<User> = {}) {
  const { token, user } = server.addUser(fields)
  function Page() {
    const current = useCurrentUser().user
    const plan = usePlanStatus().data?.plan
    return (
      <Section id="part" title="Part">
        {current && <Part user={current} plan={plan} />}
      </Section>
    )
  }
  const page = await visit(server, { at: '/settings', token, part: Page })
  const body = () => document.querySelector<HTMLElement>('.settings-section__body')
  await waitFor(() => expect(body()).not.toBeEmptyDOMElement())
  return { ...page, token, user, part: within(body()!) }
}

/** A user with a logo and a background. */
export const withImages = {
  logo_url: 'http://photos.example/b/logo',
  background_image_url: 'http://photos.example/b/back',
} satisfies Partial<User>
