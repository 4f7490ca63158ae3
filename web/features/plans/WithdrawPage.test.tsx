import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { siteInfo } from '@keepsnap/contract/site.ts'
import { makeWithdrawal, withdrawalOffer, type WithdrawalOffer } from '@keepsnap/contract/withdrawals.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { sampleContract, sampleSiteInfo, subscribed } from '../../test/samples.ts'

const madeAt = '2026-11-22T20:47:12.000Z'
const offer: WithdrawalOffer = { name: 'Sofie', email: 'sofie@example.com', contract: sampleContract, made: null }
let received: { body: unknown; by: string | null; query: unknown }[]
const server = useFakeServer((server) => {
  received = []
  server.answer(withdrawalOffer, () => offer)
  server.answer(makeWithdrawal, ({ body, query, user }) => {
    received.push({ body, query, by: user?.id ?? null })
    const isOwn = user !== null && body.contract_id !== undefined
    const outcome = isOwn ? ('accepted' as const) : ('email' as const)
    return { made_at: madeAt, outcome, refunded_cents: isOwn ? 1499 : null, until: null }
  })
})

const at = '/withdraw'
const sofie = () => server.addUser({ id: 'sofie', username: 'Sofie', email: 'sofie@example.com' }).token
const press = (name: string) => screen.findByRole('button', { name })
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
type Person = Awaited<ReturnType<typeof visit>>['person']
async function fillIn(person: Person, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await person.click(await field(label))
    await person.paste(value)
  }
}
const typed = { Name: 'Ann', Email: 'ann@example.com', 'Which contract': 'Pro Yearly of last week' }

test('who is signed in confirms what is filled in, and reads when it was made and what was paid back', async () => {
  const { person } = await visit(server, { at, token: sofie() })
  expect([(await field('Name')).value, (await field('Email')).value]).toEqual(['Sofie', 'sofie@example.com'])
  // Days of the law are Belgian ones.
  expect(screen.getByText('November 21, 2026')).toBeVisible()
  expect(screen.getByText('December 7, 2026')).toBeVisible()
  await person.click(await press('Withdraw from contract'))
  const heading = await screen.findByRole('heading', { name: 'Confirm your withdrawal' })
  await waitFor(() => expect(heading).toHaveFocus())
  const contract = 'Pro Monthly, made on November 21, 2026, invoice KS-0007'
  expect(screen.getByText(contract)).toBeVisible()
  expect(received).toEqual([])
  await person.dblClick(await press('Confirm withdrawal'))
  const made = await screen.findByText(/^Your withdrawal was made on /)
  const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long' }).format(new Date(madeAt))
  expect(made).toHaveTextContent(`Your withdrawal was made on ${moment}.`)
  expect(screen.getByText(/^Your paid plan has ended\. We have paid back \$14\.99/)).toBeVisible()
  const body = { name: 'Sofie', email: 'sofie@example.com', contract, contract_id: 'in_1' }
  expect(received).toEqual([{ body, query: { lang: 'en' }, by: 'sofie' }])
})

test('a visitor says who they are and which contract; what is wrong stands beside its field', async () => {
  const { person } = await visit(server, { at })
  await person.click(await press('Withdraw from contract'))
  expect(await field('Name')).toHaveFocus()
  expect(await field('Name')).toHaveAccessibleDescription('Please enter your name')
  expect(await field('Which contract')).toHaveAccessibleDescription(/^Please say which contract/)
  await fillIn(person, { ...typed, Email: 'ann@nowhere.invalid' })
  await person.click(await press('Withdraw from contract'))
  await person.click(await press('Go back'))
  expect((await field('Which contract')).value).toBe('Pro Yearly of last week')
  await waitFor(async () => expect(await press('Withdraw from contract')).toHaveFocus())
  // Only the server finds some invalid domains.
  const loc = ['body', 'email']
  server.answer(makeWithdrawal, () => refuse(422, [{ loc, msg: 'Please enter a valid email address' }], 'invalid'))
  await person.click(await press('Withdraw from contract'))
  await person.click(await press('Confirm withdrawal'))
  await waitFor(async () => expect(await field('Email')).toBeInvalid())
  expect(await field('Email')).toHaveFocus()
})

