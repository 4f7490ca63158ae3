import { subscriptionStatus, type SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { insights, type Insights } from '@keepsnap/contract/insights.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { refuse, useFakeServer } from '../test/fake-server.ts'
import { rendered, visit } from '../test/render.tsx'
import { sampleInsights } from '../test/sample-requests.ts'
import { planStatusOf } from '../test/sample-plan-status.ts'

let token: string
const insightsQueries: Record<string, string | undefined>[] = []
const server = useFakeServer((server) => {
  insightsQueries.length = 0
  token = server.addUser({ subscription_tier: 'pro' }).token
})

const at = '/insights'
const serve = (changes: Partial<Insights> = {}) =>
  server.answer(insights, ({ query }) => {
    insightsQueries.push(query)
    return sampleInsights(changes)
  })
const tile = (name: string) => screen.getByText(name, { selector: 'dt' }).closest('div')!
const daysOf = ({ from = '', to = '' }: Record<string, string | undefined> = {}) =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000
const none = { scans: 0, views: 0, downloads: 0, requests: 0 }

describe('insights', () => {
  test('are advertised on the free plan, without a request', async () => {
    const free = server.addUser({ email: 'free@example.com' })
    await visit(server, { at, token: free.token })
    expect(await screen.findByRole('heading', { name: 'See how guests use your photos' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/#pricing')
    expect(server.calls.some((call) => call.includes('/user/insights'))).toBe(false)
  })

  test('are neither advertised nor requested before the plan is known, and have a skeleton while they load', async () => {
    const status = Promise.withResolvers<SubscriptionStatus>()
    server.answer(subscriptionStatus, () => status.promise)
    server.answer(insights, () => new Promise(() => {}))
    await visit(server, { at, token })
    const isRequested = () => server.calls.some((call) => call.includes('/user/insights'))
    expect(await screen.findByText('Loading...')).toBeInTheDocument()
    expect(screen.queryByText('See how guests use your photos')).toBeNull()
    expect(isRequested()).toBe(false)
    status.resolve(planStatusOf('pro_yearly'))
    await waitFor(() => expect(isRequested()).toBe(true))
    expect(screen.getByText('Loading...')).toBeInTheDocument()
  })

  test('say when they or the plan cannot be fetched, and stay when a later fetch fails', async () => {
    server.answer(subscriptionStatus, () => refuse(500, 'x'))
    server.answer(insights, () => refuse(500, 'x'))
    const { person, state } = await visit(server, { at, token })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch subscription status')
    server.answer(subscriptionStatus, () => planStatusOf('pro_yearly'))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Failed to load insights. Please try again.')).toBeVisible()
    serve()
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    const total = await screen.findByText('1,234')
    server.answer(insights, () => refuse(500, 'x'))
    await act(() => state.queryClient.invalidateQueries())
    await rendered()
    expect(total).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('are advertised when the plan has just ended', async () => {
    server.answer(insights, () => refuse(403, 'Not on your plan.', 'forbidden'))
    await visit(server, { at, token })
    expect(await screen.findByRole('heading', { name: 'See how guests use your photos' })).toBeVisible()
  })

  test('show totals and the best photos of the last thirty days, or another range, in the time zone of the browser', async () => {
    serve()
    const { person } = await visit(server, { at, token })
    expect(await screen.findByText('1,234')).toBeVisible()
    expect(tile('Scans')).toHaveTextContent('1,234')
    expect(tile('Views')).toHaveTextContent('80')
    expect(tile('Downloads')).toHaveTextContent('60')
    expect(tile('Requests')).toHaveTextContent('14')
    expect(tile('Scan to photo')).toHaveTextContent('6%')
    expect(tile('Peak hour')).toHaveTextContent(/10\s–\s11\sPM/)
    expect(insightsQueries[0]?.['tz']).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
    expect(daysOf(insightsQueries[0])).toBe(29)
    const table = await screen.findByRole('table', { name: 'Best photos' })
    expect(screen.getByText('Sorted by downloads and requests together, then by scans.')).toBeVisible()
    expect(within(table).getByRole('link', { name: /IMG_4001\.jpg/ })).toHaveAttribute('href', '/gallery?photo=photo1')
    expect(within(table).getByText('900')).toBeVisible()
    await person.click(screen.getByRole('radio', { name: '7 days' }))
    await waitFor(() => expect(insightsQueries).toHaveLength(2))
    expect(daysOf(insightsQueries[1])).toBe(6)
  })

  test('describe the chart in a sentence and in a table', async () => {
    serve()
    const { person } = await visit(server, { at, token })
    expect(await screen.findByText(/Scans, Nov 12\s–\s14: 1,234\. Most on Friday, November 13: 1,200\./)).toBeVisible()
    await person.click(screen.getByRole('radio', { name: 'Downloads' }))
    expect(screen.getByText(/Downloads, .*: 60\. Most on Friday, November 13: 60\./)).toBeVisible()
    await person.click(screen.getByText('The same numbers as a table'))
    const table = await screen.findByRole('table', { name: /Counts per day/ })
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => Array.from(row.children, (cell) => cell.textContent))
    expect(rows).toEqual([
      ['Day', 'Scans', 'Views', 'Downloads', 'Requests'],
      ['Nov 14', '0', '0', '0', '0'],
      ['Nov 13', '1,200', '80', '60', '14'],
      ['Nov 12', '34', '0', '0', '0'],
    ])
  })

  test('have an empty state before the first scan, and "None yet" for values that need scans', async () => {
    const nothing = { peak_hour: null, conversion_percent: null, best_photos: [] }
    serve({ totals: none, ...nothing })
    const { state } = await visit(server, { at, token })
    expect(await screen.findByText(/No scans yet/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Show the latest photo' })).toHaveAttribute('href', '/latest')
    serve({ totals: { ...none, downloads: 2 }, ...nothing })
    await act(() => state.queryClient.invalidateQueries())
    await screen.findByText('Peak hour')
    expect(tile('Peak hour')).toHaveTextContent('None yet')
    expect(tile('Scan to photo')).toHaveTextContent('None yet')
  })
})
