import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { isRecord } from '@keepsnap/server/test/statistics.ts'
import { keepScreenshot } from './screenshots.ts'
import { waitLimitMs } from './wait-limit.ts'

export const viewports = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } }
/** Half as large to parse as the package's main file. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const narrowest = { width: 320, height: 640 }

interface Look {
  colorScheme: 'light' | 'dark'
  viewport: keyof typeof viewports
}

const colorSchemes = ['light', 'dark'] as const
const everyLook: Look[] = colorSchemes.flatMap((colorScheme) =>
  (['phone', 'desk'] as const).map((viewport) => ({ colorScheme, viewport })),
)

/**
 * The record run checks each screen in both themes and both widths. Other runs check it once: half of the screens in
 * the dark theme; on a phone, or on a desktop for half of those that differ there. All screens share colours and parts.
 */
function looksAt(page: Page, { screenshotName, within = '', differsOnDesktop }: AxeOptions): Look[] {
  if (isRecord) return everyLook
  const name = screenshotName ?? new URL(page.url()).pathname + within
  const number = Array.from(name).reduce((sum, char) => sum + char.charCodeAt(0), 0)
  const colorScheme = colorSchemes[number % 2]! // 0 or 1
  return [{ colorScheme, viewport: differsOnDesktop && number % 4 < 2 ? 'desk' : 'phone' }]
}

export interface AxeOptions {
  /** Whether the page shows other elements on a desktop, so that it has to be checked there, too. */
  differsOnDesktop?: boolean
  /** A dialog: what is behind it was checked before it was opened. */
  within?: string
  /** What a screenshot of each look is called; otherwise none is kept. */
  screenshotName?: string
}

/** Violations that axe finds in the current page, per theme and width, and overflow at 320 px. Empty without any. */
export async function accessibilityProblems(page: Page, options: AxeOptions = {}): Promise<string[]> {
  const problems: string[] = []
  // A page is hidden until the notices above it are known, for a second at most.
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    return !main || getComputedStyle(main).visibility !== 'hidden'
  })
  for (const { colorScheme, viewport } of looksAt(page, options)) {
    await page.setViewportSize(viewports[viewport])
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction(
      // Pages for guests follow the scheme without the attribute.
      (theme) => (document.documentElement.dataset.theme ?? theme) === theme,
      colorScheme,
    )
    await waitForNextFrame(page)
    const { screenshotName } = options
    if (screenshotName) await keepScreenshot(`${screenshotName} ${viewport} ${colorScheme}`, () => page.screenshot())
    for (const violation of await violationsOn(page, options.within ?? 'html'))
      problems.push(`${colorScheme}, ${viewport}: ${violation}`)
  }
  await page.setViewportSize(narrowest)
  // The browser lays the page out in its own time after a change of size.
  await page
    .waitForFunction(
      (width) => innerWidth === width && document.documentElement.scrollWidth <= width,
      narrowest.width,
      { timeout: waitLimitMs },
    )
    .catch(() => problems.push(`is wider than ${narrowest.width} px`))
  return problems
}

/** The new theme and size are drawn two frames later at the latest. */
const waitForNextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

async function violationsOn(page: Page, context: string): Promise<string[]> {
  // Parsed once for each document that is loaded.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const options: axe.RunOptions = { resultTypes: ['violations'] }
  return page.evaluate(
    async ([selector, runOptions]) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe } // put there above
      const { violations } = await inPage.run(selector, runOptions)
      return violations.map(({ id, nodes }) => {
        const texts = nodes.map(({ html, any }) => [html.slice(0, 160), ...any.map(({ message }) => message)].join(' '))
        return `${id}: ${texts.join(' | ')}`
      })
    },
    [context, options] as const,
  )
}
