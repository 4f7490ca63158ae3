import { expect, test } from 'vitest'
import { plans } from '@keepsnap/contract/plans.ts'
import { checkout, show } from './test/samples.ts'

const formsOf = (main: HTMLElement) => Array.from(main.querySelectorAll('form'))
const radio = (value: string) => document.querySelector<HTMLInputElement>(`input[type=radio][value=${value}]`)

test('a form posts the outcome to its own address, without a script', () => {
  const [pay, cancel] = formsOf(show(checkout()))
  for (const form of [pay, cancel])
    expect([form?.method, form?.getAttribute('action')]).toEqual(['post', '/demo-checkout/demo_cs_1'])
  expect(new FormData(pay).getAll('outcome')).toEqual(['succeed'])
  expect(new FormData(cancel).getAll('outcome')).toEqual(['cancel'])
  radio('decline')!.checked = true
  expect(new FormData(pay).getAll('outcome')).toEqual(['decline'])
  expect(document.querySelector('script')).toBeNull()
})

test('after a refusal, the reason is announced and the card that was declined is still chosen', () => {
  const main = show(checkout({ state: 'declined' }))
  expect(main.querySelector('[role=alert]')?.matches('[autofocus][tabindex="-1"]')).toBe(true)
  expect(main.querySelector('[role=alert]')?.textContent).toMatch(/^The card was declined\. Nothing was charged/)
  expect([radio('decline')?.checked, radio('succeed')?.checked]).toEqual([true, false])
  expect(show(checkout()).querySelector('[role=alert]')).toBeNull()
})

test('the demo banner is the first element, and the back button outside of the form cancels', () => {
  const main = show(checkout())
  expect(document.body.firstElementChild?.textContent).toMatch(/^Demo: no money moves/)
  const back = document.querySelector<HTMLButtonElement>('header button')
  expect([back?.textContent, back?.form === formsOf(main)[1]]).toEqual(['Back to Keepsnap', true])
})

test.each(['pro_monthly', 'pro_yearly'] as const)('the total of %s is its price', (plan) => {
  const price = `$${(plans[plan].price_cents / 100).toFixed(2)}`
  const main = show(checkout({ plan }))
  expect(Array.from(main.querySelectorAll('dd'), (one) => one.textContent)).toEqual([price, '$0.00', price])
  expect(main.textContent).toContain('All prices include VAT where it is due.')
  expect(main.querySelector('form button')?.textContent).toBe(`Pay ${price} (demo)`)
})

test.each([
  ['paid', 'Go to Settings'],
  ['expired', 'View Pricing Plans'],
  ['unknown', 'View Pricing Plans'],
] as const)('the page of a checkout that is %s leads on', (why, next) => {
  const main = show({ page: 'demo-checkout-ended', why })
  expect(main.querySelector('form')).toBeNull()
  expect(main.querySelector('.btn--primary')?.textContent).toBe(next)
  const links = Array.from(main.querySelectorAll('.btn'), (one) => one.getAttribute('href'))
  expect(new Set(links)).toEqual(new Set(['/pricing', '/settings']))
})
