import { afterAll, beforeAll, expect, test } from 'vitest'
import { useSharedServer, type TestServer } from './test-server.ts'
import { codePolling, codesOn } from './codes.ts'
import { cameraPhoto, pixelsOf } from './pictures.ts'
import { password } from './visitor.ts'

let server: TestServer
beforeAll(async () => {
  server = await useSharedServer()
})
afterAll(async () => server.close())

test('somebody registers, uploads a photo, sees it with its code, and a guest who scans has the same picture', async () => {
  const page = await server.newPage()
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started' }).first().click()
  await page.getByRole('heading', { name: 'Create your first code' }).waitFor()

  const register = page.getByRole('button', { name: 'Register' })
  await page.getByLabel('Email').fill('anna@example.com')
  await page.getByLabel('Password', { exact: true }).fill('Correct1')
  await page.getByText('not met: One special character').waitFor()
  await page.getByText('Strength: Medium').waitFor()
  expect(await register.isDisabled()).toBe(true)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByText('Strength: Very Strong').waitFor()
  expect(await register.isEnabled()).toBe(true)
  await page.getByLabel('Confirm password').fill('Correct.Horse.8')
  await register.click()
  await page.getByText('Passwords do not match').waitFor()
  await page.getByLabel('Confirm password').fill(password)
  await register.click()
  await page.waitForURL(`${server.address}/`)

  await page.getByRole('link', { name: 'Upload Photos' }).first().click()
  await page.getByText('JPG, PNG, GIF up to 10MB').waitFor()
  const file = await cameraPhoto('dance-1200')
  await page
    .getByLabel('Choose photos')
    .and(page.locator('input'))
    .setInputFiles({ name: 'DSC_0042.JPG', mimeType: 'image/jpeg', buffer: file })
  await page.getByRole('img', { name: 'Preview of DSC_0042.JPG' }).waitFor()
  await page.getByRole('button', { name: 'Upload Photo' }).click()

  await page.waitForURL('**/latest')
  await page.getByRole('img', { name: /^DSC_0042\.JPG, / }).waitFor()
  await page.getByText('Scan to keep this photo').waitFor()
  const isCode = expect.stringMatching(new RegExp(`^${server.address}/d/[A-Za-z0-9]{22}$`))
  await expect.poll(() => codesOn(page), codePolling).toEqual([isCode])
  const [code = ''] = await codesOn(page)

  const answer = await fetch(code)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="?keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg"?/,
  )
  const kept = Buffer.from(await answer.arrayBuffer())
  expect(kept.includes('CANARY')).toBe(false)
  const [mine, theirs] = await Promise.all([pixelsOf(file), pixelsOf(kept)])
  expect([theirs.width, theirs.height]).toEqual([mine.width, mine.height])
  expect(theirs.data.equals(mine.data)).toBe(true)
  expect(server.pageErrors).toEqual([])
})
