import type { User } from '@keepsnap/contract/accounts.ts'
import { listApiKeys } from '@keepsnap/contract/api-keys.ts'
import { subscriptionStatus } from '@keepsnap/contract/billing.ts'
import { watermarkPreview, watermarkRun, type WatermarkRun } from '@keepsnap/contract/branding.ts'
import { exportState, type Archive } from '@keepsnap/contract/privacy.ts'
import { listSessions, type SessionDetails } from '@keepsnap/contract/security.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { listWebhooks } from '@keepsnap/contract/webhooks.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import { useCurrentUser } from '../lib/current-user.ts'
import { usePlanStatus, type UserPlan } from '../lib/plan-status.ts'
import { Section } from '../ui/Section.tsx'
import { refuse, type FakeServer } from './fake-server.ts'
import { visit } from './render.tsx'
import { planStatusOf, samplePlanStatus } from './sample-plan-status.ts'

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
