import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pages } from '@keepsnap/contract/site.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPhotoEmail, waitForEmail } from '../guest-phone.ts'
import { codePolling, codesIn, isSamePicture, keepPicture, sampleJpeg } from '../pictures.ts'
import { waitLimitMs } from '../program.ts'
import { type DedicatedServer, startTestServer } from '../test-server.ts'
import { codeOf, password } from '../visitor.ts'
import { type Engine, oldBrowsers, startChromium, startFirefox, startWebKit } from './driver.ts'

const polling = { timeout: waitLimitMs, interval: 200 }
let proxy: Server
let server: DedicatedServer
let folder: string
let address: string
let picture: Buffer
beforeAll(async () => {
  proxy = startErrorProxy(() => server.port)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` // it listens on TCP
  server = await startTestServer({ env: { PUBLIC_URL: address } })
  picture = await sampleJpeg('dance-1200', 900)
  folder = await mkdtemp(join(tmpdir(), 'keepsnap-engines-'))
  await writeFile(join(folder, 'DSC_0042.jpg'), picture)
})
afterAll(async () => {
  await server.close()
  proxy.closeAllConnections()
  proxy.close()
  await rm(folder, { recursive: true, force: true })
})

/** Errors that pages reported, each with its path. */
const errors: string[] = []
/** Runs before every script of a page: the drivers of these engines do not tell about errors of pages. */
const script = `(() => {
  let isLeaving = false
  addEventListener('beforeunload', () => (isLeaving = true))
  const report = (text) => isLeaving || navigator.sendBeacon('/reported-error', location.pathname + ': ' + text)
  addEventListener('error', (event) => event.message && report(event.message))
  addEventListener('unhandledrejection', (event) => report(String(event.reason)))
  document.addEventListener('securitypolicyviolation', (event) => report('refused by policy: ' + event.blockedURI))
  const write = console.error
  console.error = (...parts) => { report(parts.map(String).join(' ')); write.apply(console, parts) }
})()`
const scriptHash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** A proxy in front of a program that adds the script to its pages. */
function startErrorProxy(port: () => number): Server {
  const server = createServer(async (request, response) => {
    if (request.url === '/reported-error') {
      errors.push(await text(request))
      response.writeHead(204).end()
      return
    }
    const { method, url: path, headers } = request
    const options = {
      host: '127.0.0.1',
      port: port(),
      method,
      path,
      headers: { ...headers, 'accept-encoding': 'identity' },
    }
    const inner = httpRequest(options, async (answer) => {
      const { 'content-length': _, 'content-security-policy': policy, ...others } = answer.headers
      const isPage = String(answer.headers['content-type']).startsWith('text/html')
      if (!isPage) return void answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
      const changed = String(policy).replace('script-src ', `script-src ${scriptHash} `)
      response.writeHead(answer.statusCode ?? 502, { ...others, ...(policy && { 'content-security-policy': changed }) })
      response.end((await text(answer)).replace(/<head[^>]*>/, (head) => `${head}<script>${script}</script>`))
    })
    inner.on('error', () => response.destroy())
    request.pipe(inner)
  })
  server.on('upgrade', (request, socket, head) => {
    const inner = connect(port(), '127.0.0.1')
    const lines = request.rawHeaders.map((part, n, all) => (n % 2 ? '' : `${part}: ${all[n + 1]}\r\n`))
    inner.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
    inner.write(head)
    inner.pipe(socket).pipe(inner)
    for (const each of [inner, socket]) each.on('error', () => [inner, socket].forEach((end) => end.destroy()))
  })
  return server
}

const textOf = async (engine: Engine): Promise<string> => String(await engine.evaluate('document.body.innerText'))
const pathOf = async (engine: Engine): Promise<string> => String(await engine.evaluate('location.pathname'))
async function said(engine: Engine, words: string): Promise<void> {
  await expect.poll(() => textOf(engine), polling).toContain(words)
}
async function at(engine: Engine, path: RegExp): Promise<void> {
  await expect.poll(() => pathOf(engine), polling).toMatch(path)
}
const button = (name: string) => `//button[normalize-space()="${name}" or @aria-label="${name}"]`
const field = (label: string) =>
  `//input[@id=//label[normalize-space()="${label}"]/@for] | //label[normalize-space()="${label}"]//input`

/** Waits until the page has an image and all of them have arrived, and keeps a picture of it. */
async function keep(engine: Engine, screen: string): Promise<void> {
  const imagesHaveLoaded = '[...document.images].every((image) => image.complete && image.naturalWidth > 0)'
  await expect.poll(() => engine.evaluate(imagesHaveLoaded), polling).toBe(true)
  await keepPicture(`screens/${engine.name}-${screen}`, engine.screenshot)
}

const chromium = (name: string, binary: string, userAgent?: string) => () =>
  startChromium({ name, binary, ...(userAgent && { userAgent }) })
const chromiumNow = '/usr/bin/chromium-headless-shell'
const oldChromium = (version: string) => `${oldBrowsers}/${version}/chromium`
const ofInstagram =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 Instagram 361.0.0.46.88 Android'
const timeout = 900_000

async function checkJourney(start: () => Promise<Engine>, journey: (engine: Engine) => Promise<void>): Promise<void> {
  const engine = await start()
  try {
    console.log(`engine: ${engine.name} ${engine.version}`)
    await journey(engine)
    expect(errors.splice(0)).toEqual([])
  } catch (error) {
    console.log(`Page ${await pathOf(engine)}, errors: ${errors.splice(0).join(', ')}\n${await textOf(engine)}`)
    throw error
  } finally {
    await engine.close()
  }
}

/** The name of a browser, and what starts it. */
type Start = [name: string, start: () => Promise<Engine>]
const chromiumOf = (version: string): Start => [
  `Chromium ${version}`,
  chromium(`Chromium-${version}`, oldChromium(version)),
]
const withApp: Start[] = [
  ['Firefox', startFirefox],
  ['WebKitGTK', startWebKit],
  ['Chromium', chromium('Chromium', chromiumNow)],
  ...(oldBrowsers ? [chromiumOf('108')] : []),
]
const forGuests: Start[] = [
  ['the browser of an app', chromium('app', chromiumNow, ofInstagram)],
  ...(oldBrowsers ? [chromiumOf('69'), chromiumOf('64')] : []),
]

test.each(withApp)(
  '%s: an owner uploads and shows a photo, and a guest has it by scanning and by email',
  { timeout },
  (_, start) => checkJourney(start, async (engine) => requestAsGuest(engine, await uploadAsOwner(engine))),
)

test.each(forGuests)('%s: a guest has a photo by scanning and by email', { timeout }, async (_, start) => {
  const owner = await server.newUser()
  await owner.send('PUT', '/user/settings', { ask_email_to_receive_photo: true })
  const code = codeOf(await owner.addPhoto(picture))
  await checkJourney(start, (engine) => requestAsGuest(engine, `${address}/d/${code}`))
})

test.skipIf(!oldBrowsers)('Chromium 108: every page of the app opens, in a locale that is none', { timeout }, () =>
  checkJourney(chromium('Chromium-108', oldChromium('108')), async (engine) => {
    const owner = await server.newUser({ plan: 'pro_yearly', isAdmin: true })
    await owner.addPhoto(picture)
    for (const [name, path] of Object.entries(pages)) {
      await engine.goto(`${address}${path}`)
      if (name === 'home') await engine.evaluate(`localStorage.setItem('token', '${owner.token}')`)
      await expect
        .poll(() => engine.evaluate(`document.querySelectorAll('main h1').length`), polling)
        .toBeGreaterThan(0)
      expect(await engine.evaluate(`document.querySelector('h1').textContent`)).not.toBe('Something went wrong')
      expect(await textOf(engine)).not.toContain('needs a newer browser')
    }
  }),
)

test.skipIf(!oldBrowsers)('Chromium 69: a page of the app says which browsers it needs', { timeout }, () =>
  checkJourney(chromium('Chromium-69', oldChromium('69')), async (engine) => {
    await engine.goto(`${address}/login?lang=nl`)
    await said(engine, 'Keepsnap heeft een nieuwere browser nodig')
    expect(errors.splice(0).join()).toContain('SyntaxError')
  }),
)

/** Registers, uploads, sees the photo on Latest, in the gallery and in the viewer, and asks for email addresses. */
async function uploadAsOwner(engine: Engine): Promise<string> {
  await engine.goto(`${address}/register`)
  await engine.click(button('Essential Only'))
  await engine.type(field('Email'), `owner-${engine.name.toLowerCase()}@example.com`)
  await engine.type(field('Password'), password)
  await engine.type(field('Confirm password'), password)
  // To see that errors of pages arrive.
  const proof = 'an error that a test wrote'
  await engine.evaluate(`console.error('${proof}')`)
  await expect.poll(() => errors.splice(0).join(), polling).toContain(proof)
  await engine.click(button('Register'))
  await at(engine, /^\/$/)

  await engine.goto(`${address}/upload`)
  await engine.chooseFile("//input[@type='file' and not(@capture)]", join(folder, 'DSC_0042.jpg'))
  await engine.click(button('Upload Photo'))
  await at(engine, /^\/latest$/)
  await said(engine, 'Scan to keep this photo')
  await keep(engine, 'latest')
  const isCode = expect.stringMatching(new RegExp(`^${address}/d/[A-Za-z0-9]{22}$`))
  await expect.poll(async () => codesIn(await engine.screenshot()), codePolling).toEqual([isCode])
  const [code = ''] = await codesIn(await engine.screenshot())

  await engine.goto(`${address}/gallery`)
  await keep(engine, 'gallery')
  await engine.click("//a[starts-with(@aria-label, 'DSC_0042.jpg') or .//img[starts-with(@alt, 'DSC_0042.jpg')]]")
  await said(engine, 'Photo 1 of 1')
  await keep(engine, 'viewer')
  await engine.pressEscape()
  await at(engine, /^\/gallery$/)
  await engine.goto(`${address}/photo-requests`)
  await engine.click("//label[contains(., 'Ask for an email address')]")
  await said(engine, 'Email setting updated successfully')
  return code
}

/** Asks for the photo on the page behind the code, opens the link of the email, and saves the photo there. */
async function requestAsGuest(engine: Engine, code: string): Promise<void> {
  const guest = `guest-${engine.name.toLowerCase()}@example.com`
  await engine.goto(code)
  await at(engine, /^\/request-photo\//)
  await keep(engine, 'request')
  await engine.type(field('Your email address'), guest)
  await engine.click(button('Send Photo'))
  await said(engine, 'Request Submitted!')
  await engine.goto(readPhotoEmail(await waitForEmail(server, guest)).link)
  await said(engine, 'this link works until')
  await keep(engine, 'grant')
  const saved = await engine.evaluate(
    `fetch(document.querySelector('a[download], a[href*="download"]').href).then(async (answer) => Array.from(new Uint8Array(await answer.arrayBuffer())))`,
  )
  expect(await isSamePicture(picture, Buffer.from(saved as number[]))).toBe(true) // what the expression gives
  await engine.click("//a[normalize-space()='Download']")
  await at(engine, /^\/g\//)
}
