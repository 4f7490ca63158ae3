import type { Page } from 'playwright-core'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { pressControl } from '../press-control.ts'
import { button, dialogOnly, waitForText, type Screen, type ScreenData } from '../screen.ts'

const picker = (page: Page) => page.getByLabel('Choose photos').and(page.locator('input'))
const jpeg = (name: string, { photo }: ScreenData) => ({ name, mimeType: 'image/jpeg', buffer: photo })
const pdf = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
const refusal = (detail: string) => ({ status: 400, json: { code: 'x', detail } })

/** Shows the Latest page as it would be with this photo, an hour after the others. */
async function latestWith(page: Page, photo: Partial<Photo>, { latest }: ScreenData): Promise<void> {
  const created_at = new Date(Date.parse(latest.created_at) + 3_600_000).toISOString()
  await page.route('**/photos/latest', (route) => route.fulfill({ json: { ...latest, ...photo, created_at } }))
  await page.goto('/latest')
}

/** Each viewer's in an order in which a screen may build on the one before. */
export const photoScreens: Screen[] = [
  {
    name: 'Latest without photos',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.goto('/latest')
      await waitForText(page, 'No photos uploaded yet.')
    },
  },
  {
    name: 'Latest',
    viewer: 'owner',
    axe: { differsOnDesktop: true },
    async reach(page) {
      await page.goto('/latest')
      await page.getByRole('img', { name: /^three\.jpg, / }).waitFor()
      await page.mouse.move(200, 200)
    },
  },
  {
    name: 'Latest with the code alone',
    inRecordOnly: true,
    viewer: 'owner',
    axe: dialogOnly,
    async reach(page) {
      const dialog = page.getByRole('dialog', { name: 'QR code' })
      await pressControl(page, button(page, 'QR code'), dialog)
      await dialog.waitFor()
    },
  },
  {
    name: 'Latest while processing',
    inRecordOnly: true,
    viewer: 'offline',
    async reach(page, data) {
      await latestWith(page, { processing: true, processing_complete: false, b2_url: null }, data)
      await waitForText(page, 'Processing your photo')
    },
  },
  {
    name: 'Latest after a failure',
    inRecordOnly: true,
    viewer: 'offline',
    async reach(page, data) {
      const failure = { processing_failed: true, error_message: 'The file is damaged.' }
      await latestWith(page, { processing: false, processing_complete: false, b2_url: null, ...failure }, data)
      await waitForText(page, 'The file is damaged.')
    },
  },
  {
    name: 'Latest that cannot be fetched',
    inRecordOnly: true,
    viewer: 'offline',
    async reach(page) {
      await page.route('**/photos/latest', (route) => route.fulfill(refusal('x')))
      await page.goto('/latest')
      await waitForText(page, 'Error loading your latest photo')
    },
  },
  {
    name: 'Gallery without photos',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.goto('/gallery')
      await waitForText(page, 'No photos yet. Upload some photos to get started!')
    },
  },
  {
    name: 'Viewer',
    viewer: 'owner',
    async reach(page) {
      await page.goto('/gallery')
      await page.getByRole('link', { name: /^two\.jpg, / }).click()
      await page.getByRole('dialog', { name: 'two.jpg' }).getByText('Photo 2 of 3').waitFor()
    },
  },
  {
    name: 'Viewer, before it deletes',
    inRecordOnly: true,
    viewer: 'owner',
    axe: { within: '[role=alertdialog]' },
    async reach(page) {
      await button(page, 'Delete photo').click()
      await page.getByRole('alertdialog', { name: 'Delete photo' }).waitFor()
    },
  },
  {
    name: 'Gallery while photos are selected',
    inRecordOnly: true,
    viewer: 'owner',
    axe: { differsOnDesktop: true },
    async reach(page) {
      await page.goto('/gallery')
      await button(page, 'Select').click()
      await button(page, /^Select two\.jpg, /).click()
      await waitForText(page, '1 selected')
    },
  },
  {
    name: 'Gallery that cannot be fetched',
    inRecordOnly: true,
    viewer: 'owner',
    async reach(page) {
      await page.route(/\/photos\?limit/, (route) => route.fulfill(refusal('x')))
      await page.goto('/gallery')
      await waitForText(page, 'Failed to load photos. Please try again later.')
    },
  },
]

export const uploadScreens: Screen[] = [
  {
    name: 'Upload',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page) {
      await page.goto('/upload')
      await picker(page).setInputFiles(pdf)
      await waitForText(page, 'This file is not a photo.')
    },
  },
  {
    name: 'Upload with one file',
    inRecordOnly: true,
    viewer: 'newcomer',
    async reach(page, data) {
      await page.goto('/upload')
      await picker(page).setInputFiles(jpeg('one.jpg', data))
      await page.getByRole('img', { name: 'Preview of one.jpg' }).waitFor()
    },
  },
  {
    name: 'Upload with a queue',
    viewer: 'newcomer',
    async reach(page, data) {
      await page.route('**/photos/upload*', (route) => route.fulfill(refusal('The disk is on fire.')))
      await page.goto('/upload')
      await picker(page).setInputFiles([jpeg('one.jpg', data), pdf])
      await waitForText(page, 'The disk is on fire.')
    },
  },
]
