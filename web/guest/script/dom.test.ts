import { beforeEach, expect, test } from 'vitest'
import { dataAttribute, getElement, onSubmit, showBusy } from './dom.ts'

beforeEach(() => {
  document.body.innerHTML = '<form><button data-busy="Sending …"><span data-label>Send</span></button></form>'
})

test('a busy button has a spinner and another label until it is finished', () => {
  const button = getElement(document, 'button')
  const stopBusy = showBusy(button)
  expect([button.getAttribute('aria-busy'), button.textContent]).toEqual(['true', 'Sending …'])
  expect(button.querySelector('.spin')).not.toBeNull()
  stopBusy()
  expect([button.getAttribute('aria-busy'), button.textContent]).toEqual([null, 'Send'])
  expect(button.querySelector('.spin')).toBeNull()
  expect(dataAttribute(button, 'missing')).toBe('')
})

test('a form is not submitted again while its action runs', async () => {
  const form = document.querySelector('form')!
  const finish: (() => void)[] = []
  onSubmit(form, () => new Promise((resolve) => finish.push(resolve)))
  const submit = () => form.dispatchEvent(new Event('submit', { cancelable: true }))
  submit()
  submit()
  expect(finish).toHaveLength(1)
  finish[0]?.()
  await new Promise((resolve) => setTimeout(resolve))
  submit()
  expect(finish).toHaveLength(2)
})
