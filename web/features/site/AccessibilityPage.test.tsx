import { siteInfo } from '@keepsnap/contract/site.ts'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { en } from '../../messages/en.ts'
import { useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { sampleSiteInfo } from '../../test/samples.ts'
import { clauseOf, criteria } from './accessibility.ts'

const server = useFakeServer()

test('the statement has each criterion of WCAG 2.2 at levels A and AA once, in order, with its clause and how it was tested', () => {
  const numbers = criteria.map(({ number }) => number)
  const inOrder = numbers.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  expect(numbers).toEqual(inOrder)
  expect(numbers).toEqual(Object.keys(en.accessibility.criteria))
  expect([numbers.length, new Set(numbers).size]).toEqual([55, 55])
  const ofLevel = (level: string): number => criteria.filter((criterion) => criterion.level === level).length
  expect([ofLevel('A'), ofLevel('AA')]).toEqual([31, 24])
  expect(criteria.filter((criterion) => clauseOf(criterion) === null)).toHaveLength(6)
  for (const { number, result, axe = [], tests = [], byHand = [] } of criteria) {
    const isTested = axe.length + tests.length + byHand.length > 0
    expect([number, isTested]).toEqual([number, result === 'passed' || result === 'failed'])
  }
})

test('the footer leads to the statement, which says what is not met and why, and whom to tell', async () => {
  const { person } = await visit(server, { withFrame: true, at: '/login' })
  const footer = await screen.findByRole('navigation', { name: 'Footer' })
  await person.click(within(footer).getByRole('link', { name: 'Accessibility' }))
  const problems = await screen.findByRole('region', { name: 'What is not met' })
  expect(problems).toHaveTextContent('1.1.1 Non-text ContentPhotos that customers upload')
  // By role it would take seconds: the names of all rows are computed.
  const rows = Array.from(document.querySelectorAll('tbody tr'), ({ textContent }) => textContent)
  expect(rows).toHaveLength(55)
  expect(rows).toContain('1.4.3 Contrast (Minimum)Level AA9.1.4.3PassedRules of axe: color-contrastBy hand: Contrast')
  expect(rows.find((row) => row.startsWith('2.4.11'))).toContain('No clause')
  const contact = within(screen.getByRole('region', { name: 'Tell us about a problem' }))
  const links = () => contact.getAllByRole('link').map((link) => link.getAttribute('href'))
  await expect.poll(links).toEqual(['/support', `mailto:${sampleSiteInfo.support_email}`])
  expect(contact.getByText(/We answer within 5 working days/)).toBeVisible()
})

test('of an installation whose settings are samples, the statement names the form and no address', async () => {
  server.answer(siteInfo, () => ({ ...sampleSiteInfo, operator: { ...sampleSiteInfo.operator, is_sample: true } }))
  const { state } = await visit(server, { at: '/accessibility' })
  const contact = within(await screen.findByRole('region', { name: 'Tell us about a problem' }))
  await expect.poll(() => state.queryClient.isFetching()).toBe(0)
  expect(contact.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/support'])
})
