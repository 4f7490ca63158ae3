import { legalVersions, siteInfo } from '@keepsnap/contract/site.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { legalDocuments } from './documents.ts'
import { createFormat } from '../../../lib/format.ts'
import { refuse, useFakeServer } from '../../../test/fake-server.ts'
import { sampleSiteInfo } from '../../../test/samples.ts'
import { english, focusedHeading, visit } from '../../../test/render.tsx'

const server = useFakeServer()

const text = () => screen.findByRole('article')

test.each([
  ['/privacy', 'Privacy Policy', 'Who we are'],
  ['/terms', 'General Conditions', 'Who agrees with whom'],
])('the footer leads to %s, the %s with the operator of the settings', async (path, heading, section) => {
  const { person, where } = await visit(server, { withFrame: true, at: '/login' })
  const footer = await screen.findByRole('navigation', { name: 'Footer' })
  await person.click(within(footer).getByRole('link', { name: heading }))
  await focusedHeading(heading)
  expect(where()).toBe(path)
  const article = await text()
  expect(screen.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  expect(document.title).toBe(`${heading} · Keepsnap`)
  expect(within(article).getByRole('heading', { name: `1 ${section}` })).toBeVisible()
  expect(article).toHaveTextContent('Fotolicht BV')
  expect(article).toHaveTextContent('BE 0123.456.749')
  expect(screen.getByText('In force since November 23, 2026', { selector: 'p' })).toBeVisible()
  expect(screen.queryByText('Sample text, not legal advice')).toBeNull()
  const contents = within(screen.getByRole('navigation', { name: 'On this page' }))
  expect(contents.getByRole('link', { name: section })).toHaveAttribute('href', expect.stringMatching(/#/))
  expect(within(article).getAllByRole('heading', { level: 2 }).length - 1).toBe(contents.getAllByRole('link').length)
})

test('sample settings are said to be a sample; what an operator entered is text, whatever it looks like', async () => {
  const name = '**Foto** [BV](javascript:alert(1)) <b>x</b>'
  const operator = { ...sampleSiteInfo.operator, name, is_sample: true }
  server.answer(siteInfo, () => ({ ...sampleSiteInfo, operator, payments: 'demo' as const }))
  await visit(server, { at: '/terms' })
  expect(await screen.findByText('Sample text, not legal advice')).toBeVisible()
  expect(await text()).toHaveTextContent('Demo: no money moves.')
  for (const shown of await screen.findAllByText(name)) expect(shown.querySelector('a, b')).toBeNull()
})

test.each([
  ['nl', 'privacy', 'Wat we bewaren, waarom en hoelang', /We bewaren wat nodig is/],
  ['fr', 'privacy', 'Ce que nous conservons, pourquoi et combien de temps', /^Ce texte est une traduction/],
  ['fr', 'terms', 'Les parties au contrat', /^Ce texte est une traduction/],
  ['de', 'privacy', 'Was wir speichern, warum und wie lange', /^Dieser Text ist eine Übersetzung/],
  ['de', 'terms', 'Die Vertragsparteien', /^Dieser Text ist eine Übersetzung/],
] as const)('readers of %s get /%s in it; a translation begins with the texts that bind', async (...args) => {
  const [tag, document, section, note] = args
  await visit(server, { at: `/${document}`, language: { ...english, tag, format: createFormat(tag) } })
  const article = await text()
  expect(article).toHaveAttribute('lang', tag)
  expect(article).toHaveTextContent(section)
  const first = article.firstElementChild as HTMLElement
  const links = within(first).queryAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
    tag === 'nl'
      ? []
      : [
          ['Nederlands', `/${document}?version=${legalVersions[document]}&lang=nl`],
          ['English', `/${document}?version=${legalVersions[document]}&lang=en`],
        ],
  )
  expect(first).toHaveTextContent(note)
})

test('an earlier version is shown with a note, and a version that does not exist is not', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2028-02-01T12:00:00Z') })
  const first = legalDocuments.terms.at(-1)
  const changes = { ...legalDocuments.privacy[0]!.changes!, en: 'The second one is new.' }
  const next = { ...first!, from: '2028-01-15', published: '2027-12-01', changes }
  vi.spyOn(legalDocuments as { terms: unknown }, 'terms', 'get').mockReturnValue([next, first])
  const { person, where } = await visit(server, { at: `/terms?version=${legalVersions.terms}` })
  await text()
  expect(screen.getByText(/^This is an earlier version/)).toBeVisible()
  const versions = screen.getByRole('region', { name: 'Versions' })
  expect(versions).toHaveTextContent('The second one is new.')
  expect(versions).toHaveTextContent('In force from November 23, 2026 until January 15, 2028')
  await person.click(screen.getByRole('link', { name: 'Show the version that applies' }))
  expect(where()).toBe('/terms')
  await waitFor(() => expect(screen.queryByText(/^This is an earlier version/)).toBeNull())
})

test('an unknown version is said to be unknown; when the settings cannot be loaded, the page offers to try again', async () => {
  server.answer(siteInfo, () => refuse(503, 'Down', 'unavailable'))
  const { person } = await visit(server, { at: '/privacy?version=1999-01-01' })
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('The text couldn’t be loaded.')
  server.answer(siteInfo, () => sampleSiteInfo)
  await person.click(within(alert).getByRole('button', { name: 'Try Again' }))
  expect(await text()).toHaveTextContent('Fotolicht BV')
  expect(screen.getByText(/^There is no version of this date/)).toBeVisible()
})
