import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameraPhoto } from './pictures.ts'
import { button } from './screen.ts'
import { useSharedServer, type TestServer } from './test-server.ts'
import { password } from './visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await useSharedServer()
})
afterAll(() => server.close())

/** The first email to an address. */
async function emailTo(address: string): Promise<Email | undefined> {
  const folder = join(server.dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const emails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
  return emails.find((email) => email.to?.some((to) => to.address === address))
}
const email = `taal-${Date.now()}@example.com`

test('a visitor switches to Dutch, registers, and stays in Dutch, with emails and on another device', async () => {
  const page = await server.newPage({ isIsolated: true })
  const lang = () => page.locator('html').getAttribute('lang')
  await page.goto('/?from=a-friend')
  expect(await lang()).toBe('en')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Nederlands' }).click()
  await page.getByRole('contentinfo').getByRole('list', { name: 'Taal' }).waitFor()
  expect([await lang(), page.url()]).toEqual(['nl', `${server.address}/?from=a-friend`])

  await page.getByRole('main').getByRole('link', { name: 'Aan de slag' }).first().click()
  await page.getByLabel('E-mailadres').fill(email)
  await page.getByLabel('Wachtwoord', { exact: true }).fill(password)
  await page.getByLabel('Herhaal je wachtwoord').fill(password)
  await button(page, 'Registreren').click()
  await page.waitForURL(`${server.address}/`)
  await page.reload()
  expect(await lang()).toBe('nl')
  await expect.poll(() => emailTo(email)).toMatchObject({ subject: 'Bevestig je e-mailadres' })

  // On another device the account says which language it is, once the visitor has signed in.
  const other = await server.newPage({ isIsolated: true })
  await other.goto('/login')
  await other.getByLabel('Email').fill(email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await other.getByRole('contentinfo').getByRole('list', { name: 'Taal' }).waitFor()
  expect(await other.locator('html').getAttribute('lang')).toBe('nl')
})

test('a guest page is in the language of the phone, and can be switched without JavaScript', async () => {
  const owner = await server.newUser()
  const photo = (await owner.upload(Uint8Array.from(await cameraPhoto('table-1200', 320))))!
  const page = await server.newPage({
    locale: 'fr-BE',
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  })
  await page.goto(`/request-photo/${photo.id}`)
  await page.getByRole('heading', { name: /^Où envoyer votre photo/ }).waitFor()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  // Without the parameter, the cookie remembers it.
  await page.goto(`/request-photo/${photo.id}`)
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByRole('textbox').first().fill('gast@example.com')
  await page.getByRole('main').getByRole('button').first().click()
  await expect.poll(async () => (await emailTo('gast@example.com'))?.html).toContain('lang="de"')
})
