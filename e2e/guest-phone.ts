import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Email } from 'postal-mime'
import type { Download, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { parseEmail } from '@keepsnap/server/test/smtp-server.ts'
import type { PageOptions } from './browser.ts'
import { isSamePicture } from './pictures.ts'
import { waitLimitMs } from './program.ts'
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

/** Whether a guest was given the owner's picture, under a name that says nothing. */
export async function expectSamePicture(download: Download | undefined, original: Buffer): Promise<void> {
  expect(download?.suggestedFilename()).toMatch(/^keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg$/)
  if (!download) throw new Error('there was no download')
  expect(await isSamePicture(original, await readFile(await download.path()))).toBe(true)
}

/** Asks for the photo on the page that is open. */
export async function submitPhotoRequest(page: Page, address: string): Promise<void> {
  await page.getByLabel('Your email address').fill(address)
  await page.getByRole('button', { name: 'Send Photo' }).tap()
}

/** Emails of outboxes by the path of their file, each parsed once by an independent parser. */
const outbox = new Map<string, Promise<Email | undefined>>()

/** The emails to an address that a program without a mail server has written to its outbox. */
export async function emailsTo({ dataDir }: { dataDir: string }, address: string): Promise<Email[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  // The file of a deleted account is gone.
  const read = (path: string) => readFile(path).then(parseEmail, () => undefined)
  const paths = names.map((name) => join(folder, name))
  for (const path of paths) if (!outbox.has(path)) outbox.set(path, read(path))
  const emails = await Promise.all(paths.map(async (path) => outbox.get(path)))
  return emails.filter((email) => email !== undefined).filter(({ to }) => to?.some((each) => each.address === address))
}

/** Waits for an email to an address, whose subject matches. */
export async function waitForEmail(server: { dataDir: string }, address: string, subject = /./): Promise<Email> {
  const find = async () => (await emailsTo(server, address)).find((email) => subject.test(email.subject ?? ''))
  return vi.waitUntil(find, { timeout: waitLimitMs, interval: 100 })
}

/** An email with a photo: its link to the photo, the link to unsubscribe, and the attached files. */
export function readPhotoEmail({ subject = '', text = '', html = '', attachments }: Email) {
  const [link = '', ...others] = new Set(text.match(/https?:\/\/\S+\/g\/[\w-]+/g))
  expect([link, others]).toEqual([expect.stringMatching(/\/g\/[\w-]{43}$/), []])
  const [stop = ''] = /https?:\/\/\S+\/stop\/[\w-]+/.exec(text) ?? []
  for (const one of [link, stop]) expect(html).toContain(`href="${one}"`)
  // Besides the thumbnail, which the email shows itself.
  const files = attachments.filter(({ disposition }) => disposition === 'attachment')
  return { subject, link, stop, attachments: files.map(({ content }) => Buffer.from(content as ArrayBuffer)) } // of binary parts
}
