import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '@keepsnap/server/db/connect.ts'
import { createLog } from '@keepsnap/server/runtime/log.ts'
import { accessibilityProblems } from './axe.ts'
import { sampleJpeg } from './pictures.ts'
import { button } from './screen.ts'
import { stopPolling } from './stop-polling.ts'
import { startTestServer, type DedicatedServer } from './test-server.ts'
import type { Visitor } from './visitor.ts'

let server: DedicatedServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Return {
  successUrl?: string
  cancelUrl?: string
}

/** The address of a new checkout. */
async function openCheckout(
  visitor: Visitor,
  priceId: string,
  { successUrl, cancelUrl }: Return = {},
): Promise<string> {
  const answer = await visitor.call('POST', '/subscriptions/checkout', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      price_id: priceId,
      success_url: successUrl ?? `${server.address}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: cancelUrl ?? `${server.address}/pricing`,
    }),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { checkout_url: string }).checkout_url // what the contract says
}
const planOf = async (visitor: Visitor): Promise<string> =>
  ((await (await visitor.call('GET', '/subscriptions/status')).json()) as { plan: { id: string } }).plan.id // what the contract says

test('declined, then paid: the form leads to the page of success, and the plan counts', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage({ visitor })
  await page.goto(await openCheckout(visitor, 'demo_pro_monthly'))
  expect(await accessibilityProblems(page, { screenshotName: 'Demo checkout' })).toEqual([])
  await page.getByText('Demo: no money moves').waitFor()
  await page.getByLabel('Card that is declined').check()
  await page.getByRole('button', { name: 'Pay $14.99 (demo)' }).click()
  await page.getByRole('alert').getByText('The card was declined.').waitFor()
  // The browser moves the focus when it draws the page.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert')
  expect(await accessibilityProblems(page, { screenshotName: 'Demo checkout, declined' })).toEqual([])
  expect(await planOf(visitor)).toBe('free')
  await page.getByLabel('Card that is accepted').check()
  await page.getByRole('button', { name: 'Pay $14.99 (demo)' }).click()
  await page.waitForURL(/\/subscription\/success\?session_id=demo_cs_\w{22}$/)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => planOf(visitor)).toBe('pro_monthly')
})

test('cancelled, in both places of the page: back where it was started from, and nothing is paid', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage({ visitor })
  for (const name of ['Cancel and go back', 'Back to Keepsnap']) {
    await page.goto(await openCheckout(visitor, 'demo_pro_yearly'))
    await page.getByRole('button', { name }).click()
    await page.waitForURL('**/pricing')
  }
  expect(await planOf(visitor)).toBe('free')
})

test('by the keyboard alone, in a browser that came from another origin of this server', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage({ javaScriptEnabled: false })
  const other = `http://localhost:${server.port}`
  await page.goto(await openCheckout(visitor, 'demo_pro_yearly', { successUrl: `${other}/subscription/success` }))
  await page.getByLabel('Card that is accepted').focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.getByLabel('Card that is declined').isChecked()).toBe(true)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${other}/subscription/success?session_id=*`)
})

test('a checkout that was paid, in a second tab, says so', async () => {
  const visitor = await server.newUser()
  const address = await openCheckout(visitor, 'demo_pro_monthly')
  const [first, second] = [await server.newPage({ visitor }), await server.newPage({ visitor })]
  await first.goto(address)
  await second.goto(address)
  for (const page of [first, second]) {
    await page.getByRole('button', { name: 'Pay $14.99 (demo)' }).click()
    await page.waitForURL('**/subscription/success?*')
  }
  await second.goto(address)
  await second.getByRole('heading', { name: 'This checkout has been paid' }).waitFor()
  expect(await accessibilityProblems(second, { screenshotName: 'Demo checkout, paid' })).toEqual([])
  const invoices = await visitor.call('GET', '/subscriptions/invoices')
  expect(await invoices.json()).toHaveLength(1)
  expect(server.pageErrors).toEqual([])
})

const query = async (text: string, values: unknown[] = []) => {
  const database = connect(server.database, createLog('error'), 1)
  return (await database.pool.query(text, values).finally(() => database.close())).rows
}

/** Two photos that take 0.7 GB each, as far as is written down. */
async function uploadLarge(visitor: Visitor): Promise<string[]> {
  const file = Uint8Array.from(await sampleJpeg('table-720', 720))
  const photos = [await visitor.upload(file), await visitor.upload(file)]
  await expect.poll(() => query("select 1 from photos where state = 'ready'")).toHaveLength(2)
  await query('update photos set full_bytes = (0.7 * (1 << 30))::bigint')
  return photos.map((photo) => photo?.id ?? '')
}

/** Runs what is tried again after some time, until the three emails about photos that will be removed are written. */
async function sendRemovalEmails(): Promise<void> {
  const work = async () => {
    await query("update emails set due_at = now() where kind = 'removal' and state = 'queued'")
    await query(
      "update graphile_worker._private_jobs set run_at = now() where key like 'email:%' and locked_at is null and run_at > now()",
    )
    await query("select graphile_worker.add_job('check-kept-photos', '{}'::json, job_key => 'check-kept-photos')")
    return query('select day from photo_keeping_emails where accepted_at is not null order by day')
  }
  await expect.poll(work, { interval: 300 }).toEqual([{ day: 0 }, { day: 20 }, { day: 27 }])
}

test('demo-clock renews, ends what was cancelled, and lets photos be kept and then removed, while the server runs', async () => {
  const visitor = await server.newUser()
  const page = await server.newPage({ visitor })
  await page.goto(await openCheckout(visitor, 'demo_pro_monthly'))
  await page.getByRole('button', { name: 'Pay $14.99 (demo)' }).click()
  await page.waitForURL('**/subscription/success?*')
  const invoices = async (): Promise<number> =>
    ((await (await visitor.call('GET', '/subscriptions/invoices')).json()) as unknown[]).length // what the contract says
  await expect.poll(() => planOf(visitor)).toBe('pro_monthly')
  expect(await server.runCommand('demo-clock', '+31d')).toMatch(
    /, 31 days ahead\.\n\d renewals?, 0 subscriptions ended\.$/,
  )
  await expect.poll(invoices).toBe(2)
  expect(await planOf(visitor)).toBe('pro_monthly')
  await visitor.call('POST', '/subscriptions/cancel')
  const [, newest] = await uploadLarge(visitor)
  await stopPolling(page)
  await page.goto('/upload')
  await page.getByText('Your plan (Pro Monthly) allows files up to 100 MB.').waitFor()
  await server.runCommand('demo-clock', '+32d')
  await page.getByText('Your plan (Free) allows files up to 50 MB.').waitFor()
  expect(await planOf(visitor)).toBe('free')
  expect(await invoices()).toBe(2)
  // The photos are kept for 30 days; their owner reads when they go.
  await page.getByText(/^1 photo will be removed on /).waitFor()
  await server.runCommand('demo-clock', '+31d', '--yes')
  await sendRemovalEmails()
  // No mail server has accepted the emails, so the operator decides.
  expect(await visitor.call('GET', '/photos').then((answer) => answer.json())).toHaveLength(2)
  expect(await server.runCommand('removals', '--yes')).toContain(`${visitor.email}: 1 photo, 0.70 GB`)
  await page.getByText('1 photo was removed.').waitFor()
  await page.goto('/settings')
  await button(page, 'Restore photo').click()
  await page.getByText('Your removed photos do not fit into the storage of your plan.').waitFor()
  await visitor.call('DELETE', `/photos/${newest}`)
  await button(page, 'Restore photo').click()
  await page.getByText('1 photo restored.').waitFor()
  expect(server.pageErrors).toEqual([])
})
