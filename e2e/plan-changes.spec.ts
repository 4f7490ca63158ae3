import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopPolling } from './stop-polling.ts'
import { useSharedServer, type TestServer } from './test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await useSharedServer()
})
afterAll(() => server.close())

test('a plan that the operator grants changes open pages without a reload', async () => {
  const visitor = await server.newUser()
  const [settings, upload] = [await server.newPage({ visitor }), await server.newPage({ visitor })]
  await Promise.all([settings, upload].map(stopPolling))
  await settings.goto('/settings')
  await upload.goto('/upload')
  await settings.getByText('Put your brand on every photo').waitFor()
  await upload.getByText('Your plan (Free) allows files up to 50 MB.').waitFor()
  for (const page of [settings, upload]) await page.evaluate(() => Object.assign(window, { isSamePage: true }))

  await server.changeAccount(visitor.email, { granted_plan: 'pro_yearly', granted_until: null })
  await settings.getByLabel('Upload logo').waitFor({ state: 'attached' })
  await upload.getByText('Your plan (Pro Yearly) allows files up to 100 MB.').waitFor()

  await server.changeAccount(visitor.email, { granted_plan: 'free', granted_until: null })
  await settings.getByText('Put your brand on every photo').waitFor()
  await upload.getByText('Your plan (Free) allows files up to 50 MB.').waitFor()
  for (const page of [settings, upload]) expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  expect(server.pageErrors).toEqual([])
})
