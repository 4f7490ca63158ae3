import { describe, expect, test } from 'vitest'
import { act, screen, waitFor, within } from '@testing-library/react'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replaceWebhookSecret,
  replayDelivery,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
} from '@keepsnap/contract/integrations.ts'
import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { confirmPassword } from '@keepsnap/contract/security.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { planStatusOf } from '../../test/samples.ts'
import { openPart, rendered, serveSettings } from '../../test/render.tsx'
import { Webhooks } from './Webhooks.tsx'

describe('Webhooks', () => {
  const at = '2026-11-14T20:00:00.000Z'
  const webhook: Webhook = {
    id: 'w1',
    url: 'https://hooks.example.com/keepsnap',
    events: ['photo.ready', 'photo.failed'],
    enabled: true,
    disabled_because: null,
    failing_since: null,
    gives_up_at: null,
    secret_hint: 'whsec_...3vd=',
    previous_secret_until: null,
    created_at: at,
    url_set_at: at,
    last_used_at: null,
  }
  const attempt = { at, status: 500, duration_ms: 112, error: null, response: 'relation does not exist' }
  const delivery: WebhookDelivery = {
    id: 'd1',
    message_id: 'msg_1',
    type: 'photo.ready',
    state: 'failed',
    is_replay: false,
    created_at: at,
    next_attempt_at: null,
    body: '{"type":"photo.ready"}',
    attempts: [attempt],
  }

  let list: Webhook[]
  const server = useFakeServer((server) => {
    list = [webhook]
    serveSettings(server)
    server.answer(subscriptionStatus, () => planStatusOf('pro_yearly'))
    server.answer(listWebhooks, () => list)
    server.answer(listDeliveries, () => ({ deliveries: [], has_more: false }))
  })

  async function open() {
    const page = await openPart(server, ({ plan }) => plan && <Webhooks plan={plan} />)
    const press = async (name: string | RegExp) => page.person.click(await screen.findByRole('button', { name }))
    return { ...page, press }
  }
  const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
  const question = async (name: string) => within(await screen.findByRole('alertdialog', { name }))

  describe('the list', () => {
    test('says that there is none, and how one is added; its secret is shown once', async () => {
      list = []
      server.answer(createWebhook, () =>
        refuse(422, [{ loc: ['body', 'url'], msg: 'booth.lan is not on the internet.' }], 'invalid'),
      )
      const { person, press } = await open()
      await press('Add webhook')
      const form = await dialog('Add a webhook')
      const add = form.getByRole('button', { name: 'Add webhook' })
      await person.click(add)
      expect(form.getByText('Please enter the URL of your server.')).toBeVisible()
      await person.click(form.getByLabelText('URL'))
      await person.paste(webhook.url)
      for (const type of ['photo.ready', 'photo.failed', 'photo.deleted', 'request.created'])
        await person.click(form.getByRole('checkbox', { name: new RegExp(type) }))
      expect(form.getByText('Please choose at least one event.')).toBeVisible()
      await person.click(form.getByRole('checkbox', { name: /photo\.ready/ }))
      await person.click(add)
      expect(await form.findByRole('alert')).toHaveTextContent('booth.lan is not on the internet.')
      expect(form.getByLabelText('URL')).toHaveValue(webhook.url)
      server.answer(createWebhook, ({ body }) => {
        const created = { ...webhook, url: body.url, events: body.events }
        list = [created]
        return { ...created, secret: 'whsec_full' }
      })
      await person.click(add)
      const secret = await dialog('Your signing secret')
      expect(secret.getByText('whsec_full')).toBeVisible()
      await person.click(secret.getByRole('button', { name: 'Done' }))
      expect(screen.queryByText('whsec_full')).toBeNull()
      expect(await screen.findByText(webhook.url)).toBeVisible()
      expect(list[0]!.events).toEqual(['photo.ready'])
    })

    test('says of each webhook whether it works, fails or is off, and since when it has two secrets', async () => {
      const rows: [Partial<Webhook>, string[]][] = [
        [{}, ['Working', 'photo.ready, photo.failed']],
        [{ failing_since: at, gives_up_at: '2026-11-15T20:00:00.000Z' }, ['Failing', 'it will be switched off on']],
        [{ enabled: false, disabled_because: 'failing' }, ['Off after failures', 'Nothing was accepted for a day']],
        [{ enabled: false, disabled_because: 'owner' }, ['Off', 'events that happen meanwhile are not stored']],
        [{ previous_secret_until: at }, ['Requests are also signed with the previous secret until']],
      ]
      list = rows.map(([fields], index) => ({
        ...webhook,
        ...fields,
        id: `w${index}`,
        url: `https://${index}.example`,
      }))
      await open()
      for (const [index, [, sentences]] of rows.entries()) {
        const row = (await screen.findByText(`https://${index}.example`)).closest('li')
        for (const sentence of sentences) expect(row).toHaveTextContent(sentence)
      }
    })

    test('can be loaded again after an error', async () => {
      server.answer(listWebhooks, () => refuse(400, 'x'))
      const { press } = await open()
      expect(await screen.findByText('Your webhooks couldn’t be loaded.')).toBeVisible()
      server.answer(listWebhooks, () => list)
      await press('Try Again')
      expect(await screen.findByText(webhook.url)).toBeVisible()
    })

    test('without API access only what exists is shown, and can be deleted', async () => {
      server.answer(subscriptionStatus, () => planStatusOf('pro_monthly'))
      server.answer(deleteWebhook, () => {
        list = []
        return null
      })
      const { person, part, press } = await open()
      expect(await part.findByText(/Your plan has no API access/)).toBeVisible()
      expect(part.queryByRole('button', { name: /Send a test|Edit|Add/ })).toBeNull()
      await press('Delete webhook')
      await person.click((await question('Delete this webhook?')).getByRole('button', { name: 'Delete webhook' }))
      expect(await screen.findByText('The webhook has been deleted.')).toBeVisible()
      expect(screen.queryByRole('region', { name: 'Webhooks' })).toBeNull()
    })
  })

  describe('a webhook', () => {
    test('is changed and switched off in its form, and on again in the list', async () => {
      server.answer(changeWebhook, ({ body }) => {
        list = [{ ...webhook, ...body, disabled_because: body.enabled ? null : 'owner' }]
        return list[0]!
      })
      const { person, press } = await open()
      await press(`Edit ${webhook.url}`)
      const form = await dialog('Edit webhook')
      expect(form.getByText('whsec_...3vd=')).toBeVisible()
      await person.click(form.getByRole('checkbox', { name: 'On' }))
      await person.click(form.getByRole('button', { name: 'Save' }))
      expect(await screen.findByText('The webhook has been saved.')).toBeVisible()
      expect(list[0]).toMatchObject({ url: webhook.url, events: webhook.events, enabled: false })
      await press(`Switch on ${webhook.url}`)
      expect(await screen.findByText('The webhook is on again.')).toBeVisible()
      expect(list[0]).toMatchObject({ enabled: true })
    })

    test('gets a new secret after a confirmation, with the password if asked for; it is shown once', async () => {
      server.answer(replaceWebhookSecret, () => refuse(403, 'Please enter your password to go on.', 'confirm_password'))
      const { person, press } = await open()
      await press(`Edit ${webhook.url}`)
      await press('Replace')
      const ask = await question('Replace the signing secret?')
      await press('Replace secret')
      await person.type(await ask.findByLabelText('Your password'), 'Correct1!')
      expect(ask.queryByRole('alert')).toBeNull()
      await waitFor(() => expect(ask.getByRole('button', { name: 'Replace secret' })).not.toHaveAttribute('aria-busy'))
      server.answer(confirmPassword, () => ({ confirmed_until: at }))
      server.answer(replaceWebhookSecret, () => ({ ...webhook, previous_secret_until: at, secret: 'whsec_new' }))
      await press('Replace secret')
      const secret = await dialog('Your signing secret')
      expect(secret.getByText('whsec_new')).toBeVisible()
      expect(secret.getByText(/requests are signed with both secrets/)).toBeVisible()
    })

    test('stays when its deletion fails; once deleted, an answer from before does not bring it back', async () => {
      server.answer(deleteWebhook, () => refuse(503, 'The database is down. Please try again.', 'unavailable'))
      const { person, press, state } = await open()
      const ask = async () => {
        await press(`Edit ${webhook.url}`)
        await press('Delete webhook')
        return question('Delete this webhook?')
      }
      const refused = await ask()
      expect(refused.getByText(/Nothing more is sent to hooks.example.com/)).toBeVisible()
      await person.click(refused.getByRole('button', { name: 'Delete webhook' }))
      expect(await refused.findByRole('alert')).toHaveTextContent('The database is down.')
      await person.click(refused.getByRole('button', { name: 'Cancel' }))
      expect(screen.getByText(webhook.url)).toBeVisible()
      const before = Promise.withResolvers<Webhook[]>()
      server.answer(listWebhooks, () => before.promise)
      void state.queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] })
      server.answer(deleteWebhook, () => {
        server.answer(listWebhooks, () => [])
        return null
      })
      await person.keyboard('{Escape}')
      await person.click((await ask()).getByRole('button', { name: 'Delete webhook' }))
      await waitFor(() => expect(screen.queryByText(webhook.url)).toBeNull())
      before.resolve([webhook])
      await waitFor(() => expect(state.queryClient.isFetching()).toBe(0))
      await rendered()
      expect(screen.queryByText(webhook.url)).toBeNull()
    })

    test('a test opens the log, which shows its result by itself', async () => {
      let isWaitingSeen = false
      const sent: WebhookDelivery = {
        ...delivery,
        type: 'webhook.test',
        state: 'waiting',
        attempts: [],
        next_attempt_at: at,
      }
      server.answer(testWebhook, () => sent)
      server.answer(listDeliveries, () => {
        const answered = { ...attempt, status: 204, response: '' }
        const done = { ...sent, state: 'delivered' as const, next_attempt_at: null, attempts: [answered] }
        return { deliveries: [isWaitingSeen ? done : sent], has_more: false }
      })
      const { press } = await open()
      await press(`Send a test to ${webhook.url}`)
      expect(await screen.findByText('The test is on its way. Its result appears under Deliveries.')).toBeVisible()
      expect(await screen.findByText('Waiting')).toBeVisible()
      isWaitingSeen = true
      expect(await screen.findByText('204')).toBeVisible()
      expect(screen.queryByRole('button', { name: /^Replay/ })).toBeNull()
    })
  })

  describe('the log of deliveries', () => {
    const openLog = async () => {
      const opened = await open()
      await opened.press(`Deliveries to ${webhook.url}`)
      return opened
    }

    test('says that nothing was sent yet, and that nothing failed', async () => {
      const { person } = await openLog()
      expect(await screen.findByText(/Nothing has been sent yet/)).toBeVisible()
      await person.click(screen.getByRole('radio', { name: 'Failed' }))
      expect(await screen.findByText('No delivery has failed.')).toBeVisible()
    })

    test('details stay when newer deliveries take their place in the log', async () => {
      let deliveries = [{ ...delivery, body: 'not JSON' }]
      server.answer(listDeliveries, () => ({ deliveries, has_more: false }))
      const { person, state } = await openLog()
      await person.click(await screen.findByRole('button', { name: 'Details of photo.ready' }))
      const details = await screen.findByRole('dialog', { name: 'photo.ready' })
      deliveries = [{ ...delivery, id: 'd9', type: 'photo.failed' }]
      await act(() => state.queryClient.invalidateQueries({ queryKey: ['webhooks', 'deliveries'] }))
      expect(await screen.findByRole('button', { name: 'Details of photo.failed', hidden: true })).toBeInTheDocument()
      expect(details).toBeVisible()
      expect(details).toHaveTextContent('relation does not exist')
      expect(details).toHaveTextContent('not JSON')
    })

    test('shows answers, errors and what was not sent; details; and replays', async () => {
      const others: WebhookDelivery[] = [
        { ...delivery, id: 'd2', state: 'delivered', is_replay: true, attempts: [{ ...attempt, status: 204 }] },
        {
          ...delivery,
          id: 'd3',
          attempts: [{ ...attempt, status: null, error: 'There was no answer within 10 seconds.' }],
        },
        { ...delivery, id: 'd4', state: 'cancelled', attempts: [] },
        { ...delivery, id: 'd5', attempts: [{ ...attempt, status: 302 }] },
        { ...delivery, id: 'd6', state: 'waiting', next_attempt_at: at },
      ]
      const replayed: string[] = []
      server.answer(listDeliveries, () => ({ deliveries: [delivery, ...others], has_more: false }))
      server.answer(replayDelivery, ({ params }) => {
        replayed.push(params.delivery_id)
        return { ...delivery, id: 'd9', is_replay: true }
      })
      const { person } = await openLog()
      const rows = (await screen.findAllByRole('row')).slice(1)
      const texts = [
        '500',
        '204',
        'There was no answer within 10 seconds.',
        'Not sent',
        'Redirects are not followed.',
        'Waiting · 500',
      ]
      expect(rows).toHaveLength(texts.length)
      for (const [index, text] of texts.entries()) expect(rows[index]).toHaveTextContent(text)
      await person.click(within(rows[0]!).getByRole('button', { name: 'Details of photo.ready' }))
      const details = await screen.findByRole('dialog', { name: 'photo.ready' })
      expect(details).toHaveTextContent('relation does not exist')
      expect(details).toHaveTextContent('"type": "photo.ready"')
      // Deliveries that wait are sent anyway.
      const waiting = within(rows.at(-1)!)
      expect(waiting.queryByRole('button', { name: /^Replay/ })).toBeNull()
      await person.click(within(details).getByRole('button', { name: 'Replay' }))
      expect(await screen.findByText('The event is being sent again.')).toBeVisible()
      await person.click(within(rows[1]!).getByRole('button', { name: /^Replay/ }))
      await waitFor(() => expect(replayed).toEqual(['d1', 'd2']))
    })

    test('is read page by page, and says when a replay is refused or the log cannot be read', async () => {
      server.answer(listDeliveries, ({ query }) => ({
        deliveries: [
          { ...delivery, id: query.before === undefined ? 'd1' : 'd2', message_id: `of ${query.before ?? 'nothing'}` },
        ],
        has_more: query.before === undefined,
      }))
      server.answer(replayDelivery, () => refuse(409, 'This webhook is switched off. Switch it on first.', 'conflict'))
      const { person } = await openLog()
      await person.click(await screen.findByRole('button', { name: 'Show more' }))
      expect(await screen.findByText('of d1')).toBeVisible()
      expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
      await person.click(screen.getAllByRole('button', { name: /^Replay/ })[0]!)
      expect(await screen.findByText('This webhook is switched off. Switch it on first.')).toBeVisible()
      server.answer(listDeliveries, () => refuse(400, 'x'))
      await person.click(screen.getByRole('radio', { name: 'Failed' }))
      expect(await screen.findByText('The deliveries couldn’t be loaded.')).toBeVisible()
    })
  })
})
