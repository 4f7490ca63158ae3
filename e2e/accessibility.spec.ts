import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { openVenue, type Venue } from './browser.ts'
import { sampleJpeg } from './pictures.ts'
import type { Visitor } from './visitor.ts'

let venue: Venue
let owner: Visitor
let newcomer: Visitor
let photo: Buffer
beforeAll(async () => {
  ;[venue, photo] = await Promise.all([openVenue(), sampleJpeg('table-720', 720)])
  ;[owner, newcomer] = await Promise.all([venue.visitor(), venue.visitor()])
  await venue.operate('grant-plan', owner.email, 'pro_monthly')
  for (const name of ['A long name that nobody would want to read on a phone.jpg', 'two.jpg', 'three.jpg'])
    await owner.upload(Uint8Array.from(photo), { name })
  const logo = new FormData()
  logo.append('file', new Blob([Uint8Array.from(photo)], { type: 'image/jpeg' }), 'logo.jpg')
  await owner.call('POST', '/upload-logo', { body: logo })
  const allReady = async () => (await photosOf(owner)).every(({ processing_complete: isReady }) => isReady)
  await vi.waitUntil(allReady, { timeout: 20_000, interval: 100 })
})
afterAll(async () => venue.close())

const photosOf = async (visitor: Visitor): Promise<Photo[]> =>
  (await (await visitor.call('GET', '/photos')).json()) as Photo[] // what the contract says

/** A screen in one of its states: how to get there. */
type State = [name: string, visitor: 'nobody' | 'new' | 'owner', reach: (page: Page) => Promise<unknown>]

const picker = (page: Page) => page.getByLabel('Choose photos').and(page.locator('input'))
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
const jpegNamed = (name: string) => ({ name, mimeType: 'image/jpeg', buffer: photo })

/** Shows the stage as it would be with this photo as the latest, and nothing pushed. */
async function stageWith(page: Page, change: Partial<Photo>): Promise<void> {
  const [newest] = await photosOf(owner)
  await page.routeWebSocket(/\/ws\?/, () => {})
  await page.route('**/photos/latest', (route) => route.fulfill({ json: { ...newest, ...change } }))
  await page.goto('/latest')
}
async function viewerOpen(page: Page): Promise<void> {
  await page.goto('/gallery')
  await page.getByRole('link', { name: /^two\.jpg, / }).click()
  await page.getByRole('dialog', { name: 'two.jpg' }).getByText('Photo 2 of 3').waitFor()
}

