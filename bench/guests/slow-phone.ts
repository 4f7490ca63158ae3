import { chromium, type Browser } from 'playwright-core'

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

/** Chromium's own "slow 4G": 562.5 ms for each request, 1.44 Mbit/s down, 0.675 up; and a processor four times slower. */
const network = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6e6 * 0.9) / 8,
  uploadThroughput: (0.75e6 * 0.9) / 8,
}
const slowdown = 4

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: '/usr/bin/chromium', args })

/** Milliseconds from the scan (the navigation's start, redirects included) until the photo's picture is painted. */
export async function untilPicture(
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
    await session.send('Network.emulateNetworkConditions', network)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        const entries = list.getEntries() as (PerformanceEntry & { url: string })[] // what entries of this type are
        for (const { url, startTime } of entries)
          if (url.includes('/t/')) Object.assign(globalThis, { painted: startTime })
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(address)
    const read = () => (globalThis as { painted?: number }).painted // put there above
    const painted = await page.waitForFunction(read, undefined, {
      timeout: 20_000,
    })
    return (await painted.jsonValue()) ?? 0
  } finally {
    await context.close()
  }
}
