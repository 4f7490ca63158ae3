import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVenue, type Venue } from './browser.ts'
import { sampleJpeg } from './pictures.ts'
import { password } from './visitor.ts'

let venue: Venue
beforeAll(async () => {
  venue = await openVenue()
})
afterAll(async () => venue.close())

interface Focused {
  /** Role and name, as a screen reader would say them. */
  name: string
  /** Something of it stands out from how it looks without the focus. */
  isMarked: boolean
}

/** What has the focus. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement
    // After the last stop comes the browser itself.
    if (!(element instanceof HTMLElement) || element === document.body) return { name: '', isMarked: false }
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : undefined
    const name = element.getAttribute('aria-label') ?? label ?? element.innerText
    // The ring may be drawn by the box around a field.
    const drawn = [element, element.parentElement].filter((each) => each !== null).map((each) => getComputedStyle(each))
    const isMarked = drawn.some(
      ({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
    )
    return { name: name.trim(), isMarked }
  })

const mostStops = 40

/** Presses Tab until something of this name has the focus, which must be seen on everything on the way. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    if (at.name && !at.isMarked) throw new Error(`the focus on "${at.name}" cannot be seen`)
    if (name.test(at.name)) return
    passed.push(at.name)
  }
  throw new Error(`Tab does not reach ${name}; it passes ${passed.join(', ')}`)
}
/** A page that was navigated to starts at its heading. */
const arrive = (page: Page, heading: RegExp) => page.locator('h1:focus').filter({ hasText: heading }).waitFor()
const nameFocused = async (page: Page): Promise<string> => (await focused(page)).name

test('somebody without a mouse registers, uploads, looks, deletes and signs out', async () => {
  const page = await venue.screen({ reducedMotion: 'reduce' })
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started' }).first().waitFor()
  await page.keyboard.press('Tab')
  expect(await nameFocused(page)).toBe('Skip to content')
  await tabTo(page, /^Get Started/)
  await page.keyboard.press('Enter')
  await arrive(page, /^Make your first code$/)

  await tabTo(page, /^Email/)
  await page.keyboard.type('keys@example.com')
  await tabTo(page, /^Password/)
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await page.getByText('Password must be at least 8 characters long').waitFor()
  expect(await nameFocused(page)).toMatch(/^Password/)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(password)
  await tabTo(page, /^Confirm password/)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${venue.address}/`)
  await arrive(page, /^Welcome back,\s+keys$/)

  await tabTo(page, /^Upload Photos/)
  await page.keyboard.press('Enter')
  await arrive(page, /^Upload$/)
  await upload(page)
  await page.getByRole('img', { name: /^2\.jpg, / }).waitFor()

  await tabTo(page, /^QR code/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'QR code' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await nameFocused(page)).toBe('QR code')

  await lookAndDelete(page)

  await tabTo(page, /^Account menu/)
  await page.keyboard.press('Enter')
  await tabTo(page, /^Sign out/)
  await page.keyboard.press('Enter')
  await arrive(page, /^Welcome back$/)
  await tabTo(page, /^Email/)
  await page.keyboard.type('keys@example.com')
  await tabTo(page, /^Password/)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${venue.address}/`)
  expect(venue.faults).toEqual([])
})

/** Two photos through the button that opens the device's own picker, one after the other. */
async function upload(page: Page): Promise<void> {
  // As long as somebody listens, the browser hands its picker to us; asked for again each time, it may be too late.
  page.on('filechooser', () => {})
  const files = await Promise.all(['table-720', 'bouquet-640'].map((name) => sampleJpeg(name, 640)))
  for (const [n, buffer] of files.entries()) {
    if (n > 0) {
      await page.getByRole('img', { name: /^1\.jpg, / }).waitFor()
      await page.keyboard.press('Control+Home')
      await tabTo(page, /^Upload$/)
      await page.keyboard.press('Enter')
      await arrive(page, /^Upload$/)
    }
    await tabTo(page, /^Choose photos/)
    const choosing = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await choosing).setFiles({ name: `${n + 1}.jpg`, mimeType: 'image/jpeg', buffer })
    await page.getByRole('img', { name: `Preview of ${n + 1}.jpg` }).waitFor()
    await tabTo(page, /^Upload Photo$/)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/latest')
    await arrive(page, /^Latest photo$/)
  }
}

async function lookAndDelete(page: Page): Promise<void> {
  await tabTo(page, /^Gallery$/)
  await page.keyboard.press('Enter')
  await arrive(page, /^Gallery$/)
  await page.getByRole('link', { name: /^1\.jpg, / }).waitFor()
  await tabTo(page, /^2\.jpg, /)
  await page.keyboard.press('Enter')
  const viewer = page.getByRole('dialog')
  await viewer.getByText('Photo 1 of 2').waitFor()
  expect(await nameFocused(page)).toBe('Close')
  for (const [key, at] of [
    ['ArrowRight', 2],
    ['ArrowLeft', 1],
    ['End', 2],
    ['Home', 1],
  ] as const) {
    await page.keyboard.press(key)
    await viewer.getByText(`Photo ${at} of 2`).waitFor()
  }
  await page.keyboard.press('ArrowRight')
  await viewer.getByText('Photo 2 of 2').waitFor()
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  await expect.poll(() => nameFocused(page)).toMatch(/^1\.jpg, /)

  await page.keyboard.press('Enter')
  await viewer.getByText('Photo 2 of 2').waitFor()
  await tabTo(page, /^Delete photo/)
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog', { name: 'Delete photo' }).waitFor()
  expect(await nameFocused(page)).toBe('Cancel')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  expect(await nameFocused(page)).toBe('Delete photo')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Delete$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: '2.jpg' }).getByText('Photo 1 of 1').waitFor()
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  await expect.poll(() => nameFocused(page)).toMatch(/^2\.jpg, /)
}