test('the answer to a visitor says what follows; after a failure nothing is lost, and an email counts as well', async () => {
  const { person } = await visit(server, { at })
  await fillIn(person, typed)
  await person.click(await press('Withdraw from contract'))
  server.answer(makeWithdrawal, () => refuse(429, 'Rate limit exceeded', 'rate_limited'))
  await person.click(await press('Confirm withdrawal'))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent(
    /^Your withdrawal has not been made\. Too many requests\. .*What you entered is still here\./,
  )
  expect(alert).toHaveTextContent(`Write to ${sampleSiteInfo.support_email}.`)
  server.answer(makeWithdrawal, () => ({
    made_at: madeAt,
    outcome: 'email' as const,
    refunded_cents: null,
    until: null,
  }))
  await person.click(await press('Confirm withdrawal'))
  expect(await screen.findByText(/^The receipt says what follows\./)).toBeVisible()
  expect(screen.getByText(/is on its way to/)).toHaveTextContent('ann@example.com')
})

test('after the 14 days, the page leads to the money back that is left', async () => {
  server.answer(withdrawalOffer, () => ({ ...offer, contract: { ...sampleContract, is_over: true } }))
  server.answer(subscriptionStatus, () => ({
    ...subscribed('pro_monthly'),
    refundable_until: '2026-12-20T12:00:00.000Z',
  }))
  const { person } = await visit(server, { at, token: sofie() })
  const note = await screen.findByText(/^The 14 days for this contract were over on December 7, 2026\./)
  await waitFor(() => expect(note).toHaveTextContent('Until December 20, 2026 you can still ask for your money back'))
  expect(screen.getByRole('link', { name: 'Open Settings' })).toHaveAttribute('href', '/settings#plan')
  // Another contract is said in words.
  await person.click(await press('Withdraw from another contract'))
  await fillIn(person, { 'Which contract': 'Invoice KS-0001' })
  await person.click(await press('Withdraw from contract'))
  await person.click(await press('Confirm withdrawal'))
  await screen.findByText(/^The receipt says what follows\./)
  expect(received).toMatchObject([{ body: { contract: 'Invoice KS-0001' } }])
  expect(received[0]!.body).not.toHaveProperty('contract_id')
})

test('without a contract, or when it cannot be loaded, any contract can be named', async () => {
  server.answer(withdrawalOffer, () => refuse(503, 'Down', 'unavailable'))
  const { state } = await visit(server, { at, token: sofie() })
  expect(await screen.findByText(/^Your contract couldn’t be loaded\./)).toBeVisible()
  expect(await field('Which contract')).toBeVisible()
  server.answer(withdrawalOffer, () => ({ ...offer, contract: null }))
  await state.queryClient.invalidateQueries()
  expect(await screen.findByText(/^Your account has no paid contract now\./)).toBeVisible()
  expect(await field('Which contract')).toBeVisible()
})

test('where plans are not sold there is no such page, and no link to it in the footer', async () => {
  server.answer(siteInfo, () => ({ ...sampleSiteInfo, payments: 'off' as const }))
  await visit(server, { at, withFrame: true })
  expect(await screen.findByRole('heading', { level: 1, name: 'This page isn’t in the album' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Withdraw from contract here' })).toBeNull()
})

test('the footer leads to it, for everybody', async () => {
  const { person, where } = await visit(server, { at: '/about', withFrame: true })
  await person.click(await screen.findByRole('link', { name: 'Withdraw from contract here' }))
  await screen.findByRole('heading', { level: 1, name: 'Withdraw from contract' })
  expect(where()).toBe(at)
})
