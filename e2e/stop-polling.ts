import type { Page } from 'playwright-core'

/** Queries repeat after 30 seconds at the earliest. */
const pollMs = 30_000

/** Disables polling on pages that are opened from now on: they see changes only over the live connection. */
export const stopPolling = (page: Page): Promise<unknown> =>
  page.addInitScript((ms) => {
    const start = window.setInterval
    window.setInterval = ((work: () => void, delay = 0) =>
      delay < ms ? start(work, delay) : 0) as typeof window.setInterval // the browser's returns a number
  }, pollMs)
