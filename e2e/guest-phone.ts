import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { parseEmail, type MailServer } from '@keepsnap/server/test/smtp-server.ts'
import type { PageOptions } from './contexts.ts'
import type { TestServer } from './test-server.ts'

const androidAgent =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'
export const iPhoneAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'

/** A guest's phone, with the requests and stored data of its pages. */
export interface Phone {
  page: Page
  /** Opens the URL of a scanned code. Resolves with the file when the code leads to one, undefined when to a page. */
  scan(code: string): Promise<Download | undefined>
  /** Clicks the element that starts a download. */
  save(press: () => Promise<unknown>): Promise<Download>
  /** Requests to other origins than the server and its object store, cookies, stored entries, and cookie notices. */
  tracks(): Promise<string[]>
}

/** A phone: its size, touch, and a browser without stored data. */
export async function openPhone(server: TestServer, options: PageOptions = {}): Promise<Phone> {
  const page = await server.newPage({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    userAgent: androidAgent,
    hasCookieNotice: true,
    ...options,
  })
  const strange: string[] = []
  page.context().on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    const isOurs = origin === server.address || origin === server.storeOrigin
    if (!isOurs && !/^(data|blob):$/.test(protocol)) strange.push(request.url())
  })
  return {
    page,
    async scan(code) {
      const downloading = page.waitForEvent('download').catch(() => undefined)
      const isPage = await page.goto(code).then(
        () => true,
        // A navigation that turns into a download ends like this.
        (error: Error) => !/ERR_ABORTED|Download is starting/.test(error.message),
      )
      return isPage ? undefined : downloading
    },
    async save(press) {
      const downloading = page.waitForEvent('download')
      await press()
      return downloading
    },
    async tracks() {
      const stored =
        options.javaScriptEnabled === false || page.url() === 'about:blank'
          ? []
          : await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
      const cookies = (await page.context().cookies()).map(({ name }) => name)
      const notices = (await page.getByText(/cookie/i).count()) > 0 ? ['a notice about cookies'] : []
      return [...strange, ...cookies, ...stored, ...notices]
    },
  }
}

/** Whether a guest was given the owner's picture: every pixel, upright as the owner sees it, and without metadata. */
export async function expectSamePicture(download: Download | undefined, original: Buffer): Promise<void> {
  expect(download?.suggestedFilename()).toMatch(/^keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg$/)
  if (!download) throw new Error('there was no download')
  await expectSameBytes(await readFile(await download.path()), original)
}

/** Like `expectSamePicture`, for the bytes of a file that was not downloaded. */
export async function expectSameBytes(kept: Buffer, original: Buffer): Promise<void> {
  const upright = (file: Buffer) => sharp(file).autoOrient().raw().toBuffer({ resolveWithObject: true })
  const [mine, theirs] = await Promise.all([upright(original), upright(kept)])
  expect([theirs.info.width, theirs.info.height]).toEqual([mine.info.width, mine.info.height])
  expect(theirs.data.equals(mine.data)).toBe(true)
  expect(kept.includes('CANARY')).toBe(false)
  expect(kept.includes('GPS')).toBe(false)
}

/** An email as its reader sees it. */
export interface ReadEmail {
  subject: string
  /** The one link that leads to the photo. */
  link: string
  /** The unsubscribe link. */
  stop: string
  attachments: Buffer[]
  html: string
}

/** Waits for the n-th email to an address, and reads it with an independent parser. */
export async function waitForEmailTo(server: MailServer, address: string, count = 1): Promise<ReadEmail> {
  const arrived = () => server.received.filter(({ to }) => to.includes(address))
  await expect.poll(() => arrived().length).toBe(count)
  const newest = arrived().at(-1)
  if (!newest) throw new Error(`there is no email to ${address}`)
  const { subject = '', text = '', html = '', attachments } = await parseEmail(newest.bytes)
  const [link = '', ...others] = new Set(text.match(/https?:\/\/\S+\/g\/[\w-]+/g))
  expect([link, others]).toEqual([expect.stringMatching(/\/g\/[\w-]{43}$/), []])
  const [stop = ''] = /https?:\/\/\S+\/stop\/[\w-]+/.exec(text) ?? []
  for (const one of [link, stop]) expect(html).toContain(`href="${one}"`)
  // Besides the thumbnail, which the email shows itself.
  const files = attachments.filter(({ disposition }) => disposition === 'attachment')
  const contents = files.map(({ content }) => Buffer.from(content as ArrayBuffer)) // of binary parts
  return { subject, link, stop, attachments: contents, html }
}

/** Asks for the photo on the page that is open. */
export async function submitPhotoRequest(page: Page, address: string): Promise<void> {
  await page.getByLabel('Your email address').fill(address)
  await page.getByRole('button', { name: 'Send Photo' }).tap()
}
