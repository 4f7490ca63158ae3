import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countLayoutShifts, shiftProblems } from './screens/layout-problems.ts'
import { stopPolling } from './stop-polling.ts'
import { useSharedServer, type TestServer } from './test-server.ts'
import { password, type Visitor } from './visitor.ts'

let server: TestServer
let owner: Visitor
beforeAll(async () => {
  server = await useSharedServer()
  owner = await server.newUser()
})
afterAll(async () => server.close())

async function signIn(page: Page, { email, secret = password }: { email: string; secret?: string }): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
}
async function register(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Register' }).click()
}
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
const place = (page: Page): string => page.url().slice(server.address.length)

test('a sign-in that fails says why, keeps what was typed, and can be tried again', async () => {
  const page = await server.newPage()
  await page.goto('/login')
  await signIn(page, { email: owner.email, secret: 'Wrong.Horse.1' })
  await page.getByText('Invalid email or password.').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(owner.email)

  const answers: [status: number | null, body: object, sentence: string][] = [
    [null, {}, 'Network error. Please check your internet connection.'],
    [503, { code: 'unavailable', detail: 'x' }, 'Server error (503): Server error. Please try again later.'],
    [429, { code: 'rate_limited', detail: 'Too many attempts.' }, 'Login failed: Too many attempts.'],
    [418, {}, 'Login failed: An unknown error occurred.'],
  ]
  for (const [status, json, sentence] of answers) {
    await page.route('**/token', (route) => (status === null ? route.abort() : route.fulfill({ status, json })))
    await signIn(page, owner)
    await page.getByText(sentence, { exact: true }).waitFor()
    await page.unroute('**/token')
  }
  await signIn(page, owner)
  await page.waitForURL(`${server.address}/`)
  await page.getByRole('link', { name: 'Upload Photos' }).first().waitFor()
})

test('after signing in the focus is on the heading, also when the notices above the page come late', async () => {
  const page = await server.newPage()
  await page.goto('/login')
  const statusCall = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await page.route('**/subscriptions/status', async (route) => {
    statusCall.resolve()
    await release.promise
    await route.continue()
  })
  await signIn(page, owner)
  await statusCall.promise
  const focusedHeading = page.locator('h1:focus')
  await expect.poll(() => focusedHeading.allInnerTexts()).toEqual([expect.stringContaining('Welcome')])
  release.resolve()
})

test('a registration that fails says why, and a registered address leads to signing in', async () => {
  const page = await server.newPage()
  await page.goto('/register')
  const answers: [status: number | null, body: object, sentence: string][] = [
    [null, {}, 'Network error. Please check your internet connection.'],
    [
      422,
      { code: 'invalid', detail: [{ loc: ['body', 'email'], msg: 'Bad address' }] },
      'Validation error: Bad address',
    ],
    [502, {}, 'Server error (502): Server error. Please try again later.'],
    [409, {}, 'Registration failed. Please try again.'],
  ]
  for (const [status, json, sentence] of answers) {
    await page.route('**/register', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      return status === null ? route.abort() : route.fulfill({ status, json })
    })
    await register(page, 'somebody@example.com')
    await page.getByText(sentence, { exact: true }).waitFor()
    await page.unroute('**/register')
  }
  await register(page, owner.email.toUpperCase())
  await page.getByText('This email is already registered.').waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'Sign In' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  expect(place(page)).toBe('/login')
})

test('a guarded page shows Loading..., redirects visitors to sign in, and returns them afterwards', async () => {
  const page = await server.newPage()
  await page.goto('/gallery?photo=abc#here')
  await page.waitForURL('**/login?return=*')
  await signIn(page, owner)
  await page.waitForURL('**/gallery?photo=abc#here')

  await page.route('**/user/me', () => {})
  await page.goto('/upload', { waitUntil: 'commit' })
  await page.getByText('Loading...').waitFor()
  expect(place(page)).toBe('/upload')
})

test('a return path to another site leads home', async () => {
  // A few of those in web/lib/paths.test.ts.
  const hostile = ['//evil.test/', '/\\evil.test', 'javascript:alert(1)']
  const page = await server.newPage({ visitor: owner })
  for (const back of hostile) {
    await page.goto(`/login?return=${encodeURIComponent(back)}`)
    await page.waitForURL(`${server.address}/`)
  }
  await page.goto('/login?return=%2Fupload')
  await page.waitForURL('**/upload')
  expect(server.pageErrors).toEqual([])
})

test('the previous page can pass a message', async () => {
  const page = await server.newPage()
  await page.goto('/login')
  await page.evaluate(() => {
    history.replaceState({ usr: { message: 'Your password is changed. Sign in with the new one.' }, key: 'k' }, '')
  })
  await page.reload()
  const news = page.getByText('Your password is changed. Sign in with the new one.')
  await news.waitFor()
  await signIn(page, { email: owner.email, secret: 'Wrong.Horse.1' })
  await page.getByText('Invalid email or password.').waitFor()
  expect(await news.count()).toBe(0)
})

test('signing out in one tab signs out the others, and nothing of the person stays on the screen', async () => {
  const visitor = await server.newUser()
  const one = await server.newPage({ visitor })
  const other = await one.context().newPage()
  await stopPolling(other)
  await Promise.all([one.goto('/'), other.goto('/gallery')])
  await other.getByText('No photos yet.').waitFor()
  await one.getByRole('button', { name: 'Account menu' }).click()
  await one.getByRole('button', { name: 'Sign out' }).click()
  await one.waitForURL('**/login')
  await other.waitForURL('**/login?return=%2Fgallery')
  expect((await visitor.call('GET', '/user/me')).status).toBe(401)
})

test('a session that ends elsewhere ends here automatically', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage({ visitor })
  await stopPolling(page)
  await page.goto('/latest')
  await page.getByText('No photos uploaded yet.').waitFor()
  await visitor.call('POST', '/logout')
  await page.waitForURL('**/login?return=%2Flatest')
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('a deactivated account is signed out everywhere and cannot sign in', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage({ visitor })
  await stopPolling(page)
  await page.goto('/upload')
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor()
  await server.changeAccount(visitor.email, { is_active: false })
  await page.waitForURL('**/login?return=%2Fupload')
  await signIn(page, visitor)
  await page.getByText('Invalid email or password.').waitFor()
  expect(server.pageErrors).toEqual([])
})

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
  const page = await server.newPage()
  await countLayoutShifts(page)
  const release = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await release.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  // The whole document is here; its scripts wait for `release`.
  await page.waitForFunction(() => document.readyState === 'interactive')
  await page.locator('#root[data-rendered] h1').waitFor()
  const before = await placesOn(page)
  expect(before.length).toBeGreaterThan(5)
  release.resolve()
  await page.locator('#root:not([data-rendered]) h1').waitFor()
  // A jump is no layout shift when other elements come in the place of the first ones.
  expect(await placesOn(page)).toEqual(before)
  expect(await shiftProblems(page)).toEqual([])
})

test('a user who is signed in never sees what is for visitors', async () => {
  const page = await server.newPage({ visitor: owner })
  const release = Promise.withResolvers<void>()
  await page.route('**/user/me', async (route) => {
    await release.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  const signIn = page.getByRole('link', { name: 'Sign In' })
  await page.locator('#root[data-rendered]').waitFor({ state: 'attached' })
  // The browser draws nothing before it has the style sheet, which can come later than the elements.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await signIn.isVisible()).toBe(false)
  release.resolve()
  await page.getByRole('button', { name: /^Account menu/ }).waitFor()
  expect(await signIn.count()).toBe(0)
})
