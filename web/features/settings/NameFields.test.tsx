import { updateSettings } from '@keepsnap/contract/settings.ts'
import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refuse, startFakeServer, type FakeServer } from '../../test/fake-server.ts'
import { openSettings, serveSettings } from '../../test/settings-page.ts'

let server: FakeServer
let saved: object[]
beforeEach(async () => {
  server = await startFakeServer()
  ;({ saved } = serveSettings(server))
})
afterEach(() => server.close())

const saveButton = (label: string) => screen.findByRole('button', { name: `Save: ${label}` })

test('the username is changed, and shown in the account menu', async () => {
  const { person } = await openSettings(server)
  const field = await screen.findByLabelText('Username')
  expect(field).toHaveValue('marjolein')
  expect(field).toHaveAccessibleDescription('Only you and the admins of this site see it.')
  await person.clear(field)
  await person.click(await saveButton('Username'))
  expect(await screen.findByText('Please enter a name')).toBeVisible()
  expect(field).toHaveFocus()
  await person.type(field, ' Marjolein  V. {Enter}')
  expect(await screen.findByText('Username updated successfully')).toBeVisible()
  expect(saved).toEqual([{ username: 'Marjolein V.' }])
  expect(field).toHaveValue('Marjolein V.')
})

test('the brand name is checked before it is saved, and removed when it is empty', async () => {
  const { person } = await openSettings(server, { email_verified: false })
  const field = await screen.findByLabelText('Brand name (optional)')
  expect(field).toHaveAccessibleDescription(expect.stringContaining('once your email address is confirmed'))
  await person.type(field, 'www.sofie.example{Enter}')
  expect(await screen.findByText(/cannot contain a link/)).toBeVisible()
  expect(saved).toEqual([])
  await person.clear(field)
  await person.type(field, 'Studio Sofie{Enter}')
  expect(await screen.findByText('Brand name updated successfully')).toBeVisible()
  await person.clear(field)
  await person.click(await saveButton('Brand name (optional)'))
  await screen.findByText('Brand name updated successfully')
  expect(saved).toEqual([{ brand_name: 'Studio Sofie' }, { brand_name: null }])
})

test('a refusal of the server stays beside the field until it is edited', async () => {
  server.answer(updateSettings, () => refuse(422, [{ loc: ['body', 'brand_name'], msg: 'Not this one' }]))
  const { person } = await openSettings(server)
  const field = await screen.findByLabelText('Brand name (optional)')
  await person.type(field, 'Studio{Enter}')
  expect(await screen.findByText('Not this one')).toBeVisible()
  expect(field).toHaveValue('Studio')
  await person.type(field, 's')
  expect(screen.queryByText('Not this one')).toBeNull()
})

test('the time zone is saved when it is chosen; without one, the server’s applies', async () => {
  const { person } = await openSettings(server)
  const zones = await screen.findByLabelText('Time zone')
  expect(within(zones).getByRole('option', { selected: true })).toHaveTextContent('The server’s time zone')
  await person.selectOptions(zones, 'America/New_York')
  expect(await screen.findByText('Time zone updated successfully')).toBeVisible()
  expect(zones).toHaveValue('America/New_York')
  await person.selectOptions(zones, '')
  await screen.findByText('Time zone updated successfully')
  expect(saved).toEqual([{ time_zone: 'America/New_York' }, { time_zone: null }])
})
