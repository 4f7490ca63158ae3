import { expect, test } from 'vitest'
import { useSharedServer } from './use-shared-server.ts'

const server = useSharedServer()
const screenPath = '/demo-screen'
const javascript = 'text/javascript'

/** A page with a clock of its own, and how to break what it loads until it is whole again. */
async function openBroken(files: string, body: string) {
  const page = await server.newPage({ isIsolated: true })
  await page.clock.install()
  await page.route(files, (route) => route.fulfill({ contentType: javascript, body }))
  await page.goto(screenPath, { waitUntil: 'commit' })
  return page
}

test('a screen whose script does not parse says what it needs, and loads itself again once it is whole', async () => {
  const page = await openBroken('**/assets/*.js', '!!!')
  await page.getByText('Keepsnap needs a newer browser').waitFor()
  await page.unrouteAll()
  await page.clock.runFor(10_000)
  await page.getByText('Scan to keep this photo').first().waitFor()
  expect(await page.getByText('Keepsnap needs a newer browser').isVisible()).toBe(false)
})

test('a screen that stops with an exception says so in colours that can be read, and loads itself again', async () => {
  const page = await openBroken(
    '**/assets/DemoScreenPage-*.js',
    'export const DemoScreenPage = () => { throw new Error("a bug of a test") }',
  )
  const alert = page.getByRole('alert')
  await alert.getByText('It reloads by itself').waitFor()
  const colours = await alert.evaluate((element) => [
    getComputedStyle(element).color,
    getComputedStyle(element.closest('.latest-page')!).backgroundColor,
  ])
  expect(colours).toEqual(['rgb(251, 246, 238)', 'rgb(15, 13, 11)'])
  await page.unrouteAll()
  await page.clock.runFor(10_000)
  await page.getByText('Scan to keep this photo').first().waitFor()
})
