import { subscriptionStatus } from '@keepsnap/contract/billing.ts'
import { insights, type Insights } from '@keepsnap/contract/insights.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noResponse, refuse, startFakeServer, type FakeServer } from '../test/fake-server.ts'
import { pseudo, rendered, visit } from '../test/render.tsx'
import { sampleInsights } from '../test/sample-requests.ts'
import { planStatusOf } from '../test/sample-plan-status.ts'
import { untranslatedTexts } from '../test/untranslated.ts'

let server: FakeServer
let token: string
// Pages are loaded on demand; the first load is slow when many tests run at once.
beforeAll(() => import('./InsightsPage.tsx'))
const insightsQueries: Record<string, string | undefined>[] = []
beforeEach(async () => {
  insightsQueries.length = 0
  server = await startFakeServer()
  token = server.addUser({ subscription_tier: 'pro' }).token
})
afterEach(() => server.close())

const at = '/insights'
const serve = (changes: Partial<Insights> = {}) =>
  server.answer(insights, ({ query }) => {
    insightsQueries.push(query)
    return sampleInsights(changes)
  })
const tile = (name: string) => screen.getByText(name, { selector: 'dt' }).closest('div')!
const none = { scans: 0, views: 0, downloads: 0, requests: 0 }

describe('insights', () => {
  test('require a session', async () => {
    const { where } = await visit(server, { at })
    await waitFor(() => expect(where()).toBe('/login?return=%2Finsights'))
  })

  test('are advertised on the free plan, without a request', async () => {
    const free = server.addUser({ email: 'free@example.com' })
    await visit(server, { at, token: free.token })
    expect(await screen.findByRole('heading', { name: 'See how guests use your photos' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/#pricing')
    expect(server.calls.some((call) => call.includes('/user/insights'))).toBe(false)
  })

  test('are neither advertised nor requested before the plan is known', async () => {
    server.answer(subscriptionStatus, () => new Promise(() => {}))
    await visit(server, { at, token })
    expect(await screen.findByText('Loading...')).toBeInTheDocument()
    expect(screen.queryByText('See how guests use your photos')).toBeNull()
    expect(server.calls.some((call) => call.includes('/user/insights'))).toBe(false)
  })

  test('say when the plan cannot be fetched, and fetch it again on request', async () => {
    server.answer(subscriptionStatus, () => refuse(500, 'x'))
    const { person } = await visit(server, { at, token })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch subscription status')
    serve()
    server.answer(subscriptionStatus, () => planStatusOf('pro_yearly'))
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('1234')).toBeVisible()
  })

  test('stay when they cannot be fetched again', async () => {
    serve()
    const { state } = await visit(server, { at, token })
    const total = await screen.findByText('1234')
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

  test('show totals, conversion and peak hour of the last thirty days, in the time zone of the browser', async () => {
    serve()
    await visit(server, { at, token })
    expect(await screen.findByText('1234')).toBeVisible()
    expect(tile('Scans')).toHaveTextContent('1234')
    expect(tile('Views')).toHaveTextContent('80')
    expect(tile('Downloads')).toHaveTextContent('60')
    expect(tile('Requests')).toHaveTextContent('14')
    expect(tile('Scan to photo')).toHaveTextContent('6%')
    expect(tile('Peak hour')).toHaveTextContent(/10\s–\s11\sPM/)
    const [{ from, to, tz } = {}] = insightsQueries
    expect(tz).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(29 * 86_400_000)
  })

  test('describe the chart in a sentence and in a table', async () => {
    serve()
    const { person } = await visit(server, { at, token })
    expect(await screen.findByText(/Scans, Nov 12\s–\s14: 1234\. Most on Friday, November 13: 1200\./)).toBeVisible()
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
      ['Nov 13', '1200', '80', '60', '14'],
      ['Nov 12', '34', '0', '0', '0'],
    ])
  })

  test('list the best photos', async () => {
    serve()
    await visit(server, { at, token })
    const table = await screen.findByRole('table', { name: /most downloads/ })
    expect(within(table).getByRole('link', { name: /IMG_4001\.jpg/ })).toHaveAttribute('href', '/gallery?photo=photo1')
    expect(within(table).getByText('900')).toBeVisible()
  })

  test('can show another date range', async () => {
    serve()
    const { person } = await visit(server, { at, token })
    await screen.findByText('1234')
    await person.click(screen.getByRole('radio', { name: '7 days' }))
    await waitFor(() => expect(insightsQueries).toHaveLength(2))
    const { from, to } = insightsQueries[1]!
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(6 * 86_400_000)
  })

  test('have an empty state before the first scan', async () => {
    serve({ totals: none, peak_hour: null, conversion_percent: null, best_photos: [] })
    await visit(server, { at, token })
    expect(await screen.findByText(/No scans yet/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Show the latest photo' })).toHaveAttribute('href', '/latest')
  })

  test('show "None yet" for values that need scans', async () => {
    serve({ totals: { ...none, downloads: 2 }, peak_hour: null, conversion_percent: null, best_photos: [] })
    await visit(server, { at, token })
    await screen.findByText('Peak hour')
    expect(tile('Peak hour')).toHaveTextContent('None yet')
    expect(tile('Scan to photo')).toHaveTextContent('None yet')
  })

  test('show a failure and load again on request', async () => {
    server.answer(insights, () => refuse(500, 'x'))
    const { person } = await visit(server, { at, token })
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load insights. Please try again.')
    server.answer(insights, () => sampleInsights())
    await person.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('1234')).toBeVisible()
  })

  test('show a skeleton while they are loading', async () => {
    server.answer(insights, () => new Promise(() => {}))
    await visit(server, { at, token })
    expect(await screen.findByText('Loading...')).toBeInTheDocument()
  })
})

test.each([
  ['with numbers', () => serve()],
  ['without', () => serve({ totals: none })],
  ['failing', () => server.answer(insights, () => noResponse)],
])('every sentence comes from the message catalogue, %s', async (_, prepare) => {
  prepare()
  await visit(server, { at, token, language: pseudo })
  await waitFor(() => expect(document.querySelector('.insights .insights-best, .state p')).not.toBeNull())
  expect(untranslatedTexts(document.body)).toEqual([])
})
