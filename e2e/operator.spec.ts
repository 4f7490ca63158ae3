import { expect, test } from 'vitest'
import { button } from './browser.ts'
import { waitForEmail } from './guest-phone.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import { codeOf } from './visitor.ts'

const server = useSharedServer()

test('an operator answers a message, deactivates and activates an account, and hides a photo that a guest reported', async () => {
  const [admin, visitor] = await Promise.all([
    server.newUser({ isAdmin: true }),
    server.newUser({ plan: 'pro_monthly' }),
  ])
  const photo = await visitor.addPhoto(await sampleJpeg('table-720', 720), 'shown.jpg')
  const statusOfCode = async () => (await fetch(`${server.address}/d/${codeOf(photo)}`, { method: 'HEAD' })).status
  expect(await statusOfCode()).toBe(200)
  const report = JSON.stringify({ reason: 'child', note: `Please remove it, ${visitor.email}.` })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${server.address}/photos/${photo.id}/report`, { method: 'POST', headers, body: report })

  const own = await server.newPage({ visitor, isWithoutPolling: true })
  await own.goto('/support')
  await expect.poll(() => own.getByRole('textbox', { name: 'Email', exact: true }).inputValue()).toBe(visitor.email)
  await own.getByRole('textbox', { name: 'Subject', exact: true }).fill(`Screen of ${visitor.email}`)
  await own.getByRole('textbox', { name: 'Message', exact: true }).fill('It is dark.\nWhat now?')
  await button(own, 'Send message').click()
  await own.getByRole('heading', { name: 'Message sent' }).waitFor()
  const mailed = await waitForEmail(
    server,
    'support@example.com',
    new RegExp(`^\\[Priority\\] Screen of ${visitor.email}`),
  )
  expect(mailed.replyTo).toMatchObject([{ address: visitor.email }])
  expect(mailed.text).toContain('> It is dark.\n> What now?')
  expect((await waitForEmail(server, visitor.email, /^We have received/)).text).not.toContain('dark')

  const page = await server.newPage({ visitor: admin })
  const press = (name: string) => button(page, name).click()
  const confirm = async (name: string, reason: string) => {
    await page.getByLabel('Reason (saved in the audit log)').fill(reason)
    await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
  }
  await page.goto('/')
  await press('Account menu')
  await page.getByRole('link', { name: 'Operator' }).click()
  await page.getByText(`Please remove it, ${visitor.email}.`).waitFor()
  const thumbnail = page.locator(`[data-reported-photo="${photo.id}"] img`)
  await expect.poll(() => thumbnail.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await page.getByRole('button', { name: new RegExp(`^Open “Screen of ${visitor.email}”`) }).click()
  const drawer = page.getByRole('dialog', { name: `Screen of ${visitor.email}` })
  await drawer.getByText('It is dark.').waitFor()
  await drawer.getByRole('button', { name: 'Mark as answered' }).click()
  await drawer.getByRole('button', { name: 'Reopen' }).waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()

  await page.getByLabel('Search users').fill(visitor.email)
  await expect.poll(() => page.locator('[data-user]').count()).toBe(1)
  await page.locator('[data-user]').getByRole('button').click()
  await press('Deactivate')
  await confirm('Deactivate', 'Chargeback')
  await page.getByLabel('Your password').fill(admin.password)
  await page.keyboard.press('Enter')
  await page.getByText('is deactivated.').waitFor()
  await own.getByRole('link', { name: 'Sign In' }).first().waitFor()
  await expect.poll(statusOfCode).toBe(404)
  expect((await visitor.call('GET', '/user/me')).status).toBe(401)
  // The password is good for the next actions.
  await press('Activate')
  await confirm('Activate', 'Settled')
  await page.getByText('is active again.').waitFor()
  await expect.poll(statusOfCode).toBe(200)
  await press('Close')
  await page.locator(`[data-reported-photo="${photo.id}"]`).getByRole('button', { name: 'Hide shown.jpg' }).click()
  await confirm('Hide from guests', 'Asked by a parent')
  await page.getByText('shown.jpg is hidden from guests.').waitFor()
  await expect.poll(statusOfCode).toBe(404)
  await expect
    .poll(() => page.locator('.operator-audit__reason').allInnerTexts())
    .toEqual(expect.arrayContaining(['Chargeback', 'Settled', 'Asked by a parent']))
  expect(server.pageErrors).toEqual([])
})
