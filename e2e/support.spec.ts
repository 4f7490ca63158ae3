import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessibilityProblems } from './axe.ts'
import { button } from './screen.ts'
import { useSharedServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await useSharedServer()
})
afterAll(() => server.close())

/** The newest email to an address with this subject. */
async function emailTo(address: string, subject: string): Promise<Email | undefined> {
  const folder = join(server.dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const emails = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
  return emails.find((email) => email.subject === subject && email.to?.some((to) => to.address === address))
}

test('a message reaches the mailbox of support and the inbox, and its sender is told', async () => {
  const sender = await server.newUser({ plan: 'pro_monthly' })
  const page = await server.newPage({ visitor: sender })
  await page.goto('/')
  // By keyboard: a notice that comes late on a slow machine moves the link while the mouse is pressed, and the click is lost.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Support' }).press('Enter')
  await expect.poll(() => page.getByRole('textbox', { name: 'Email', exact: true }).inputValue()).toBe(sender.email)
  await page.getByText('How do I keep the screen on?').click()
  await page.getByRole('textbox', { name: 'Subject', exact: true }).fill('Screen in hall 4')
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('It is dark.\nWhat now?')
  expect(await accessibilityProblems(page, { screenshotName: 'Support, filled in' })).toEqual([])
  await page.reload()
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await expect.poll(() => message.inputValue()).toBe('It is dark.\nWhat now?')
  await button(page, 'Send message').click()
  await page.getByRole('heading', { name: 'Message sent' }).waitFor()
  expect(await accessibilityProblems(page, { screenshotName: 'Support, sent' })).toEqual([])

  const toSupport = () => emailTo('support@example.com', '[Priority] Screen in hall 4')
  await expect.poll(toSupport).toMatchObject({ replyTo: [{ address: sender.email }] })
  expect((await toSupport())?.text).toContain('> It is dark.\n> What now?')
  const confirmation = () => emailTo(sender.email, 'We have received your message')
  await expect.poll(confirmation).toBeDefined()
  expect((await confirmation())?.text).not.toContain('dark')

  const operator = await server.newUser()
  await server.changeAccount(operator.email, { is_admin: true })
  const admin = await server.newPage({ visitor: operator })
  await admin.goto('/admin')
  await admin.getByRole('button', { name: /^Open “Screen in hall 4”/ }).click()
  const drawer = admin.getByRole('dialog', { name: 'Screen in hall 4' })
  await drawer.getByText('It is dark.').waitFor()
  await drawer.getByRole('button', { name: 'Mark as answered' }).click()
  await drawer.getByRole('button', { name: 'Reopen' }).waitFor()
  expect(server.pageErrors).toEqual([])
})
