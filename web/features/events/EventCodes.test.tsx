import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createEventCodes, type EventCode, listEventCodes, revokeEventCode } from '@keepsnap/contract/event-guests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { EventCodes } from './EventCodes.tsx'

const server = useFakeServer()
const event = { id: 'event', name: 'Lotte & Bram', gallery: 'off', guest_photos: 'off' } as Event // what the card reads
const code = (name: string, label = ''): EventCode => ({
  code: name,
  kind: label === '' ? 'event' : 'table',
  label,
  url: `https://fotos.example/e/${name}`,
  image_url: `https://fotos.example/qr/e/${name}`,
  created_at: '2026-11-14T21:00:00Z',
})

test('the code is replaced after a question, tables are added by number and revoked, and refusals are shown', async () => {
  let codes = [code('first')]
  server.answer(listEventCodes, () => ({ codes }))
  server.answer(createEventCodes, ({ body: { kind, labels } }) => {
    if (labels?.includes('full'))
      return refuse(409, 'An event has at most 200 codes. Please revoke some of those for tables first.')
    codes =
      kind === 'event'
        ? [code('second'), ...codes.slice(1)]
        : [...codes, ...(labels ?? []).map((one) => code(one, one))]
    return { codes }
  })
  server.answer(revokeEventCode, ({ params }) => ({ codes: (codes = codes.filter((one) => one.code !== params.code)) }))
  const { token } = server.addUser()
  const { person } = await visit(server, { at: '/settings', token, part: () => <EventCodes event={event} /> })

  await screen.findByText('https://fotos.example/e/first')
  expect(screen.getByText(/^Guests see nothing yet/)).toBeTruthy()
  await person.click(screen.getByRole('button', { name: 'Replace code' }))
  await person.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Replace code' }))
  await screen.findByText('https://fotos.example/e/second')

  const count = screen.getByRole('spinbutton', { name: 'Number of tables' })
  await person.clear(count)
  await person.type(count, '2')
  await person.click(screen.getByRole('button', { name: 'Add tables' }))
  expect((await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual(['Table 1', 'Table 2'])
  expect(screen.getByRole('link', { name: 'Print the code of Table 2' }).getAttribute('href')).toContain('code=Table+2')
  await person.click(screen.getByRole('button', { name: 'Revoke the code of Table 1' }))
  await person.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Revoke' }))
  await screen.findByText('The code was revoked.')
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain('Table 2')

  await person.type(screen.getByRole('textbox', { name: 'Or one name' }), 'full')
  await person.click(screen.getByRole('button', { name: 'Add' }))
  await screen.findByText(/^An event has at most 200 codes/)
})
