import {
  type ApiKey,
  createApiKey,
  createWebhook,
  deleteApiKeys,
  deleteWebhooks,
  listApiKeys,
  listWebhooks,
  type Webhook,
} from '@keepsnap/contract/integrations.ts'
import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { confirmPassword, endSessions } from '@keepsnap/contract/security.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { openSettings, serveSettings, visit } from '../../test/render.tsx'
import { planStatusOf } from '../../test/samples.ts'

const sampleKey = (id: string, name: string, created_at: string): ApiKey => ({
  id,
  name,
  key: 'ksnap_...4f9c',
  created_at,
  last_used_at: null,
  expires_at: null,
})
const used = '2026-11-14T20:00:00.000Z'
const webhook = {
  id: 'webhook-1',
  url: 'https://hooks.example.com/keepsnap',
  events: ['photo.ready'],
  enabled: true,
  disabled_because: null,
  failing_since: null,
  gives_up_at: null,
  secret_hint: 'whsec_...3vd=',
  previous_secret_until: null,
  created_at: '2026-01-02T20:00:00.000Z',
  // The sample password was set on November 1, and the one before it on October 1.
  url_set_at: '2026-10-20T20:00:00.000Z',
  last_used_at: used,
} satisfies Webhook

let calls: unknown[]
const server = useFakeServer((server) => {
  serveSettings(server)
  calls = []
  server.answer(subscriptionStatus, () => planStatusOf('pro_yearly'))
  server.answer(listApiKeys, () => [
    sampleKey('key-booth', 'Booth', '2026-01-02T20:00:00.000Z'),
    sampleKey('key-thief', 'Backup', '2026-11-10T20:00:00.000Z'),
  ])
  server.answer(listWebhooks, () => [webhook])
  const note = (name: string) => (call: { body: unknown }) => {
    calls.push([name, call.body])
    return null
  }
  server.answer(deleteApiKeys, note('keys'))
  server.answer(deleteWebhooks, note('webhooks'))
  server.answer(endSessions, () => {
    calls.push('end')
    return null
  })
})
const dialog = async (name: string) => within(await screen.findByRole('alertdialog', { name }))
const selected = (list: HTMLElement): string[] =>
  within(list)
    .getAllByRole('checkbox', { checked: true })
    .map((box) => (box as HTMLInputElement).labels![0]!.textContent)

test('after a reset, what opens the account is listed with its last use, and deleted by one button', async () => {
  const { token } = server.addUser()
  const { person, where } = await visit(server, { at: '/settings?review=access', token })
  const review = await dialog('Check what else has access')
  const list = review.getByRole('list', { name: 'API keys and webhooks' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'API key “Backup”Created on November 10, 2026Never used',
    expect.stringMatching(/^Webhook to hooks\.example\.comCreated on October 20, 2026Last used .*14/),
    'API key “Booth”Created on January 2, 2026Never used',
  ])
  // Since the password before that was set.
  expect(selected(list)).toEqual(['API key “Backup”', 'Webhook to hooks.example.com'])
  server.answer(deleteApiKeys, () => refuse(503, 'The database is down.', 'unavailable'))
  await person.click(review.getByRole('button', { name: 'Delete selected (2)' }))
  expect(await review.findByText('The database is down.')).toBeVisible()
  server.answer(deleteApiKeys, ({ body }) => {
    calls.push(['keys', body])
    return null
  })
  await person.click(review.getByRole('checkbox', { name: /Booth/ }))
  await person.click(review.getByRole('button', { name: 'Delete selected (3)' }))
  expect(await screen.findByText('Deleted. They stop working within a second.')).toBeVisible()
  expect(calls).toEqual([
    ['keys', { ids: ['key-thief', 'key-booth'] }],
    ['webhooks', { ids: ['webhook-1'] }],
  ])
  await waitFor(() => expect(where()).toBe('/settings#safe'))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('without keys and webhooks there is nothing to review', async () => {
  server.answer(listApiKeys, () => [])
  server.answer(listWebhooks, () => [])
  const { token } = server.addUser()
  await visit(server, { at: '/settings?review=access', token })
  await screen.findByText('Signed in on 2 devices')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('signing out everywhere deletes what was created since the password was set, unless it is kept', async () => {
  const { person, where } = await openSettings(server)
  await person.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
  const question = await dialog('Sign out everywhere')
  const list = question.getByRole('list', { name: 'API keys and webhooks' })
  expect(selected(list)).toEqual(['API key “Backup”'])
  await person.click(question.getByRole('button', { name: 'Delete selected (1) and sign out' }))
  await waitFor(() => expect(where()).toBe('/login'))
  expect(calls).toEqual([['keys', { ids: ['key-thief'] }], 'end'])
})

describe('creating asks for the password when the server does', () => {
  const askOnce = () => {
    let isConfirmed = false
    server.answer(confirmPassword, ({ body }) => {
      calls.push(body)
      if (body.password !== 'Correct1!') return refuse(403, 'This is not your current password.', 'forbidden')
      isConfirmed = true
      return { confirmed_until: used }
    })
    return () => (isConfirmed ? null : refuse(403, 'Please enter your password to go on.', 'confirm_password'))
  }
  const enter = async (
    { person }: Awaited<ReturnType<typeof openSettings>>,
    form: Awaited<ReturnType<typeof dialog>>,
    submit: string,
  ) => {
    const button = form.getByRole('button', { name: submit })
    const send = async () => {
      await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
      await person.click(button)
    }
    await send()
    const field = await form.findByLabelText('Your password')
    expect(field).toHaveFocus()
    expect(form.queryByRole('alert')).toBeNull()
    await send()
    expect(form.getByText('Please enter your password.')).toBeVisible()
    await person.type(field, 'Wrong1!x')
    await send()
    expect(await form.findByText('This is not your current password.')).toBeVisible()
    expect(field).toHaveFocus()
    await person.clear(field)
    await person.type(field, 'Correct1!')
    await send()
  }

  test('a key', async () => {
    const refusal = askOnce()
    server.answer(createApiKey, ({ body }) => refusal() ?? sampleKey('key-new', body.name, used))
    const page = await openSettings(server)
    await page.person.click(await screen.findByRole('button', { name: 'Create key' }))
    const form = within(await screen.findByRole('dialog', { name: 'Create an API key' }))
    await page.person.type(form.getByLabelText('Name'), 'Booth 2')
    await enter(page, form, 'Create key')
    expect(await screen.findByRole('region', { name: 'New key: Booth 2' })).toBeVisible()
    expect(calls).toEqual([{ password: 'Wrong1!x' }, { password: 'Correct1!' }])
  })

  test('a webhook', async () => {
    const refusal = askOnce()
    server.answer(createWebhook, ({ body }) => refusal() ?? { ...webhook, ...body, secret: 'whsec_full' })
    const page = await openSettings(server)
    await page.person.click(await screen.findByRole('button', { name: 'Add webhook' }))
    const form = within(await screen.findByRole('dialog', { name: 'Add a webhook' }))
    await page.person.type(form.getByLabelText('URL'), 'https://two.example.com/')
    await enter(page, form, 'Add webhook')
    expect(await screen.findByText('whsec_full')).toBeVisible()
  })
})
