import { createTestCode, getTestEmail, sendTestEmail, type TestEmail } from '@keepsnap/contract/readiness.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { ReadinessSection } from '../../pages/ReadinessSection.tsx'
import { openPart, serveSettings } from '../../test/settings-page.tsx'

const email = (fields: Partial<TestEmail> = {}): TestEmail => ({
  state: 'sent',
  asked_at: '2026-12-01T12:00:00.000Z',
  sent_at: '2026-12-01T12:00:05.000Z',
  reason: null,
  mail: 'smtp',
  ...fields,
})
const server = useFakeServer((server) => {
  serveSettings(server)
  server.answer(sendTestEmail, () => email({ state: 'queued', sent_at: null }))
  server.answer(getTestEmail, () => email())
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

test('where emails are kept as files, it says so', async () => {
  for (const call of [sendTestEmail, getTestEmail]) server.answer(call, () => email({ mail: 'outbox' }))
  await openAndStart()
  await waitFor(async () =>
    expect(await line('Emails')).toHaveTextContent(/Needs attention: Saved to the server’s outbox folder/),
  )
})
