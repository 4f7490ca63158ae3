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

test.each([
  ['', 'Please enter your email address'],
  ['lotte', 'Enter a full address'],
  ['lotte@example', 'The address is missing its ending, such as .com'],
  ['a@example.com, b@example.com', 'Please enter one address only'],
  ['lot te@example.com', 'contains a space'],
  ['löttë@example.com', "characters that aren't allowed"],
  [`${'a'.repeat(260)}@example.com`, 'too long'],
  ['lotte..j@example.com', "doesn't look like"],
])('does not send %j but shows the error at the focused field', (email, sentence) => {
  open(request())
  submit(email)
  expect(error()).toContain(sentence)
  expect([document.activeElement, field().getAttribute('aria-invalid')]).toEqual([field(), 'true'])
  expect(server.calls).toEqual([])
})

test('shows the address of an accepted request and moves the focus there', async () => {
  server.answer(json(200, { detail: 'yes' }))
  open(request())
  submit('  lotte@example.com ')
  await eventually(() => expect(sent().hidden).toBe(false))
  const path = `/photos/${photo.id}/request-email`
  expect(server.calls).toEqual([{ path, body: { email: 'lotte@example.com', website: '', language: 'en' } }])
  expect(sent().textContent).toContain('lotte@example.com')
  expect([form().hidden, document.activeElement]).toEqual([true, sent().querySelector('h1')])
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

test('sends the honeypot field that a bot has filled in', async () => {
  server.answer(json(200, {}))
  open(request())
  document.querySelector<HTMLInputElement>('[name=website]')!.value = 'http://spam.example'
  submit('lotte@example.com')
  await eventually(() => expect(sent().hidden).toBe(false))
  expect(server.calls[0]?.body).toEqual({ email: 'lotte@example.com', website: 'http://spam.example', language: 'en' })
})

test('sends once after two clicks and shows progress on the button', async () => {
  const late = Promise.withResolvers<Response>()
  server.answer(late.promise)
  open(request())
  submit('lotte@example.com')
  submit()
  const button = form().querySelector('.btn--primary')!
  expect([button.getAttribute('aria-busy'), button.textContent, field().readOnly]).toEqual(['true', 'Sending', true])
  late.resolve(json(200, {}))
  await eventually(() => expect(sent().hidden).toBe(false))
  expect(server.calls).toHaveLength(1)
  expect([button.getAttribute('aria-busy'), button.textContent]).toEqual([null, 'Send Photo'])
})

test('offers an empty form after "Send to another address"', async () => {
  server.answer(json(200, {}))
  open(request())
  submit('lotte@example.com')
  await eventually(() => expect(sent().hidden).toBe(false))
  sent().querySelector<HTMLElement>('[data-another]')!.click()
  expect([sent().hidden, form().hidden, field().value, document.activeElement]).toEqual([true, false, '', field()])
  submit('bram@example.com')
  await eventually(() => expect(sent().textContent).toContain('bram@example.com'))
})

const failed = 'Failed to submit request. Please try again later.'
test.each([
  ['a server error', json(500, { detail: 'Internal problem' }), failed],
  ['a rejected request', json(429, { detail: 'Too many emails.' }), `${failed} Too many emails.`],
  ['an answer that is not JSON', new Response('<html>', { status: 502 }), failed],
  ['no answer', null, failed],
])('keeps the address and shows the failure after %s', async (_, answer, sentence) => {
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

test('says that the device is offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  server.answer(null)
  open(request())
  submit('lotte@example.com')
  await eventually(() =>
    expect(failure()).toBe(`${failed} You seem to be offline. Check your connection and try again.`),
  )
})

test("shows the server's error about the address at the field", async () => {
  server.answer(json(422, { code: 'invalid', detail: [{ loc: ['body', 'email'], msg: 'No mailbox there' }] }))
  open(request())
  submit('lotte@example.com')
  await eventually(() => expect(error()).toBe('No mailbox there'))
  expect([failure(), document.activeElement]).toEqual([failed, field()])
})
