import { describe, expect, test } from 'vitest'
import { act, screen, waitFor, within } from '@testing-library/react'
import { type ApiKey, createApiKey, deleteApiKey, listApiKeys } from '@keepsnap/contract/integrations.ts'
import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { createFormat } from '../../lib/format.ts'
import { apiKeys } from '../../messages/en/integrations.ts'
import { planStatusOf } from '../../test/samples.ts'
import { openPart, serveSettings } from '../../test/render.tsx'
import { ApiKeysCard, lastUseText } from './ApiKeysCard.tsx'

describe('last use', () => {
  const now = new Date(2026, 10, 22, 21, 45).getTime()
  const at = (day: number, hours: number, minutes: number): string =>
    new Date(2026, 10, day, hours, minutes).toISOString()

  test.each([
    ['a key that was never used', null, 'Never used'],
    ['a minute ago', at(22, 21, 44), 'Used just now'],
    ['a time to come, by a clock that is behind', at(22, 21, 50), 'Used just now'],
    ['four minutes ago', at(22, 21, 41), 'Used 4 minutes ago'],
    ['59 minutes ago', at(22, 20, 46), 'Used 59 minutes ago'],
    ['this morning', at(22, 9, 12), 'Used today, 09:12'],
    ['last night', at(21, 23, 59), 'Not used since 21 November 2026'],
  ] as const)('%s', (_, iso, expected) => {
    expect(lastUseText(iso, now, apiKeys, createFormat('en-GB'))).toMatch(expected)
  })
})

