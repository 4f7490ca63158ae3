import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createTestCode, getTestEmail, sendTestEmail, type TestEmail } from '@keepsnap/contract/guests.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { openPart, serveSettings } from '../../test/render.tsx'
import { createFormat } from '../../lib/format.ts'
import { readiness } from '../../messages/en/guests.ts'
import { complimentary, planStatusOf, samplePlanStatus, subscribed } from '../../test/samples.ts'
import { emailResult, photosResult, planResult, ReadinessSection, storageResult } from './ReadinessCheck.tsx'

const email = (fields: Partial<TestEmail> = {}): TestEmail => ({
  state: 'queued',
  asked_at: '2026-12-01T12:00:00.000Z',
  sent_at: null,
  reason: null,
  mail: 'smtp',
  ...fields,
})
const sentAt = '2026-12-01T12:00:05.000Z'

describe('ReadinessCheck', () => {
  const server = useFakeServer((server) => {
    serveSettings(server)
    server.answer(sendTestEmail, () => email())
    server.answer(getTestEmail, () => email({ state: 'sent', sent_at: sentAt }))
    server.answer(createTestCode, () => ({
      image_url: `${server.origin}/qr/t/token.svg`,
      expires_at: new Date(Date.now() + 900_000).toISOString(),
    }))
  })

  const results = async () => within(await screen.findByRole('list', { name: 'What was checked' }))
  const line = async (title: string) => (await results()).getByText(title).closest('li')!
  const open = () => openPart(server, ({ user }) => <ReadinessSection email={user.email} />)
  async function openAndStart() {
    const { person } = await open()
    await person.click(await screen.findByRole('button', { name: 'Check now' }))
  }

  test('before the check it says what will happen, and shows plan and connection', async () => {
    await open()
    await results()
    expect(await line('Emails')).toHaveTextContent(
      'Not checked yet: The check sends a test email to marjolein@example.com.',
    )
    expect(await line('Scanning')).toHaveTextContent('Not checked yet')
    expect(await line('Photos')).toHaveTextContent('OK: 3 photos left until December 1, 2026.')
    expect(await line('Storage')).toHaveTextContent('OK: 512 MB left.')
    expect(await line('Plan')).toHaveTextContent('OK: Free, with no end date.')
    expect(server.calls.some((call) => call.includes('/user/test'))).toBe(false)
  })

  test('one press sends a test email and shows a code, and says live when a phone has opened it', async () => {
    await openAndStart()
    const code = await screen.findByRole('img', { name: 'Test code' })
    expect(code).toHaveAttribute('src', `${server.origin}/qr/t/token.svg`)
    expect(await line('Scanning')).toHaveTextContent('Waiting: Scan this code with a phone.')
    await waitFor(async () =>
      expect(await line('Emails')).toHaveTextContent(/OK: The mail server accepted the test email/),
    )
    await waitFor(async () => {
      await act(async () => server.push({ action: 'test_code_opened' }))
      expect(await line('Scanning')).toHaveTextContent(/OK: A phone opened the code at/)
    })
    expect(screen.queryByRole('img', { name: 'Test code' })).toBeNull()
    expect(await line('Live connection')).toHaveTextContent(/OK: Connected\. Last contact at/)
  })

  test('a limit of test emails and a code that cannot be made are shown', async () => {
    server.answer(sendTestEmail, () => refuse(429, 'Several test emails have been sent already.', 'rate_limited'))
    server.answer(createTestCode, () => refuse(500, undefined))
    await openAndStart()
    await waitFor(async () =>
      expect(await line('Emails')).toHaveTextContent('Needs attention: Several test emails have been sent already.'),
    )
    await waitFor(async () =>
      expect(await line('Scanning')).toHaveTextContent('Needs attention: The code couldn’t be made. Please try again.'),
    )
  })
})

