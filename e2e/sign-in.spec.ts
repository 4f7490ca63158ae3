import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button } from './browser.ts'
import { waitForEmail } from './guest-phone.ts'
import { countLayoutShifts, shiftProblems } from './page-problems.ts'
import { useSharedServer } from './use-shared-server.ts'
import { password } from './visitor.ts'

const server = useSharedServer()

test('signing out in one tab and a session that ends elsewhere lead to the sign-in page, and back afterwards', async () => {
  const visitor = await server.newUser()
  const one = await server.newPage({ visitor, isWithoutPolling: true })
  const other = await one.context().newPage()
  await Promise.all([one.goto('/'), other.goto('/gallery?view=all#here')])
  await other.getByText('No photos yet.').waitFor()
  await one.getByRole('button', { name: 'Account menu' }).click()
  await one.getByRole('button', { name: 'Sign out' }).click()
  await one.waitForURL('**/login')
  await other.waitForURL('**/login?return=*')
  expect((await visitor.call('GET', '/user/me')).status).toBe(401)

  await other.getByLabel('Email').fill(visitor.email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await other.waitForURL('**/gallery?view=all#here')
  await other.getByText('No photos yet.').waitFor()
  const token = await other.evaluate(() => localStorage.getItem('token'))
  await fetch(`${server.address}/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  await other.waitForURL('**/login?return=*')
  await expect.poll(() => other.evaluate(() => localStorage.getItem('token'))).toBeNull()

  // The device cookie of the first sign-in comes with the second one, and with no other call.
  const cookies = (await other.context().cookies(`${server.address}/token`)).filter(({ name }) => name === 'device')
  expect(cookies).toMatchObject([{ path: '/token', httpOnly: true, sameSite: 'Strict' }])
  await other.getByLabel('Email').fill(visitor.email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  const [sent, next] = await Promise.all([
    other.waitForRequest('**/token'),
    other.waitForRequest('**/user/me'),
    other.getByRole('main').getByRole('button', { name: 'Sign In' }).click(),
  ])
  expect((await sent.allHeaders())['cookie']).toContain(`device=${cookies[0]?.value}`)
  expect((await next.allHeaders())['cookie'] ?? '').not.toContain('device=')
  await other.getByText('No photos yet.').waitFor()
  expect(server.pageErrors).toEqual([])
})

test('a visitor switches to Dutch, registers, and confirms the address, all in Dutch', async () => {
  const email = `taal-${process.pid}@example.com`
  const page = await server.newPage()
  await page.goto('/?from=a-friend')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Nederlands' }).click()
  await page.getByRole('contentinfo').getByRole('list', { name: 'Taal' }).waitFor()
  expect(page.url()).toBe(`${server.address}/?from=a-friend`)
  await page.getByRole('main').getByRole('link', { name: 'Aan de slag' }).first().click()
  await page.getByLabel('E-mailadres').fill(email)
  await page.getByLabel('Wachtwoord', { exact: true }).fill(password)
  await page.getByLabel('Herhaal je wachtwoord').fill(password)
  await button(page, 'Registreren').click()
  await page.waitForURL(`${server.address}/`)

  const { text = '' } = await waitForEmail(server, email, /^Bevestig je e-mailadres$/)
  await page.goto(/https?:\S+\/verify-email\?token=[\w-]+/.exec(text)?.[0] ?? '')
  await button(page, 'Mijn adres bevestigen').click()
  await page.getByRole('heading', { name: 'Je adres is bevestigd' }).waitFor()
  await page.getByRole('link', { name: 'Naar Instellingen' }).click()
  await page.getByText('Bevestigd', { exact: true }).waitFor()
  expect(server.pageErrors).toEqual([])
})

/** Where texts, links and pictures of the first screen are, once its style sheets, fonts and pictures are there. */
const placesOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const styles = Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    const awaited = styles.filter(({ sheet }) => sheet === null)
    await Promise.all(awaited.map((link) => new Promise((loaded) => link.addEventListener('load', loaded))))
    // The layout requests the fonts.
    document.body.getBoundingClientRect()
    await document.fonts.ready
    const isOnScreen = (element: Element): boolean => {
      const { top, bottom, width } = element.getBoundingClientRect()
      return bottom > 0 && top < window.innerHeight && width > 0 && element.checkVisibility()
    }
    const pictures = Array.from(document.images).filter(isOnScreen)
    await Promise.all(pictures.map((picture) => picture.decode()))
    return Array.from(document.querySelectorAll('#root :is(h1, h2, p, a, img)'))
      .filter(isOnScreen)
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return `${element.localName} ${element.textContent.slice(0, 20)}: ${[x, y, width, height].map(Math.round).join(' ')}`
      })
  })

/** Opens the home page with these requests held, until the function that it resolves with is called. */
async function openHomeWithout(page: Page, held: string): Promise<() => void> {
  const release = Promise.withResolvers<void>()
  await page.route(held, async (route) => {
    await release.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  return release.resolve
}

test('public pages show their text without JavaScript, and the app takes over without a jump', async () => {
  const reader = await server.newPage({ javaScriptEnabled: false })
  for (const [path, heading] of [
    ['/', 'A photo on the screen, one scan, and it’s theirs to keep.'],
    ['/pricing', 'Questions and answers'],
  ] as const) {
    await reader.goto(path)
    expect(await reader.getByRole('heading', { name: heading }).isVisible()).toBe(true)
    expect(await reader.getByText('needs JavaScript').count()).toBe(0)
  }
  const page = await server.newPage({ isIsolated: true })
  await countLayoutShifts(page)
  const release = await openHomeWithout(page, '**/assets/*.js')
  // The whole document is here; its scripts are not.
  await page.waitForFunction(() => document.readyState === 'interactive')
  await page.locator('#root[data-rendered] h1').waitFor()
  const before = await placesOn(page)
  expect(before.length).toBeGreaterThan(5)
  release()
  await page.locator('#root:not([data-rendered]) h1').waitFor()
  // A jump is no layout shift when other elements come in the place of the first ones.
  expect(await placesOn(page)).toEqual(before)
  expect(await shiftProblems(page)).toEqual([])
})

test('a user who is signed in never sees what is for visitors', async () => {
  const page = await server.newPage({ visitor: await server.newUser() })
  const release = await openHomeWithout(page, '**/user/me')
  const signIn = page.getByRole('link', { name: 'Sign In' })
  await page.locator('#root[data-rendered]').waitFor({ state: 'attached' })
  // The browser draws nothing before it has the style sheet, which can come later than the elements.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await signIn.isVisible()).toBe(false)
  release()
  await page.getByRole('button', { name: /^Account menu/ }).waitFor()
  expect(await signIn.count()).toBe(0)
  expect(server.pageErrors).toEqual([])
})