describe('ApiKeysCard', () => {
  let keys: ApiKey[]
  const server = useFakeServer((server) => {
    serveSettings(server)
    keys = []
    server.answer(listApiKeys, () => keys)
  })

  const fullKey = `ksnap_${'4Tq8mWz2Rk'.repeat(4)}XyZ0004f9c`
  const sampleKey = (fields: Partial<ApiKey> = {}): ApiKey => ({
    id: 'k1',
    name: 'Booth in the hall',
    key: 'ksnap_...a41e',
    created_at: '2026-10-02T12:00:00.000Z',
    last_used_at: null,
    expires_at: null,
    ...fields,
  })
  async function open(plan: PlanId = 'pro_yearly') {
    server.answer(subscriptionStatus, () => planStatusOf(plan))
    const { part: api, ...page } = await openPart(server, (props) => props.plan && <ApiKeysCard plan={props.plan} />)
    return { ...page, api }
  }
  /** Answers the creation of keys like the server; the bodies that were sent. */
  function serveCreation(): unknown[] {
    const bodies: unknown[] = []
    server.answer(createApiKey, ({ body }) => {
      bodies.push(body)
      keys = [sampleKey({ id: 'k2', name: body.name, key: 'ksnap_...4f9c' }), ...keys]
      return { ...keys[0]!, key: fullKey }
    })
    return bodies
  }

  describe('the list of keys', () => {
    test('has names, ends, dates and uses', async () => {
      const now = Date.now()
      keys = [
        sampleKey({ id: 'a', name: 'Never', expires_at: new Date(now + 86_400_000).toISOString() }),
        sampleKey({ id: 'b', name: 'Now', last_used_at: new Date(now - 1_000).toISOString() }),
        sampleKey({ id: 'c', name: 'Lately', last_used_at: new Date(now - 5 * 60_000).toISOString() }),
        sampleKey({ id: 'd', name: 'Old', last_used_at: '2026-06-14T12:00:00Z', expires_at: '2026-06-15T12:00:00Z' }),
      ]
      const { api } = await open()
      const rows = within(await api.findByRole('list', { name: 'API keys' })).getAllByRole('listitem')
      expect(rows.map(({ textContent }) => textContent)).toEqual([
        expect.stringMatching(/^Neverksnap_\.\.\.a41e, created on October 2, 2026Expires on .*Never used$/),
        expect.stringContaining('Used just now'),
        expect.stringContaining('Used 5 minutes ago'),
        expect.stringMatching(/Expired.*Not used since June 14, 2026$/),
      ])
    })

    test('says that it is loading, that it failed, can be loaded again, and follows the live connection', async () => {
      const answer = Promise.withResolvers<void>()
      server.answer(listApiKeys, async () => {
        await answer.promise
        return refuse(500, undefined)
      })
      const { api, person, connected } = await open()
      expect(await api.findByText('Loading...')).toBeInTheDocument()
      answer.resolve()
      expect(await api.findByRole('alert')).toHaveTextContent('Your API keys couldn’t be loaded.')
      server.answer(listApiKeys, () => keys)
      await person.click(api.getByRole('button', { name: 'Try Again' }))
      expect(await api.findByText('No keys yet. A key lets a booth or a camera upload by itself.')).toBeVisible()
      expect(api.getByRole('button', { name: 'Create your first key' })).toBeVisible()
      expect(api.queryByRole('list')).toBeNull()
      await connected()
      keys = [sampleKey()]
      act(() => server.push({ action: 'api_keys_changed' }))
      expect(await api.findByText('Booth in the hall')).toBeVisible()
    })
  })

  describe('creating a key', () => {
    test('shows it in full once, to be copied, with a command that uploads', async () => {
      const bodies = serveCreation()
      const { api, person, state } = await open()
      await person.click(await api.findByRole('button', { name: 'Create your first key' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Create an API key' }))
      await person.click(dialog.getByLabelText('Name'))
      await person.paste('  Photo booth,  ballroom ')
      await person.selectOptions(dialog.getByLabelText('Expires'), 'In 90 days')
      await person.click(dialog.getByRole('button', { name: 'Create key' }))
      expect(await screen.findByText('API key created successfully')).toBeVisible()
      expect(bodies).toEqual([{ name: 'Photo booth, ballroom', expires_in_days: 90 }])
      const shown = await api.findByRole('region', { name: 'New key: Photo booth, ballroom' })
      expect(shown).toHaveFocus()
      expect(within(shown).getByText('Copy the key now. It is shown only once.')).toBeVisible()
      expect(await api.findByText('ksnap_...4f9c')).toBeVisible()

      await person.click(within(shown).getByRole('button', { name: 'Copy: The key' }))
      expect(await navigator.clipboard.readText()).toBe(fullKey)
      await person.click(within(shown).getByRole('button', { name: 'Copy: The command' }))
      expect(await navigator.clipboard.readText()).toBe(
        `curl -H "X-API-Key: ${fullKey}" \\\n  -F "file=@photo.jpg" \\\n  ${server.origin}/api/upload`,
      )
      await person.click(within(shown).getByRole('button', { name: 'Done' }))
      expect(document.body).not.toHaveTextContent(fullKey)
      const kept = JSON.stringify([
        state.queryClient.getQueryCache().getAll(),
        state.queryClient.getMutationCache().getAll(),
      ])
      expect(kept).not.toContain(fullKey)
    })

    test('needs a name that is not blank, and says so', async () => {
      serveCreation()
      const { api, person } = await open()
      await person.click(await api.findByRole('button', { name: 'Create your first key' }))
      const dialog = within(await screen.findByRole('dialog'))
      const [name, submit] = [dialog.getByLabelText('Name'), dialog.getByRole('button', { name: 'Create key' })]
      expect(submit).toBeDisabled()
      expect(dialog.queryByText('Please enter a name for your API key')).toBeNull()
      await person.type(name, '  {Enter}')
      expect(submit).toBeDisabled()
      expect(name).toHaveAccessibleDescription('Please enter a name for your API key')
      await person.paste('x'.repeat(61))
      expect(dialog.queryByText('Please enter a name for your API key')).toBeNull()
      await person.click(submit)
      expect(name).toHaveAccessibleDescription('Please use at most 60 characters')
      expect(server.calls).not.toContain('POST /api/keys')
    })

    test.each([
      ['You have 50 API keys.', 'You have 50 API keys.'],
      [undefined, 'Failed to create API key'],
    ])('shows the reason of the server (%s), or a sentence of its own', async (detail, shown) => {
      server.answer(createApiKey, () => refuse(409, detail, 'conflict'))
      const { api, person } = await open()
      await person.click(await api.findByRole('button', { name: 'Create your first key' }))
      const dialog = within(await screen.findByRole('dialog'))
      await person.type(dialog.getByLabelText('Name'), 'Booth{Enter}')
      expect(await dialog.findByRole('alert')).toHaveTextContent(shown)
      expect(dialog.getByLabelText('Name')).toHaveValue('Booth')
    })
  })

  test('a key is deleted after a question; a failure is shown, and the key stays', async () => {
    keys = [sampleKey(), sampleKey({ id: 'k9', name: 'Website' })]
    server.answer(deleteApiKey, () => refuse(503, undefined))
    const { api, person } = await open()
    const ask = async () => {
      await person.click(await api.findByRole('button', { name: 'Delete the key Booth in the hall' }))
      return within(await screen.findByRole('alertdialog', { name: 'Delete this key?' }))
    }
    const dialog = await ask()
    const question =
      'Devices and programs that use “Booth in the hall” stop working within a second and need a new key. Photos they uploaded stay.'
    expect(dialog.getByText(question)).toBeVisible()
    expect(server.calls.some((call) => call.startsWith('DELETE'))).toBe(false)
    await person.click(dialog.getByRole('button', { name: 'Delete key' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to delete API key')
    await person.click(dialog.getByRole('button', { name: 'Keep the key' }))
    expect(api.getByText('Booth in the hall')).toBeVisible()
    server.answer(deleteApiKey, ({ params }) => {
      keys = keys.filter(({ id }) => id !== params.id)
      return null
    })
    await person.click((await ask()).getByRole('button', { name: 'Delete key' }))
    expect(await screen.findByText('API key deleted successfully')).toBeVisible()
    expect(api.queryByText('Booth in the hall')).toBeNull()
    expect(api.getByText('Website')).toBeVisible()
    expect(server.calls).toContain('DELETE /api/keys/k1')
  })

  describe('on a plan without API access', () => {
    test.each([
      [0, undefined],
      [1, 'Your key doesn’t work now. It will work again after an upgrade.'],
      [2, 'Your 2 keys don’t work now. They will work again after an upgrade.'],
    ])('an upgrade is offered, and %d keys from before are mentioned', async (count, note) => {
      keys = Array.from({ length: count }, (_, n) => sampleKey({ id: `k${n}` }))
      const { api } = await open('pro_monthly')
      expect(api.getByText('API keys are part of Pro Yearly. Your plan is Pro Monthly.')).toBeVisible()
      expect(api.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/#pricing')
      await waitFor(() => expect(server.calls).toContain('GET /api/keys'))
      await waitFor(() => expect(api.queryByText(/work again after an upgrade/)?.textContent).toBe(note))
      expect(api.queryByRole('button')).toBeNull()
    })
  })
})
