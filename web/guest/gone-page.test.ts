import { expect, test } from 'vitest'
import { frame, renderer } from './test/samples.ts'

const unavailablePage = (isAnswerToForm: boolean): string =>
  renderer.renderGuestPage({ page: 'gone', why: 'unavailable' }, { ...frame, hasLanguageLinks: !isAnswerToForm })

test('a page of a temporary failure loads again by itself', () => {
  const html = unavailablePage(false)
  expect(html).toContain('<meta http-equiv="refresh"')
  expect(html).toContain('it loads again by itself')
})

test('as the answer to a form, it asks to send the form again, and does not load again', () => {
  const html = unavailablePage(true)
  expect(html).not.toContain('http-equiv="refresh"')
  expect(html).toContain('Please go back and send it again in a minute.')
  expect(html).not.toContain('by itself')
})
