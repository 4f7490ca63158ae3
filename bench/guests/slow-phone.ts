import { chromium, type Browser } from 'playwright-core'

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

/** "Slow 4G" as in Chromium's developer tools: 562.5 ms per request, 1.44 Mbit/s down, 0.675 Mbit/s up. */
const networkConditions = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6e6 * 0.9) / 8,
  uploadThroughput: (0.75e6 * 0.9) / 8,
}
const cpuSlowdown = 4

export const openSlowPhoneBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args })

/** Milliseconds from the start of the navigation, redirects included, until the photo is painted. */
export async function timeToPhoto(
  browser: Browser,
  address: string,
  { userAgent }: { userAgent: string },
): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    userAgent,
  })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', networkConditions)
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        const entries = list.getEntries() as (PerformanceEntry & { url: string })[] // LargestContentfulPaint, which lib.dom does not declare
        for (const { url, startTime } of entries)
          if (url.includes('/t/')) Object.assign(globalThis, { painted: startTime })
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(address)
    const readPainted = () => (globalThis as { painted?: number }).painted // set by the init script above
    const painted = await page.waitForFunction(readPainted, undefined, { timeout: 20_000 })
    return (await painted.jsonValue()) ?? 0
  } finally {
    await context.close()
  }
}
