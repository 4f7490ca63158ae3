import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { PageOptions } from '../contexts.ts'
import { codesIn } from '../codes.ts'
import type { TestServer } from '../test-server.ts'
import { watchFailures } from './failures.ts'
import { lastOf } from './last-of.ts'

/** What a screen shows from a time on. */
export interface Shown {
  /** Name of the photo; null: no photo that is ready. */
  name: string | null
  /** What the photo's code ends with. */
  code: string
  at: number
}

/** An open Latest page, and everything that it has shown. */
export interface LatestScreen {
  page: Page
  shown: Shown[]
  /** The name of the photo on the screen. */
  current(): string | null
  /** Resolves with the time at which the photo appeared that is on the screen, once it is this one. */
  until(name: string): Promise<number>
  /** Numbers of photos and texts of codes in a screenshot, as an independent reader finds them. */
  read(): Promise<{ photos: string[]; codes: string[] }>
}

interface ScreenOptions extends PageOptions {
  /** Its clock can be moved. */
  hasOwnClock?: boolean
  failures: string[]
}

export async function openLatest(server: TestServer, { hasOwnClock, failures, ...options }: ScreenOptions) {
  const page = await server.newPage({ reducedMotion: 'no-preference', isIsolated: true, ...options })
  watchFailures(page, failures)
  const shown: Shown[] = []
  await page.exposeFunction('noteShown', (name: string | null, code: string) => {
    shown.push({ name, code, at: Date.now() })
  })
  await page.addInitScript(watchStage)
  if (hasOwnClock) await page.clock.install()
  await page.goto('/latest')
  await page.getByText('Scan to keep this photo').waitFor()
  const current = (): string | null => shown.at(-1)?.name ?? null
  const screen: LatestScreen = {
    page,
    shown,
    current,
    async until(name) {
      await expect.poll(current, { timeout: 30_000, interval: 20 }).toBe(name)
      return lastOf(shown).at
    },
    async read() {
      const boxes = await page.evaluate(stageBoxes)
      const screenshot = await page.screenshot()
      const [photos = [], codes = []] = await Promise.all(
        boxes.map(async (box) => codesIn(await sharp(screenshot).extract(box).png().toBuffer())),
      )
      return { photos, codes }
    },
  }
  return screen
}

/** Moves the clock of a page, in steps that keep the live connection's checks and their answers in order. */
export async function fastForwardClock(page: Page, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 15_000) {
    await page.clock.fastForward(Math.min(left, 15_000))
    await page.evaluate(async () => (await fetch('/health')).text())
  }
}

/** Bytes of the JavaScript heap and number of DOM nodes that remain after garbage collection. */
export async function memoryOf(page: Page): Promise<{ heapBytes: number; nodes: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize: heapBytes } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  await session.detach()
  return { heapBytes, nodes }
}

/** Runs in the page: notes every pair of photo and code that the page shows. */
function watchStage(): void {
  let last = ''
  const note = (window as unknown as { noteShown: (name: string | null, code: string) => void }).noteShown // exposed above
  const look = (): void => {
    const photo = document.querySelector<HTMLImageElement>('.latest__image:not(.latest__image--unready) > img')
    const code = document.querySelector<HTMLImageElement>('.latest__code img')
    const name = photo?.alt.split(', ')[0] ?? null
    const text = code?.src.split('/').at(-1)?.replace('.svg', '') ?? ''
    if (last === `${name} ${text}`) return
    last = `${name} ${text}`
    note(name, text)
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
}

/** Runs in the page: the photo, then the card with its code. */
function stageBoxes(): { left: number; top: number; width: number; height: number }[] {
  return ['.latest__image', '.latest__code'].map((selector) => {
    const { left, top, right, bottom } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
    const corner = { left: Math.max(0, Math.floor(left)), top: Math.max(0, Math.floor(top)) }
    const [width, height] = [Math.min(innerWidth, right) - corner.left, Math.min(innerHeight, bottom) - corner.top]
    return { ...corner, width: Math.floor(width), height: Math.floor(height) }
  })
}
