import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  axeViolations,
  countLayoutShifts,
  forcedColourProblems,
  nextFrame,
  shiftProblems,
  showTheme,
  zoomProblems,
} from './page-problems.ts'
import { type Content, populate } from './populate-server.ts'
import { waitLimitMs } from './program.ts'
import { allStates, openState, type State, type Viewer } from './states.ts'
import { useSharedServer } from './use-shared-server.ts'

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 800 }
const narrowest = { width: 320, height: 640 }

let content: Content
const server = useSharedServer()
beforeAll(async () => {
  content = await populate(server)
})

async function openPages(): Promise<Record<Viewer, Page>> {
  const offline = await server.newPage({ visitor: content.pro, isIsolated: true })
  await offline.routeWebSocket(/\/ws\?/, () => {})
  return {
    offline,
    visitor: await server.newPage(),
    undecided: await server.newPage({ hasCookieNotice: true }),
    free: await server.newPage({ visitor: content.free }),
    pro: await server.newPage({ visitor: content.pro }),
  }
}

/**
 * A state in one look: the themes in turns; on a phone, or on a desktop where other elements are there. All pages share
 * colours and parts; `npm run record -- screens` looks at all states in both themes and widths.
 */
async function problemsOf(page: Page, { within, differsOnDesktop }: State, number: number): Promise<string[]> {
  await page.setViewportSize(differsOnDesktop && number % 2 ? desk : phone)
  await showTheme(page, number % 4 < 2 ? 'light' : 'dark')
  const problems = await axeViolations(page, within)
  await page.setViewportSize(narrowest)
  // The browser lays the page out in its own time after a change of size.
  await page
    .waitForFunction(
      (width) => innerWidth === width && document.documentElement.scrollWidth <= width,
      narrowest.width,
      {
        timeout: waitLimitMs,
      },
    )
    .catch(() => problems.push(`is wider than ${narrowest.width} px`))
  if (within) return problems
  return [...problems, ...(await forcedColourProblems(page)), ...(await zoomProblems(page))]
}

test('on a page of each kind axe finds nothing, forced colours show every state, 320 px and 400 % lose nothing', async () => {
  const pages = await openPages()
  const states = (await allStates(content)).filter(({ isInTests }) => isInTests)
  expect(states.length).toBeGreaterThan(6)
  for (const [number, state] of states.entries()) {
    const page = pages[state.viewer]
    await page.setViewportSize(desk)
    await openState(page, state, content)
    expect.soft(await problemsOf(page, state, number), state.name).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  expect(server.pageErrors).toEqual([])
})

test('nothing moves from the home page to the upload page', async () => {
  const page = await server.newPage({ visitor: content.free, isIsolated: true })
  await page.setViewportSize({ width: 1920, height: 1080 })
  await countLayoutShifts(page)
  await page.goto('/')
  const upload = page.getByRole('link', { name: 'Upload Photos' })
  await upload.waitFor()
  const devTools = await page.context().newCDPSession(page)
  const speed = { downloadThroughput: -1, uploadThroughput: -1 }
  await devTools.send('Network.emulateNetworkConditions', { offline: false, latency: 400, ...speed })
  await upload.click()
  await page.getByText('Drop photos here').waitFor()
  await nextFrame(page)
  expect(await shiftProblems(page)).toEqual([])
})
