import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { isRecord } from '@keepsnap/server/test/statistics.ts'
import { accessibilityProblems, viewports } from './axe.ts'
import { sampleJpeg } from './pictures.ts'
import type { ScreenData, ScreenViewer } from './screen.ts'
import { accountScreens, publicScreens } from './screens/account-screens.ts'
import { operatorScreens } from './screens/operator-screens.ts'
import { photoScreens, uploadScreens } from './screens/photo-screens.ts'
import { planScreens } from './screens/plan-screens.ts'
import { supportScreens } from './screens/support-screens.ts'
import { useSharedServer, type TestServer } from './test-server.ts'
import type { Visitor } from './visitor.ts'
import { waitLimitMs } from './wait-limit.ts'

let server: TestServer
let data: ScreenData
/** One for each viewer; loading a page anew is cheaper than a browser context for each screen. */
let pages: Record<ScreenViewer, Page>
beforeAll(async () => {
  server = await useSharedServer()
  const photo = await sampleJpeg('table-720', 720)
  const [owner, newcomer] = await Promise.all([server.newUser({ plan: 'pro_monthly' }), server.newUser()])
  data = { photo, latest: await uploadAll(owner, photo), ownerEmail: owner.email }
  pages = {
    nobody: await server.newPage(),
    newcomer: await server.newPage({ visitor: newcomer }),
    owner: await server.newPage({ visitor: owner }),
    offline: await server.newPage({ visitor: owner }),
  }
  await pages.offline.routeWebSocket(/\/ws\?/, () => {})
})
afterAll(() => server.close())

/** Three photos and a logo; the newest photo. */
async function uploadAll(owner: Visitor, photo: Buffer): Promise<Photo> {
  const file = Uint8Array.from(photo)
  for (const name of ['A long name that nobody would want to read on a phone.jpg', 'two.jpg', 'three.jpg'])
    await owner.upload(file, { name })
  const logo = new FormData()
  logo.append('file', new Blob([file], { type: 'image/jpeg' }), 'logo.jpg')
  await owner.call('POST', '/upload-logo', { body: logo })
  return vi.waitUntil(
    async () => {
      const photos = (await (await owner.call('GET', '/photos')).json()) as Photo[] // what the contract says
      return photos.every(({ processing_complete: isReady }) => isReady) && photos[0]
    },
    { timeout: waitLimitMs, interval: 100 },
  )
}

const screens = [
  ...publicScreens,
  ...photoScreens,
  ...uploadScreens,
  ...planScreens,
  ...operatorScreens,
  ...accountScreens,
  ...supportScreens,
]
test.for(screens.filter(({ inRecordOnly }) => isRecord || !inRecordOnly))(
  '$name: axe finds nothing, and nothing is cut off at 320 px',
  async ({ name, viewer, reach, axe }) => {
    const page = pages[viewer]
    await page.setViewportSize(viewports.desk)
    await reach(page, data)
    // The page is loaded after the layout around it.
    await page.locator('h1').first().waitFor({ state: 'attached' })
    expect(await accessibilityProblems(page, { ...axe, screenshotName: name })).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
)

test('a path without a page answers 404, and the page leads back and home', async () => {
  const page = pages.nobody
  await page.goto('/login')
  const answer = await page.goto('/no-such-page')
  expect(answer?.status()).toBe(404)
  await page.getByRole('button', { name: 'Go Back', exact: true }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await page.goto('/no-such-page')
  await page.getByRole('link', { name: 'Go Home' }).click()
  await page.waitForURL(`${server.address}/`)
})
