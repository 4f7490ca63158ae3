import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Half as large to parse as the package's main file. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The new theme and size are drawn two frames later at the latest. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

/** Shows a page in a theme. */
export async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.waitForFunction(
    // Pages for guests follow the scheme without the attribute.
    (theme) => (document.documentElement.dataset.theme ?? theme) === theme,
    colorScheme,
  )
  await nextFrame(page)
}

/** What axe finds in a page, or in a part of it. */
export async function axeViolations(page: Page, within = 'html'): Promise<string[]> {
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
    [within, options] as const,
  )
}
