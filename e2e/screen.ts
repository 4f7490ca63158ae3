import type { Page } from 'playwright-core'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { AxeOptions } from './axe.ts'

/** What the screens show. */
export interface ScreenData {
  photo: Buffer
  latest: Photo
  ownerEmail: string
}

/** Who looks at a screen. `offline` is the owner without a live connection. */
export type ScreenViewer = 'nobody' | 'newcomer' | 'owner' | 'offline'

/** A screen in one of its states: how to get there from wherever the page is. */
export interface Screen {
  name: string
  viewer: ScreenViewer
  reach: (page: Page, data: ScreenData) => Promise<unknown>
  axe?: AxeOptions
  /** Checked by `npm run record` only: npm test checks a screen of each kind. */
  inRecordOnly?: boolean
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
export const waitForText = (page: Page, text: string) => page.getByText(text).waitFor()
export const dialogOnly: AxeOptions = { within: 'dialog[open]' }
