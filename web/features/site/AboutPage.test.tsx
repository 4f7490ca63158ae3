import { siteInfo } from '@keepsnap/contract/site.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, useFakeServer } from '../../test/fake-server.ts'
import { visit } from '../../test/render.tsx'
import { sampleSiteInfo } from '../../test/samples.ts'

const server = useFakeServer()

const at = '/about'

test('says what it is for, how it works and who runs it, with the roles of the settings', async () => {
  server.answer(siteInfo, () => ({ ...sampleSiteInfo, team: [{ role: 'Support', name: 'Ann Peeters' }] }))
  await visit(server, { at })
  const headings = (await screen.findAllByRole('heading', { level: 2 })).map(({ textContent }) => textContent)
  expect(headings).toEqual(['Our mission', 'How it works', 'The team', 'Bring it to your next event'])
  expect(await screen.findByText('Fotolicht BV')).toBeVisible()
  expect(screen.getByText('Kouter 1, 9000 Gent, Belgium')).toBeVisible()
  expect(screen.getByRole('link', { name: /fotolicht/ })).toHaveAttribute('href', 'mailto:info@fotolicht.example')
  expect(screen.getByText('Ann Peeters').closest('div')).toHaveTextContent('SupportAnn Peeters')
  expect(screen.queryByText(/sample values/)).toBeNull()
  expect(screen.getByRole('img', { name: 'QR code of this sample picture' })).toHaveAttribute(
    'src',
    `${server.origin}/qr/s/table.svg`,
  )
})

test('names nobody who is not in the settings, says when these are samples, and can load them again', async () => {
  server.answer(siteInfo, () => refuse(503, 'x', 'unavailable'))
  const { person } = await visit(server, { at })
  expect(await screen.findByText('We couldn’t load who runs this site.')).toBeVisible()
  server.answer(siteInfo, () => ({ ...sampleSiteInfo, operator: { ...sampleSiteInfo.operator, is_sample: true } }))
  await person.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText(/These are sample values/)).toBeVisible()
  expect(screen.getAllByRole('term')).toHaveLength(1)
})

test('leads visitors to registration and users to the upload page, and both to support', async () => {
  const visitor = await visit(server, { at })
  expect(await screen.findByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/register')
  await visitor.person.click(screen.getByRole('link', { name: 'Talk to us' }))
  await waitFor(() => expect(visitor.where()).toBe('/support'))
})
