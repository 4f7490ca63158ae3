import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Presses one of the controls of the big screen, which hide some seconds after the pointer was moved last. A slow press may
 * have an effect and fail all the same; `result` is what is on the page from then on, if the control has gone.
 */
export async function pressControl(page: Page, control: Locator, result?: Locator): Promise<void> {
  await expect
    .poll(async () => {
      for (const x of [200, 210]) await page.mouse.move(x, 200)
      if (await result?.isVisible()) return 'pressed'
      return control.click({ timeout: 3_000 }).then(() => 'pressed', String)
    })
    .toBe('pressed')
}
