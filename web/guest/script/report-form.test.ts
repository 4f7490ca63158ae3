import { expect, test, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { json, open, useFakeFetch } from '../test/fake-fetch.ts'
import { photo, photoOnly } from '../test/samples.ts'

const server = useFakeFetch()
const report = (): HTMLFormElement => document.querySelector('form[data-report]')!
const thanks = (): HTMLElement => document.querySelector('[data-thanks]')!
const send = (reason: string, note = ''): void => {
  report().querySelector<HTMLInputElement>(`[value=${reason}]`)!.checked = true
  report().querySelector<HTMLTextAreaElement>('[name=note]')!.value = note
  report().dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
}

test('sends reason and note once and shows thanks', async () => {
  server.answer(json(200, {}))
  open(photoOnly())
  send('child', 'The girl in the middle')
  send('child', 'The girl in the middle')
  await eventually(() => expect(thanks().hidden).toBe(false))
  const body = { reason: 'child', note: 'The girl in the middle' }
  expect(server.calls).toEqual([{ path: `/photos/${photo.id}/report`, body }])
  expect([report().hidden, document.activeElement]).toEqual([true, thanks()])
})

test('omits an empty note and keeps the form after a failure', async () => {
  server.answer(null)
  open(photoOnly())
  send('me')
  await eventually(() => expect(document.activeElement?.textContent).toContain('The report couldn’t be sent.'))
  expect(server.calls[0]?.body).toEqual({ reason: 'me' })
  expect([report().hidden, thanks().hidden]).toEqual([false, true])
})

test('moves the focus into the form when it opens, and scrolls it into view', async () => {
  const scrolled = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
  open(photoOnly())
  document.querySelector('details')!.open = true
  await eventually(() => expect(document.activeElement).toBe(report().querySelector('[name=reason]')))
  expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' })
})

test('without a reason it says so itself, keeps the note and sends nothing', async () => {
  open(photoOnly())
  const missing = report().querySelector<HTMLElement>('.error')!
  expect([report().noValidate, missing.hidden]).toEqual([true, true])
  report().querySelector<HTMLTextAreaElement>('[name=note]')!.value = 'The girl in the middle'
  report().dispatchEvent(new Event('submit', { cancelable: true, bubbles: true }))
  await eventually(() => expect(missing.hidden).toBe(false))
  expect([missing.textContent, document.activeElement]).toEqual([
    'Please choose a reason.',
    report().querySelector('[name=reason]'),
  ])
  expect(server.calls).toEqual([])
  report().dispatchEvent(new Event('change'))
  expect(missing.hidden).toBe(true)
  expect(report().querySelector<HTMLTextAreaElement>('[name=note]')!.value).toBe('The girl in the middle')
})
