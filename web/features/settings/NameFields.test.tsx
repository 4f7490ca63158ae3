import { updateSettings } from '@keepsnap/contract/settings.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refuse, startFakeServer, type FakeServer, type ErrorReply } from '../../test/fake-server.ts'
import { supportedValuesOf } from '../../test/few-time-zones.ts'
import { openSettings, serveSettings } from '../../test/settings-page.ts'

let server: FakeServer
let saved: object[]
beforeEach(async () => {
  server = await startFakeServer()
  ;({ saved } = serveSettings(server))
})
afterEach(() => {
  vi.useRealTimers()
  return server.close()
})

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
  await waitFor(() => expect(saved).toEqual([{ brand_name: 'Studio Sofie' }, { brand_name: null }]))
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
  await waitFor(() => expect(saved).toEqual([{ time_zone: 'America/New_York' }, { time_zone: null }]))
})

test('every time zone of the browser can be chosen', async () => {
  vi.spyOn(Intl, 'supportedValuesOf').mockImplementation(supportedValuesOf)
  await openSettings(server)
  const zones = await screen.findByLabelText('Time zone')
  expect(zones.querySelectorAll('option').length).toBeGreaterThan(400)
  for (const name of ['America/Los Angeles', 'Asia/Tokyo', 'Pacific/Auckland'])
    expect(within(zones).getByText(name)).toBeInTheDocument()
})

test('a time zone that is chosen with the keyboard is saved once, when the choice has ended', async () => {
  const { person } = await openSettings(server)
  const zones = await screen.findByLabelText('Time zone')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  act(() => zones.focus())
  // happy-dom does not change a select by arrow keys.
  const choose = async (zone: string) => {
    fireEvent.keyDown(zones, { key: 'ArrowDown' })
    fireEvent.change(zones, { target: { value: zone } })
    expect(zones).toHaveValue(zone)
    await act(() => vi.advanceTimersByTimeAsync(500))
  }
  for (const zone of ['Africa/Abidjan', 'Africa/Accra', 'Africa/Algiers']) await choose(zone)
  expect(saved).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  await waitFor(() => expect(saved).toEqual([{ time_zone: 'Africa/Algiers' }]))
  await choose('Africa/Asmera')
  await person.tab()
  await waitFor(() => expect(saved).toHaveLength(2))
})

test('the saved time zone is saved again when it is chosen while another one is being saved', async () => {
  let answer = (): void => {}
  const zonesSaved: unknown[] = []
  server.answer(updateSettings, ({ body, user }) => {
    zonesSaved.push(body.time_zone)
    const updated = Object.assign(user!, body)
    return zonesSaved.length > 1 ? updated : new Promise((resolve) => (answer = () => resolve({ ...updated })))
  })
  const { person } = await openSettings(server, { time_zone: 'Europe/Paris' })
  const zones = await screen.findByLabelText('Time zone')
  await person.selectOptions(zones, 'America/New_York')
  await screen.findByText('Saving...')
  await waitFor(() => expect(zonesSaved).toEqual(['America/New_York']))
  act(() => zones.focus())
  for (const zone of ['Africa/Accra', 'Europe/Paris']) {
    fireEvent.keyDown(zones, { key: 'ArrowDown' })
    fireEvent.change(zones, { target: { value: zone } })
    expect(screen.getByText('Saving...')).toBeVisible()
  }
  await person.tab()
  act(() => answer())
  await waitFor(() => expect(zonesSaved).toEqual(['America/New_York', 'Europe/Paris']))
  await waitFor(() => expect(screen.queryByText('Saving...')).toBeNull())
  expect(zones).toHaveValue('Europe/Paris')
})

test('a time zone that cannot be saved is shown while it is being saved, and the saved one returns with the reason', async () => {
  const answer = Promise.withResolvers<ErrorReply>()
  server.answer(updateSettings, () => answer.promise)
  const { person } = await openSettings(server, { time_zone: 'Europe/Paris' })
  const zones = await screen.findByLabelText('Time zone')
  await person.selectOptions(zones, 'America/New_York')
  expect(await screen.findByText('Saving...')).toBeVisible()
  expect(zones).toHaveValue('America/New_York')
  answer.resolve(refuse(422, [{ loc: ['body', 'time_zone'], msg: 'No such zone' }]))
  expect(await screen.findByText('No such zone')).toBeVisible()
  expect(zones).toHaveValue('Europe/Paris')
  expect(screen.queryByText('Saving...')).toBeNull()
})