describe('check results', () => {
  const localization = { text: readiness, format: createFormat('en-US') }
  const gigabyte = 1024 ** 3
  const now = Date.parse('2026-12-01T12:00:00.000Z')

  test.each([
    [0, 'ok', '10 photos left until December 1, 2026.'],
    [7, 'ok', '3 photos left until December 1, 2026.'],
    [8, 'attention', 'Only 2 of 10 photos left until December 1, 2026. Upgrade for more.'],
    [10, 'attention', 'No photos left until December 1, 2026. New ones wait in the upload list.'],
    [12, 'attention', 'No photos left until December 1, 2026. New ones wait in the upload list.'],
  ])('with %d photos used, the photos are %s', (photos, state, sentence) => {
    expect(photosResult(samplePlanStatus(photos), localization)).toMatchObject({ state, sentence })
  })

  test.each([
    [0.5, 'ok', '512 MB left.'],
    [0.9, 'attention', 'Only 102.4 MB of 1 GB left. Delete photos, or choose a larger plan.'],
    [1.2, 'attention', 'Full. New photos wait in the upload list until you delete others.'],
  ])('with %d GB used, the storage is %s', (used, state, sentence) => {
    const status = planStatusOf('free', { photos: 0, storageBytes: used * gigabyte })
    expect(storageResult(status, localization)).toMatchObject({ state, sentence })
  })

  test.each([
    ['free', samplePlanStatus(0), 'ok', 'Free, with no end date.'],
    ['paid', subscribed('pro_monthly'), 'ok', 'Pro Monthly, renews on December 22, 2026.'],
    [
      'cancelled',
      subscribed('pro_yearly', { cancel_at_period_end: true }),
      'ok',
      'Pro Yearly, ends on December 22, 2026.',
    ],
    [
      'about to end',
      subscribed('pro_yearly', { cancel_at_period_end: true, current_period_end: '2026-12-04T12:00:00.000Z' }),
      'attention',
      'Pro Yearly ends on December 4, 2026. Then your plan becomes Free.',
    ],
    [
      'past due',
      subscribed('pro_monthly', { status: 'past_due', grace_until: '2026-12-29T12:00:00.000Z' }),
      'attention',
      'A payment is overdue. Pro Monthly continues until December 29, 2026.',
    ],
    ['complimentary', complimentary('pro_yearly', null), 'ok', 'Pro Yearly, with no end date.'],
    [
      'complimentary until a day',
      complimentary('pro_yearly', '2026-12-31T12:00:00.000Z'),
      'ok',
      'Pro Yearly, ends on December 31, 2026.',
    ],
    [
      'complimentary and better than the paid one',
      complimentary('pro_yearly', '2026-12-02T12:00:00.000Z', subscribed('pro_monthly')),
      'attention',
      'Pro Yearly ends on December 2, 2026. Then your plan becomes Pro Monthly.',
    ],
  ] as const)('a plan that is %s', (_, status, state, sentence) => {
    expect(planResult(status, now, localization)).toMatchObject({ state, sentence })
  })

  test.each([
    ['is being asked for', undefined, 'pending', /on its way/],
    ['waits', email({}), 'pending', /on its way/],
    [
      'waits for a reason',
      email({ reason: 'The mail server is busy.' }),
      'attention',
      /is delayed. The mail server is busy/,
    ],
    ['was accepted', email({ state: 'sent', sent_at: sentAt }), 'ok', /accepted the test email at .*me@example.com/],
    ['is a file', email({ state: 'sent', sent_at: sentAt, mail: 'outbox' }), 'attention', /outbox folder/],
    ['failed', email({ state: 'failed', reason: 'No such mailbox.' }), 'attention', /not accepted. No such mailbox/],
    ['failed for no known reason', email({ state: 'failed' }), 'attention', /Ask the person who runs this site/],
  ] as const)('a test email that %s', (_, given, state, sentence) => {
    const result = emailResult(given, 'me@example.com', localization)
    expect([result.state, result.sentence]).toEqual([state, expect.stringMatching(sentence)])
  })
})