const states: State[] = [
  ['home for a stranger', 'nobody', (page) => page.goto('/')],
  [
    'home for a person',
    'owner',
    async (page) => {
      await page.goto('/')
      await button(page, 'Account menu').click()
    },
  ],
  [
    'sign-in, refused',
    'nobody',
    async (page) => {
      await page.goto('/login')
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await button(page, 'Sign In').click()
      await page.getByText('Invalid email or password.').waitFor()
    },
  ],
  [
    'registration with all its complaints',
    'nobody',
    async (page) => {
      await page.goto('/register')
      await page.getByLabel('Email').fill('not an address')
      await page.getByLabel('Password', { exact: true }).fill('short')
      await page.keyboard.press('Enter')
      await page.getByText('Password must be at least 8 characters long').waitFor()
    },
  ],
  ['a page that does not exist', 'nobody', (page) => page.goto('/no-such-page')],
  [
    'a page that stopped working',
    'owner',
    async (page) => {
      await page.route('**/assets/UploadPage-*.js', (route) => route.abort())
      await page.goto('/upload')
      await page.getByText('Something went wrong').waitFor()
    },
  ],
  [
    'Latest without photos',
    'new',
    async (page) => {
      await page.goto('/latest')
      await page.getByText('No photos uploaded yet.').waitFor()
    },
  ],
  [
    'Latest',
    'owner',
    async (page) => {
      await page.goto('/latest')
      await page.getByRole('img', { name: /^three\.jpg, / }).waitFor()
      await page.mouse.move(200, 200)
    },
  ],
  [
    'Latest with the code alone',
    'owner',
    async (page) => {
      await page.goto('/latest')
      await page.getByRole('img', { name: /^three\.jpg, / }).waitFor()
      await page.mouse.move(200, 200)
      await button(page, 'QR code').click()
      await page.getByRole('dialog', { name: 'QR code' }).waitFor()
    },
  ],
  [
    'Latest while processing',
    'owner',
    async (page) => {
      await stageWith(page, { processing: true, processing_complete: false, b2_url: null })
      await page.getByText('Processing your photo').waitFor()
    },
  ],
  [
    'Latest after a failure',
    'owner',
    async (page) => {
      await stageWith(page, {
        processing: false,
        processing_complete: false,
        processing_failed: true,
        b2_url: null,
        error_message: 'The file is damaged.',
      })
      await page.getByText('The file is damaged.').waitFor()
    },
  ],
  [
    'Latest that cannot be fetched',
    'owner',
    async (page) => {
      await page.routeWebSocket(/\/ws\?/, () => {})
      await page.route('**/photos/latest', (route) => route.fulfill({ status: 400, json: { code: 'x', detail: 'x' } }))
      await page.goto('/latest')
      await page.getByText('Error loading your latest photo').waitFor()
    },
  ],
  [
    'Gallery without photos',
    'new',
    async (page) => {
      await page.goto('/gallery')
      await page.getByText('No photos yet. Upload some photos to get started!').waitFor()
    },
  ],
  [
    'Gallery with photos being picked',
    'owner',
    async (page) => {
      await page.goto('/gallery')
      await button(page, 'Select').click()
      await button(page, /^Select two\.jpg, /).click()
      await page.getByText('1 selected').waitFor()
    },
  ],
  [
    'Gallery that cannot be fetched',
    'owner',
    async (page) => {
      await page.route(/\/photos\?limit/, (route) => route.fulfill({ status: 400, json: { code: 'x', detail: 'x' } }))
      await page.goto('/gallery')
      await page.getByText('Failed to load photos. Please try again later.').waitFor()
    },
  ],
  ['Viewer', 'owner', viewerOpen],
  [
    'Viewer asking before it deletes',
    'owner',
    async (page) => {
      await viewerOpen(page)
      await button(page, 'Delete photo').click()
      await page.getByRole('alertdialog', { name: 'Delete photo' }).waitFor()
    },
  ],
  [
    'Upload',
    'new',
    async (page) => {
      await page.goto('/upload')
      await picker(page).setInputFiles({ ...jpegNamed('notes.pdf'), mimeType: 'application/pdf' })
      await page.getByText('This file is not a photo.').waitFor()
    },
  ],
  [
    'Upload with one file',
    'new',
    async (page) => {
      await page.goto('/upload')
      await picker(page).setInputFiles(jpegNamed('one.jpg'))
      await page.getByRole('img', { name: 'Preview of one.jpg' }).waitFor()
    },
  ],
  [
    'Upload with a queue',
    'new',
    async (page) => {
      await page.route('**/photos/upload', (route) =>
        route.fulfill({ status: 400, json: { code: 'x', detail: 'The disk is on fire.' } }),
      )
      await page.goto('/upload')
      await picker(page).setInputFiles([
        jpegNamed('one.jpg'),
        { ...jpegNamed('notes.pdf'), mimeType: 'application/pdf' },
      ])
      await page.getByText('The disk is on fire.').waitFor()
    },
  ],
  [
    'Settings with a brand, devices and an unconfirmed address',
    'owner',
    async (page) => {
      await page.goto('/settings')
      await page.getByRole('img', { name: /newest photo with your logo/ }).waitFor()
      await button(page, 'Show devices').click()
    },
  ],
  [
    'Settings of the free plan, with a watermark that has no effect',
    'new',
    async (page) => {
      await page.goto('/settings')
      await page.getByRole('checkbox', { name: 'Watermark' }).check()
      await page.getByText('You need to upload a logo to use as a watermark.').waitFor()
    },
  ],
  ...(['Change password', 'Change email', 'Delete my account', 'Delete logo'] as const).map((name): State => [
    `Settings, ${name}`,
    'owner',
    async (page) => {
      await page.goto('/settings')
      await button(page, name).click()
      await page.getByRole('heading', { name, level: 2 }).waitFor()
    },
  ]),
  [
    'Profile',
    'owner',
    async (page) => {
      await page.goto('/profile')
      await page.getByText(owner.email).waitFor()
    },
  ],
  [
    'Forgot password, sent',
    'nobody',
    async (page) => {
      await page.goto('/forgot-password')
      await page.getByLabel('Email').fill('a-very-long-name.of-somebody@a-very-long-name-of-a-company.example.com')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    },
  ],
  [
    'Reset password with a complaint',
    'nobody',
    async (page) => {
      await page.goto('/reset-password?token=abc')
      await page.getByLabel('New password').fill('short')
      await page.keyboard.press('Enter')
      await page.getByText('Password must be at least 8 characters long').waitFor()
    },
  ],
  ['Reset password without a token', 'nobody', (page) => page.goto('/reset-password')],
  ['Confirm an address', 'nobody', (page) => page.goto('/verify-email?token=abc')],
]

type Look = [colorScheme: 'light' | 'dark', width: number]
const others: Look[] = [
  ['light', 1280],
  ['dark', 390],
]
/** Both themes and both widths; every pair of them only in the long run. */
const looks: Look[] = [['light', 390], ['dark', 1280], ...(process.env.KEEPSNAP_RECORD === '1' ? others : [])]

async function complaintsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const told = ({ html, any }: (typeof violations)[number]['nodes'][number]): string =>
    [html.slice(0, 160), ...any.map(({ message }) => message)].join(' ')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(told).join(' | ')}`)
}

test.for(states)(
  '%s: no complaint of axe in either theme, on a phone and on a desk; nothing cut off at 320 px',
  async ([, who, reach]) => {
    const visitor = who === 'owner' ? owner : who === 'new' ? newcomer : undefined
    const page = await venue.screen({ ...(visitor && { visitor }), reducedMotion: 'reduce' })
    await reach(page)
    await page.locator('main').waitFor()
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
      // The new colours are drawn with the next frame.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      expect.soft(await complaintsOf(page), `${colorScheme}, ${width} px`).toEqual([])
    }
    await page.setViewportSize({ width: 320, height: 640 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await page.context().close()
  },
)

test('a path without a page answers 404, and the page leads back and home', async () => {
  const page = await venue.screen()
  await page.goto('/login')
  const answer = await page.goto('/no-such-page')
  expect(answer?.status()).toBe(404)
  await button(page, 'Go Back').click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await page.goto('/no-such-page')
  await page.getByRole('link', { name: 'Go Home' }).click()
  await page.waitForURL(`${venue.address}/`)
})
