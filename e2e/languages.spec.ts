import { expect, test } from 'vitest'
import { button } from './browser.ts'
import { waitForEmail } from './guest-phone.ts'
import { useSharedServer } from './use-shared-server.ts'
import { password } from './visitor.ts'

const server = useSharedServer()

test('a visitor switches to Dutch, registers, and confirms the address, all in Dutch', async () => {
  const email = `taal-${process.pid}@example.com`
  const page = await server.newPage()
  await page.goto('/?from=a-friend')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Nederlands' }).click()
  await page.getByRole('contentinfo').getByRole('list', { name: 'Taal' }).waitFor()
  expect(page.url()).toBe(`${server.address}/?from=a-friend`)
  await page.getByRole('main').getByRole('link', { name: 'Aan de slag' }).first().click()
  await page.getByLabel('E-mailadres').fill(email)
  await page.getByLabel('Wachtwoord', { exact: true }).fill(password)
  await page.getByLabel('Herhaal je wachtwoord').fill(password)
  await button(page, 'Registreren').click()
  await page.waitForURL(`${server.address}/`)

  const { text = '' } = await waitForEmail(server, email, /^Bevestig je e-mailadres$/)
  await page.goto(/https?:\S+\/verify-email\?token=[\w-]+/.exec(text)?.[0] ?? '')
  await button(page, 'Mijn adres bevestigen').click()
  await page.getByRole('heading', { name: 'Je adres is bevestigd' }).waitFor()
  await page.getByRole('link', { name: 'Naar Instellingen' }).click()
  await page.getByText('Bevestigd', { exact: true }).waitFor()
  expect(server.pageErrors).toEqual([])
})
