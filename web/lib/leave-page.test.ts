import { expect, test, vi } from 'vitest'
import { leavePage } from './leave-page.ts'

test.each([
  ['https://pay.example/c/1', 'https://pay.example/c/1'],
  ['/demo-checkout/1', 'http://keepsnap.test/demo-checkout/1'],
])('opens %s', (address, opened) => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  leavePage(address)
  expect(assign).toHaveBeenCalledWith(opened)
})

test.each(['javascript:alert(1)', 'data:text/html,x'])('refuses %s', (address) => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  expect(() => leavePage(address)).toThrow('is not the scheme of a web page')
  expect(assign).not.toHaveBeenCalled()
})
