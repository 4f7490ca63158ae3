import { type Business, getBusiness, removeBusiness, setBusiness } from '@keepsnap/contract/businesses.ts'
import { subscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { samplePlanStatus } from '../../test/samples.ts'
import { openPart, serveSettings } from '../../test/render.tsx'
import { PlanOverview } from './PlanOverview.tsx'

const server = useFakeServer(() => serveSettings(server))

const business: Business = {
  name: 'Fotohuis BV',
  vat_number: 'BE0123456749',
  street: 'Korenmarkt 1',
  postal_code: '9000',
  city: 'Gent',
  country: 'BE',
}
async function open() {
  const { part, person } = await openPart(server, ({ user }) => <PlanOverview user={user} />, {})
  const press = async (name: string) => person.click(await part.findByRole('button', { name }))
  const dialog = () => within(screen.getByRole('dialog', { name: 'Business details' }))
  const type = async (label: string, text: string) => {
    // Keeps the focus there.
    await person.clear(dialog().getByLabelText(label))
    await person.paste(text)
  }
  return { part, person, press, dialog, type }
}

test('a business is added: what is wrong is said first, and what the provider refuses keeps the form', async () => {
  let answer: 'refused' | 'saved' = 'refused'
  const bodies: unknown[] = []
  server.answer(setBusiness, ({ body }) => {
    bodies.push(body)
    return answer === 'refused' ? refuse(422, [{ loc: ['body', 'vat_number'], msg: 'no' }], 'invalid') : { business }
  })
  const { part, person, press, dialog, type } = await open()
  await press('Add business details')
  await type('VAT number', 'be 0123.456.748')
  const save = () => person.click(dialog().getByRole('button', { name: 'Save' }))
  await save()
  expect(dialog().getByText('Please enter the name of the company')).toBeVisible()
  expect(dialog().getByText(/its check digits do not match/)).toBeVisible()
  expect(dialog().getByLabelText('Company name')).toHaveFocus()
  for (const [label, text] of [
    ['Company name', ' Fotohuis  BV'],
    ['VAT number', 'be 0123.456.749'],
    ['Street and number', 'Korenmarkt 1'],
    ['Postal code', '9000'],
    ['City', 'Gent'],
  ] as const)
    await type(label, text)
  await save()
  expect(await dialog().findByText(/payment provider does not accept this VAT number/)).toBeVisible()
  expect(dialog().getByLabelText('City')).toHaveValue('Gent')
  answer = 'saved'
  await save()
  expect(await part.findByText('Saved. Invoices from now on name your company.')).toBeVisible()
  expect(part.getByText('Korenmarkt 1, 9000 Gent, Belgium')).toBeVisible()
  const { country: _, ...sent } = business
  expect(bodies).toEqual([sent, sent])
})

test('a business that is not complete, or not known to the provider yet, says so; it can be removed', async () => {
  server.answer(getBusiness, () => ({ business: { ...business, street: '' }, is_pending: true }))
  server.answer(removeBusiness, () => ({ business: null }))
  const { part, person, press } = await open()
  expect(await part.findByText(/^The address is not complete/)).toBeVisible()
  expect(part.getByText(/can’t be reached right now/)).toBeVisible()
  await press('Remove business details')
  const dialog = within(screen.getByRole('alertdialog'))
  await person.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await part.findByText('Removed. Invoices from now on name no company.')).toBeVisible()
  expect(part.getByRole('button', { name: 'Add business details' })).toBeVisible()
})

test('details that cannot be loaded can be asked for again', async () => {
  server.answer(getBusiness, () => refuse(404, 'Not found', 'not_found'))
  const { part, press } = await open()
  expect(await part.findByText('Failed to load your business details.')).toBeVisible()
  server.answer(getBusiness, () => ({ business }))
  await press('Try Again')
  expect(await part.findByText('Fotohuis BV')).toBeVisible()
})

test('where plans are not sold there are none', async () => {
  server.answer(subscriptionStatus, () => ({ ...samplePlanStatus(1), payments: 'off' as const }))
  const { part } = await open()
  expect(await part.findByText(/^This site doesn’t sell plans/)).toBeVisible()
  expect(part.queryByText('Business details')).toBeNull()
})
