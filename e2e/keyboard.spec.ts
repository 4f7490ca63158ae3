import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useSharedServer } from './use-shared-server.ts'
import { sampleJpeg } from './pictures.ts'
import { password, visitorWith } from './visitor.ts'

const server = useSharedServer()

interface Focused {
  /** Role and name, as a screen reader would say them. */
  name: string
  /** Something of it stands out from how it looks without the focus. */
  isMarked: boolean
  /** Something else lies over all of it. */
  isCovered: boolean
}

/** What has the focus. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement
    // After the last stop comes the browser itself.
    if (!(element instanceof HTMLElement) || element === document.body)
      return { name: '', isMarked: false, isCovered: false }
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : undefined
    const name = element.getAttribute('aria-label') ?? label ?? element.innerText
    // The ring may be drawn by the box around a field.
    const drawn = [element, element.parentElement].filter((each) => each !== null).map((each) => getComputedStyle(each))
    const isMarked = drawn.some(
      ({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
    )
    const shown = getComputedStyle(element).opacity === '0' ? (element.closest('label') ?? element) : element
    const { left, top, width, height } = shown.getBoundingClientRect()
    const parts = [0.1, 0.5, 0.9].flatMap((x) =>
      [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y] as const),
    )
    const drawnAt = parts.map(([x, y]) => document.elementFromPoint(x, y)).filter((each) => each !== null)
    const isCovered = drawnAt.length > 0 && !drawnAt.some((each) => shown.contains(each) || each.contains(shown))
    return { name: name.trim(), isMarked, isCovered }
  })

const mostStops = 80

/** Presses Tab until something of this name has the focus, which must be seen on everything on the way. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    if (at.name && !at.isMarked) throw new Error(`the focus on "${at.name}" cannot be seen`)
    if (at.name && at.isCovered) throw new Error(`something lies over "${at.name}", which has the focus`)
    if (name.test(at.name)) return
    passed.push(at.name)
  }
  throw new Error(`Tab does not reach ${name}; it passes ${passed.join(', ')}`)
}
/** A page that was navigated to starts at its heading. */
const arrive = (page: Page, heading: RegExp) => page.locator('h1:focus').filter({ hasText: heading }).waitFor()
const nameFocused = async (page: Page): Promise<string> => (await focused(page)).name

test('somebody without a mouse registers, uploads, looks, deletes, signs out and in, and sees where the focus is', async () => {
  const page = await server.newPage()
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started' }).first().waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => nameFocused(page)).toBe('Skip to content')
  await tabTo(page, /^Get Started/)
  await page.keyboard.press('Enter')
  await arrive(page, /^Create your first code$/)

  await tabTo(page, /^Email/)
  await page.keyboard.type('keys@example.com')
  await tabTo(page, /^Password/)
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await page.getByText('Password must be at least 8 characters long').waitFor()
  await expect.poll(() => nameFocused(page)).toMatch(/^Password/)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(password)
  await tabTo(page, /^Confirm password/)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server.address}/`)
  await arrive(page, /^Welcome,\s+keys$/)

  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const visitor = visitorWith({ address: server.address, email: 'keys@example.com', token })
  await visitor.upload(await sampleJpeg('table-720', 640), { name: '1.jpg' })

  await tabTo(page, /^Upload Photos/)
  await page.keyboard.press('Enter')
  await arrive(page, /^Upload$/)
  await upload(page)
  await page.getByRole('img', { name: /^2\.jpg, / }).waitFor()

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
  // The focus is on the heading also when the notices above the page come late.
  const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/subscriptions/status', async (route) => {
    asked.resolve()
    await release.promise
    await route.continue()
  })
  await page.keyboard.press('Enter')
  await asked.promise
  await arrive(page, /^Welcome/)
  release.resolve()
  await page.waitForURL(`${server.address}/`)

  await page.goto('/settings')
  await tabTo(page, /^Delete my account$/)
  expect(server.pageErrors).toEqual([])
})

/** A photo through the button that opens the device's own picker. */
async function upload(page: Page): Promise<void> {
  // As long as somebody listens, the browser hands its picker to us; asked for again each time, it may be too late.
  page.on('filechooser', () => {})
  await tabTo(page, /^Choose photos/)
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  const buffer = await sampleJpeg('bouquet-640', 640)
  await (await choosing).setFiles({ name: '2.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByRole('img', { name: 'Preview of 2.jpg' }).waitFor()
  await tabTo(page, /^Upload Photo$/)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/latest')
  await arrive(page, /^Latest photo$/)
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
  await expect.poll(() => nameFocused(page)).toBe('Close')
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
  await expect.poll(() => nameFocused(page)).toBe('Cancel')
  await tabTo(page, /^Delete$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: '2.jpg' }).getByText('Photo 1 of 1').waitFor()
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  await expect.poll(() => nameFocused(page)).toMatch(/^2\.jpg, /)
}
