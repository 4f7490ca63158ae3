import { expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { json, open, useFakeFetch } from '../test/fake-fetch.ts'
import { photo, request } from '../test/samples.ts'

const server = useFakeFetch()
const field = (): HTMLInputElement => document.querySelector('[name=email]')!
const form = (): HTMLFormElement => document.querySelector('form[data-request]')!
const submit = (email?: string): void => {
  if (email !== undefined) field().value = email
  form().dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
}
const error = (): string => (document.querySelector<HTMLElement>('.error:not([hidden])')?.textContent ?? '').trim()
const failure = (): string => document.querySelector('[data-failed]:not([hidden])')?.textContent ?? ''
const sent = (): HTMLElement => document.querySelector('[data-sent]')!

test('does not send what is not an address but shows the error at the focused field', () => {
  open(request())
  submit('lotte@example')
  expect(error()).toContain('The address is missing its ending, such as .com')
  expect([document.activeElement, field().getAttribute('aria-invalid')]).toEqual([field(), 'true'])
  expect(server.calls).toEqual([])
})

test('shows the address of an accepted request, moves the focus there, and offers an empty form for another', async () => {
  server.answer(json(200, { detail: 'yes' }))
  open(request())
  submit('  lotte@example.com ')
  await eventually(() => expect(sent().hidden).toBe(false))
  const path = `/photos/${photo.id}/request-email`
  expect(server.calls).toEqual([{ path, body: { email: 'lotte@example.com', website: '', language: 'en' } }])
  expect(sent().textContent).toContain('lotte@example.com')
  expect([form().hidden, document.activeElement]).toEqual([true, sent().querySelector('h1')])
  sent().querySelector<HTMLElement>('[data-another]')!.click()
  expect([sent().hidden, form().hidden, field().value, document.activeElement]).toEqual([true, false, '', field()])
  submit('bram@example.com')
  await eventually(() => expect(sent().textContent).toContain('bram@example.com'))
})

test('leaves the focus where the guest has gone on to meanwhile', async () => {
  const late = Promise.withResolvers<Response>()
  server.answer(late.promise)
  open(request())
  submit('lotte@example.com')
  document.querySelector('details')!.open = true
  const reason = document.querySelector<HTMLInputElement>('[name=reason]')!
  await eventually(() => expect(document.activeElement).toBe(reason))
  late.resolve(json(200, {}))
  await eventually(() => expect(sent().hidden).toBe(false))
  expect(document.activeElement).toBe(reason)
})

test('sends once after two clicks and shows progress on the button', async () => {
  const late = Promise.withResolvers<Response>()
  server.answer(late.promise)
  open(request())
  // A bot has filled in the honeypot field.
  document.querySelector<HTMLInputElement>('[name=website]')!.value = 'http://spam.example'
  submit('lotte@example.com')
  submit()
  const button = form().querySelector('.btn--primary')!
  expect([button.getAttribute('aria-busy'), button.textContent, field().readOnly]).toEqual(['true', 'Sending', true])
  late.resolve(json(200, {}))
  await eventually(() => expect(sent().hidden).toBe(false))
  const body = { email: 'lotte@example.com', website: 'http://spam.example', language: 'en' }
  expect(server.calls.map((call) => call.body)).toEqual([body])
  expect([button.getAttribute('aria-busy'), button.textContent]).toEqual([null, 'Send Photo'])
})

const failed = 'Failed to submit request. Please try again later.'
test.each([
  ['a server error', json(500, { detail: 'Internal problem' }), failed],
  ['a rejected request', json(429, { detail: 'Too many emails.' }), `${failed} Too many emails.`],
  ['an answer that is not JSON', new Response('<html>', { status: 502 }), failed],
  ['no answer', null, failed],
  ['being offline', null, `${failed} You seem to be offline. Check your connection and try again.`],
])('keeps the address and shows the failure after %s', async (after, answer, sentence) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(after !== 'being offline')
  server.answer(answer)
  open(request())
  submit('lotte@example.com')
  await eventually(() => expect(failure()).toBe(sentence))
  expect([field().value, field().readOnly, form().hidden]).toEqual(['lotte@example.com', false, false])
  expect(document.activeElement).toBe(document.querySelector('[data-failed]'))
  server.answer(json(200, {}))
  submit()
  await eventually(() => expect(sent().hidden).toBe(false))
})

test("shows the server's error about the address at the field", async () => {
  server.answer(json(422, { code: 'invalid', detail: [{ loc: ['body', 'email'], msg: 'No mailbox there' }] }))
  open(request())
  submit('lotte@example.com')
  await eventually(() => expect(error()).toBe('No mailbox there'))
  expect([failure(), document.activeElement]).toEqual([failed, field()])
})
