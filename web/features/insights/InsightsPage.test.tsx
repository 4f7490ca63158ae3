import { subscriptionStatus, type SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { insights, type Insights } from '@keepsnap/contract/insights.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { rendered, visit } from '../../test/render.tsx'
import { planStatusOf, sampleInsights } from '../../test/samples.ts'

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

  test('show totals and the best photos of the last thirty days, or another range, in the time zone of the browser if the account has none', async () => {
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

  test('of chosen dates say what is wrong with them, and keep them and the time span in the URL', async () => {
    serve()
    const { person, where } = await visit(server, { at: `${at}?last=12m`, token })
    await waitFor(() => expect([364, 365]).toContain(daysOf(insightsQueries[0])))
    await person.click(screen.getByRole('radio', { name: 'Dates' }))
    const [from, to] = [screen.getByLabelText('From'), screen.getByLabelText('To')]
    const { to: today } = insightsQueries[0]!
    expect(to).toHaveValue(today)
    const show = async (first: string, last: string) => {
      fireEvent.change(from, { target: { value: first } })
      fireEvent.change(to, { target: { value: last } })
      await person.click(screen.getByRole('button', { name: 'Show' }))
    }
    for (const [first, last, field, sentence] of [
      ['2024-03-02', '2024-03-01', to, 'The last day must not be before the first.'],
      ['2024-03-01', '2999-03-01', to, 'This day is in the future.'],
      ['2024-01-01', '2025-03-01', from, 'At most 366 days can be shown at once.'],
      ['', '2025-03-01', from, 'Please enter a complete date.'],
    ] as const) {
      await show(first, last)
      expect(field).toHaveFocus()
      expect(field).toHaveAccessibleDescription(expect.stringContaining(sentence))
    }
    expect(insightsQueries).toHaveLength(1)
    serve({ totals: none })
    await show('2024-03-01', '2024-03-31')
    expect(await screen.findByText('Nothing was counted on these days.')).toBeVisible()
    expect(where()).toBe('/insights?from=2024-03-01&to=2024-03-31')
    expect(insightsQueries.at(-1)).toMatchObject({ from: '2024-03-01', to: '2024-03-31' })
  })

  test('are in the account’s time zone', async () => {
    serve()
    const { token: elsewhere } = server.addUser({ subscription_tier: 'pro', time_zone: 'Asia/Kolkata' })
    await visit(server, { at, token: elsewhere })
    await waitFor(() => expect(insightsQueries[0]?.['tz']).toBe('Asia/Kolkata'))
  })

  test('list evenings, and compare the newest two with photos, or two that the URL keeps', async () => {
    const evenings = Array.from({ length: 12 }, (_, n) => ({
      ...sampleInsights().evenings[0]!,
      day: `2026-10-${30 - n}`,
      photos: n,
    }))
    const later = { ...sampleInsights().evenings[1]!, day: '2026-11-14', photos: 0 }
    serve({ evenings: [later, ...sampleInsights().evenings, ...evenings] })
    const { person, where } = await visit(server, { at, token })
    const rowsOf = (table: HTMLElement) =>
      within(table)
        .getAllByRole('row')
        .map((row) => Array.from(row.children, (cell) => cell.lastChild?.textContent ?? ''))
    const table = await screen.findByRole('table', { name: 'By evening' })
    expect(rowsOf(table).slice(0, 3)).toEqual([
      ['Evening', 'Photos', 'Scans', 'Downloads', 'Requests', 'Scan to photo', 'Share of scans'],
      ['Sat, Nov 14, 2026', '0', '34', '0', '0', '0%', '0%'],
      ['Fri, Nov 13, 2026', '40', '1,200', '60', '14', '6%', '8%'],
    ])
    expect(rowsOf(table)).toHaveLength(11)
    await person.click(screen.getByRole('button', { name: 'Show all 15 evenings' }))
    expect(rowsOf(table)).toHaveLength(16)
    expect(screen.getByRole('button', { name: 'Show fewer' })).toHaveFocus()
    const numbers = screen.getByRole('table', { name: 'Two evenings side by side' })
    expect(rowsOf(numbers)).toEqual([
      ['Count', 'Nov 13', 'Nov 12', 'Difference'],
      ['Photos', '40', '9', '+31 (+344%)'],
      ['Scans', '1,200', '34', '+1,166 (+3,429%)'],
      ['Views', '80', '0', '+80'],
      ['Downloads', '60', '0', '+60'],
      ['Requests', '14', '0', '+14'],
      ['Scan to photo', '6%', '0%', '+6 percentage points'],
      ['Peak hour', expect.stringMatching(/10\s–\s11\sPM/), expect.stringMatching(/9\s–\s10\sPM/), '–'],
    ])
    await person.click(screen.getByText('The hours as a table'))
    expect(rowsOf(await screen.findByRole('table', { name: 'Scans per hour' })).slice(1, 4)).toEqual([
      [expect.stringMatching(/^8\s–\s9\sPM/), '0', '4'],
      [expect.stringMatching(/^9\s–\s10\sPM/), '0', '30'],
      [expect.stringMatching(/^10\s–\s11\sPM/), '900', '0'],
    ])
    await person.selectOptions(screen.getByLabelText('Compared with'), 'Thu, Oct 22, 2026')
    expect(where()).toBe('/insights?evenings=2026-11-13%2C2026-10-22')
    expect(rowsOf(numbers)[1]).toEqual(['Photos', '40', '8', '+32 (+400%)'])
    expect(insightsQueries).toHaveLength(1)
  })

  test('describe the chart in a sentence and in a table', async () => {
    serve()
    const { person } = await visit(server, { at, token })
    expect(await screen.findByText(/Scans, Nov 12\s–\s14: 1,234\. Most on Friday, November 13: 1,200\./)).toBeVisible()
    const shown = screen.getByRole('group', { name: 'What the chart shows' })
    await person.click(within(shown).getByRole('radio', { name: 'Downloads' }))
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
    const nothing = { peak_hour: null, conversion_percent: null, best_photos: [], evenings: [] }
    serve({ totals: none, ...nothing })
    const { state } = await visit(server, { at, token })
    expect(await screen.findByText(/No scans yet/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Show the latest photo' })).toHaveAttribute('href', '/latest')
    serve({ totals: { ...none, downloads: 2 }, ...nothing })
    await act(() => state.queryClient.invalidateQueries())
    await screen.findByText('Peak hour', { selector: 'dt' })
    expect(tile('Peak hour')).toHaveTextContent('None yet')
    expect(tile('Scan to photo')).toHaveTextContent('None yet')
  })
})
