import { apiDocument } from '@keepsnap/contract/integrations.ts'
import { createApiDocument } from '../../../server/features/integrations/openapi.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { noResponse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'

const apiDescription = () => createApiDocument('https://public.example') as never // bytes, which the fake server writes as JSON
const server = useFakeServer(() => server.answer(apiDocument, apiDescription))

async function open(at = '/api-docs') {
  const page = await visit(server, { at })
  await screen.findByRole('heading', { level: 2, name: 'Quick start' })
  return page
}
/** The details of a call or an event. */
const part = (id: string): HTMLDetailsElement => {
  const element = document.getElementById(id)
  if (!(element instanceof HTMLDetailsElement)) throw new Error(`${id} has no details`)
  return element
}

test('lists every call and event, and says which plan has access', async () => {
  await open()
  expect(document.querySelector('header.page-head')).toHaveTextContent('API access needs Pro Yearly.')
  expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/pricing')
  expect(Array.from(document.querySelectorAll('details.api-call'), ({ id }) => id)).toEqual([
    'post-api-upload',
    'get-api-photos',
    'get-api-photos-latest',
    'get-user-me',
    'get-health',
    'get-api-admin-users',
    'get-api-admin-stats',
    'get-api-admin-users-user_id',
    'photo-ready',
    'photo-failed',
    'photo-deleted',
    'request-created',
    'webhook-test',
  ])
  const errors = within(screen.getByRole('table', { name: 'Errors' }))
  for (const sentence of [
    'Invalid or missing API key',
    'API access not available with your current subscription',
    'Rate limit exceeded',
  ])
    expect(errors.getByText(sentence)).toBeVisible()
  const limits = within(screen.getByRole('table', { name: 'Rate limits' }))
  expect(limits.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'CallsPer minuteCounted',
    'Authentication10per client: an IPv4 address, or an IPv6 /64 network',
    'Photo access100per API key',
    'Admin50per admin key',
  ])
})

test('shows samples with the address of the reader, in the chosen language; they and links to calls can be copied', async () => {
  const { person } = await open()
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => {})
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard) // the part that is used
  const call = within(part('post-api-upload'))
  await person.click(call.getByRole('button', { name: 'Copy: curl' }))
  await person.click(call.getByRole('button', { name: 'Copy: the link to POST /api/upload' }))
  expect(writeText.mock.calls).toEqual([
    [expect.stringMatching(/^curl [^]*\/api\/upload$/)],
    ['http://keepsnap.test/api-docs#post-api-upload'],
  ])
  const sample = (): string => part('post-api-upload').querySelector('.code')?.textContent ?? ''
  expect(sample()).toContain(`${server.origin}/api/upload`)
  expect(sample()).toMatch(/^curl /)
  await person.click(screen.getByRole('radio', { name: 'TypeScript' }))
  expect(sample()).toContain(`fetch("${server.origin}/api/upload"`)
  expect(document.body).not.toHaveTextContent('public.example')
  expect(part('get-api-photos')).toHaveTextContent('integer, 1 to 50, default 50')
})

test('can be loaded again after a failure, and a link to a call opens it and scrolls to it', async () => {
  const scrolledTo: string[] = []
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolledTo.push(this.id)
  })
  server.answer(apiDocument, () => noResponse)
  const { person } = await visit(server, { at: '/api-docs#get-api-photos-latest' })
  expect(await screen.findByRole('alert')).toHaveTextContent('The documentation couldn’t be loaded.')
  server.answer(apiDocument, apiDescription)
  await person.click(screen.getByRole('button', { name: 'Try Again' }))
  await waitFor(() => expect(part('get-api-photos-latest').open).toBe(true))
  expect(part('get-api-photos').open).toBe(false)
  expect(scrolledTo).toContain('get-api-photos-latest')
  await person.click(screen.getByRole('link', { name: 'Link to this section: GET /user/me' }))
  await waitFor(() => expect(part('get-user-me').open).toBe(true))
})
