import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailServer, type MailServer } from '@keepsnap/server/test/smtp-server.ts'
import { codePolling, codesIn } from '../codes.ts'
import { waitForEmailTo, expectSameBytes } from '../guest-phone.ts'
import { sampleJpeg } from '../pictures.ts'
import { keepScreenshot } from '../screenshots.ts'
import { startTestServer, type DedicatedServer } from '../test-server.ts'
import { password } from '../visitor.ts'
import { button, field, link, linkStarting, type Engine, type EnginePage } from './engine.ts'
import { startErrorProxy, type ErrorProxy } from './error-proxy.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

/** A browser that renders without a graphics card takes its time. */
const slow = { timeout: 300_000 }
/** An error that the test causes, to see that errors of pages arrive. */
const reportProof = 'an error that a test wrote'
const polling = { timeout: 20_000, interval: 200 }
const cleanups: (() => void | Promise<void>)[] = []
let proxy: ErrorProxy
let server: DedicatedServer
let mail: MailServer
let folder: string
let address: string
let picture: Buffer
beforeAll(async () => {
  mail = await startMailServer((work) => void cleanups.push(work))
  proxy = await startErrorProxy(() => server.port)
  address = `http://127.0.0.1:${proxy.port}`
  const env = {
    PUBLIC_URL: address,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'Booth <photos@booth.example>',
  }
  server = await startTestServer({ env })
  picture = await sampleJpeg('dance-1200', 900)
  folder = await mkdtemp(join(tmpdir(), 'keepsnap-engines-'))
  await writeFile(join(folder, 'DSC_0042.jpg'), picture)
})
afterAll(async () => {
  await server.close()
  await proxy.close()
  for (const clean of cleanups) await clean()
  await rm(folder, { recursive: true, force: true })
})

const textOf = async (page: EnginePage): Promise<string> => String(await page.evaluate('document.body.innerText'))
const pathOf = async (page: EnginePage): Promise<string> => String(await page.evaluate('location.pathname'))
async function said(page: EnginePage, text: string): Promise<void> {
  await expect.poll(() => textOf(page), polling).toContain(text)
}
async function at(page: EnginePage, path: string | RegExp): Promise<void> {
  await expect.poll(() => pathOf(page), polling).toMatch(path)
}

const imagesHaveLoaded =
  '((all) => all.length > 0 && all.every((image) => image.complete && image.naturalWidth > 0))([...document.images])'
/** Waits until the page has an image, and all of its images have arrived. */
async function imagesLoaded(page: EnginePage): Promise<void> {
  await expect.poll(() => page.evaluate(imagesHaveLoaded), polling).toBe(true)
}

/** A screenshot of what has been drawn. */
const keep = ({ name, page }: Engine, screen: string): Promise<void> =>
  keepScreenshot(`${name}-${screen}`, async () => {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))')
    return page.screenshot()
  })

test.each([
  ['Firefox', startFirefox],
  ['WebKitGTK', startWebKit],
])('%s: an owner uploads and shows a photo, and a guest has it by scanning and by email', slow, async (name, start) => {
  const engine = await start()
  try {
    console.log(`engine: ${engine.name} ${engine.version}`)
    const code = await uploadAsOwner(engine)
    await requireEmail(engine)
    await requestAsGuest(engine, code, `guest-${name.toLowerCase()}@example.com`)
    expect(proxy.errors.splice(0)).toEqual([])
  } catch (error) {
    console.log(`Page ${await pathOf(engine.page)}, errors: ${proxy.errors.splice(0).join(', ') || 'none'}`)
    console.log(await textOf(engine.page))
    await keep(engine, 'failed')
    throw error
  } finally {
    await engine.close()
  }
})

/** Registers, uploads, sees the photo on Latest, in the gallery and in the viewer. Resolves with its code's address. */
async function uploadAsOwner(engine: Engine): Promise<string> {
  const { name, page } = engine
  await page.goto(`${address}/register`)
  await page.click(button('Essential Only'))
  await page.type(field('Email'), `owner-${name.toLowerCase()}@example.com`)
  await page.type(field('Password'), password)
  await page.type(field('Confirm password'), password)
  await keep(engine, 'register')
  await page.evaluate(`console.error('${reportProof}')`)
  await expect.poll(() => proxy.errors.splice(0).join(), polling).toContain(reportProof)
  await page.click(button('Register'))
  await at(page, /^\/$/)

  await page.goto(`${address}/upload`)
  await page.chooseFile("//input[@type='file' and not(@capture)]", join(folder, 'DSC_0042.jpg'))
  await page.click(button('Upload Photo'))
  await at(page, '/latest')
  await said(page, 'Scan to keep this photo')
  await imagesLoaded(page)
  await keep(engine, 'latest')
  const isCode = expect.stringMatching(new RegExp(`^${address}/d/[A-Za-z0-9]{22}$`))
  await expect.poll(async () => codesIn(await page.screenshot()), codePolling).toEqual([isCode])
  const [code = ''] = await codesIn(await page.screenshot())

  await page.goto(`${address}/gallery`)
  await imagesLoaded(page)
  await keep(engine, 'gallery')
  await page.click(linkStarting('DSC_0042.jpg'))
  await said(page, 'Photo 1 of 1')
  await imagesLoaded(page)
  await keep(engine, 'viewer')
  await page.press('Escape')
  await at(page, /^\/gallery$/)
  return code
}

async function requireEmail(engine: Engine): Promise<void> {
  const { page } = engine
  await page.goto(`${address}/settings`)
  await said(page, 'Profile')
  await keep(engine, 'settings')
  await page.goto(`${address}/photo-requests`)
  await page.click("//label[contains(., 'Ask for an email address')]")
  await said(page, 'Email setting updated successfully')
}

/** Asks for the photo on the page behind the code, opens the link of the email, and saves the photo there. */
async function requestAsGuest(engine: Engine, code: string, guest: string): Promise<void> {
  const { page } = engine
  await page.goto(code)
  await at(page, /^\/request-photo\//)
  await imagesLoaded(page)
  await keep(engine, 'request')
  await page.type(field('Your email address'), guest)
  await page.click(button('Send Photo'))
  await said(page, 'Request Submitted!')
  await keep(engine, 'requested')

  const email = await waitForEmailTo(mail, guest)
  await page.goto(email.link)
  await said(page, 'this link works until')
  await imagesLoaded(page)
  await keep(engine, 'grant')
  const saved = await page.evaluate(
    `fetch(document.querySelector('a[download], a[href*="download"]').href).then(async (answer) => Array.from(new Uint8Array(await answer.arrayBuffer())))`,
  )
  await expectSameBytes(Buffer.from(saved as number[]), picture) // what the expression gives
  await page.click(link('Download'))
  await at(page, /^\/g\//)
}
