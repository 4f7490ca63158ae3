/** An account after a season: finding, selecting and deleting photos, requests and insights. `npm run record -- season` has all of it. */
import { copyFile, link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Pool, type PoolConfig } from 'pg'
import { newId } from '@keepsnap/server/lib/ids.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isRecord } from '@keepsnap/server/test/statistics.ts'
import { sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import type { Visitor } from './visitor.ts'

const sizes = isRecord ? { photos: 20_000, evenings: 50, requests: 8_000 } : { photos: 600, evenings: 20, requests: 0 }
const timeout = 1_200_000

let visitor: Visitor
const server = useSharedServer()
beforeAll(async () => {
  visitor = await server.newUser({ plan: 'pro_yearly' })
  await visitor.send('PUT', '/user/settings', { time_zone: 'Europe/Brussels' })
  for (const name of ['dance-1200', 'table-1200', 'rings-1000'])
    await visitor.addPhoto(await sampleJpeg(name, 600), `${name}.jpg`)
  await fillSeason(server, visitor, sizes)
}, timeout)

/** What is shown with the results of a record run; times are never tested. */
const tell = (line: string): void => {
  if (isRecord) console.log(`season: ${line}`)
}
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** The calls of the list of photos from now on. */
function listCallsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/photos' && request.method() === 'GET') calls.push(search)
  })
  return calls
}

const tiles = (page: Page) => page.locator('[data-photo]')
/** A photo in the middle of the page. */
const middlePhoto = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const isBelow = (tile: Element): boolean => tile.getBoundingClientRect().top > window.innerHeight / 3
    return [...document.querySelectorAll<HTMLElement>('[data-photo]')].find(isBelow)?.dataset['photo'] ?? ''
  })
/** Rows are laid out anew from where the list begins, so that a photo may be beside its place. */
const isInView = (page: Page, id: string): Promise<boolean> =>
  page.evaluate((photo) => {
    const box = document.querySelector(`[data-photo="${photo}"]`)?.getBoundingClientRect()
    return box !== undefined && box.bottom > 0 && box.top < window.innerHeight
  }, id)

test('an evening is found without loading those between, and nothing is loaded again', { timeout }, async () => {
  const page = await server.newPage({ visitor })
  const calls = listCallsOf(page)
  let start = performance.now()
  await page.goto('/gallery')
  await tiles(page).first().waitFor()
  tell(`first photos after ${seconds(start)}`)

  await page.waitForTimeout(1_500)
  await page.keyboard.press('End')
  await page.waitForTimeout(3_000)
  tell(`End once: ${calls.length} pages loaded`)
  expect(calls.length).toBeLessThanOrEqual(3)

  await page.getByRole('button', { name: 'Go to date' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Go to date' })
  const evening = dialog.getByRole('listitem').last().getByRole('button')
  const day = (await evening.textContent())?.replace(/[\d.,]+$/, '').trim()
  calls.length = 0
  start = performance.now()
  await evening.click()
  await page.getByRole('heading', { name: day! }).waitFor()
  tell(`the oldest evening after ${seconds(start)}, ${calls.length} pages loaded`)
  expect(calls.filter((search) => search.includes('from='))).toHaveLength(1)
  // Beside it, at most one page on each side.
  expect(calls.length).toBeLessThanOrEqual(3)
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  tell(`${nodes} nodes`)
  expect(nodes).toBeLessThan(1_000)

  await page.mouse.move(600, 500)
  await page.mouse.wheel(0, 900)
  await page.waitForTimeout(1_000)
  const photo = await middlePhoto(page)
  await page.reload()
  await expect.poll(() => isInView(page, photo)).toBe(true)
  // Newer photos are loaded above it.
  await page.waitForTimeout(2_000)

  calls.length = 0
  await page.getByRole('link', { name: 'Upload', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Upload', exact: false }).first().waitFor()
  await page.goBack()
  await expect.poll(() => isInView(page, photo)).toBe(true)
  await page.context().setOffline(true)
  await page.waitForTimeout(1_000)
  await page.context().setOffline(false)
  await page.waitForTimeout(3_000)
  tell(`Back from Upload, and a lost network: ${calls.length} pages loaded`)
  expect(calls.length).toBeLessThanOrEqual(2)

  const search = page.getByRole('textbox', { name: 'Search by file name' })
  start = performance.now()
  await search.fill('img_99500')
  await expect.poll(() => tiles(page).count()).toBe(1)
  tell(`a file name after ${seconds(start)}`)
  expect(server.pageErrors).toEqual([])
})

// The tests of the pages prove what these do with few photos and requests.
describe.each(isRecord ? ['with a whole season'] : [])('%s', () => {
  test('the viewer keeps every key', { timeout }, async () => {
    const page = await server.newPage({ visitor })
    await page.goto('/gallery')
    await tiles(page).first().click()
    const viewer = page.getByRole('dialog')
    await viewer.getByText(/^Photo 1 of /).waitFor()
    await page.waitForTimeout(500)
    const start = performance.now()
    for (let n = 0; n < 300; n++) await page.keyboard.press('ArrowRight')
    await viewer.getByText(/^Photo 301 of /).waitFor()
    tell(`300 keys in ${seconds(start)}`)
    expect(server.pageErrors).toEqual([])
  })

  test('an evening is selected, and its deletion is stopped and continued', { timeout }, async () => {
    const page = await server.newPage({ visitor, isIsolated: true })
    await page.addInitScript(() => {
      const longTasks: number[] = []
      Object.assign(window, { longTasks })
      new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      })
    })
    const statusCalls: string[] = []
    page.on(
      'request',
      (request) => /\/(subscriptions\/status|user\/me)/.test(request.url()) && statusCalls.push(request.url()),
    )
    await page.goto('/gallery')
    const evenings = page.getByRole('button', { name: /^Select all photos of / })
    await evenings.nth(1).click()
    const bar = page.getByRole('region', { name: 'Selected photos' })
    const perEvening = sizes.photos / sizes.evenings
    await expect
      .poll(async () => Number(/[\d,]+/.exec(await bar.getByRole('status').innerText())?.[0].replace(',', '')))
      .toBeGreaterThanOrEqual(perEvening - 5)
    const selected = Number(/[\d,]+/.exec(await bar.getByRole('status').innerText())?.[0].replace(',', ''))
    const countOf = async (): Promise<number> =>
      Number(((await page.locator('.page-head output').innerText()).match(/[\d,]+/) ?? ['0'])[0].replaceAll(',', ''))
    const before = await countOf()
    await page.waitForTimeout(2_000)
    statusCalls.length = 0
    await page.evaluate(() => ((window as unknown as { longTasks: number[] }).longTasks.length = 0))

    await bar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(/cannot be undone/).waitFor()
    await dialog.getByRole('button', { name: /^Delete/ }).click()
    await dialog.getByText(/^Deleting [1-9]/).waitFor()
    let start = performance.now()
    await page.keyboard.press('Escape')
    await dialog.getByText('Deletion stopped').waitFor()
    tell(`stopped after ${seconds(start)}`)
    const gone = Number(/[\d,]+/.exec(await dialog.getByText(/deleted\./).innerText())?.[0].replace(',', ''))
    expect(gone).toBeGreaterThan(0)
    expect(gone).toBeLessThan(selected)
    await expect.poll(countOf).toBe(before - gone)

    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await bar.getByRole('button', { name: 'Delete' }).click()
    start = performance.now()
    await dialog.getByRole('button', { name: /^Delete/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    tell(`${selected - gone} deleted in ${seconds(start)}`)
    await expect.poll(countOf).toBe(before - selected)
    await page.waitForTimeout(3_000)
    const longTasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
    tell(
      `${longTasks.length} long tasks, the longest ${Math.round(Math.max(0, ...longTasks))} ms; ${statusCalls.length} calls for counts`,
    )
    expect(statusCalls.length).toBeLessThanOrEqual(8)
    expect(server.pageErrors).toEqual([])
  })

  test('requests are drawn as needed, and searched', { timeout }, async () => {
    const page = await server.newPage({ visitor })
    let start = performance.now()
    await page.goto('/photo-requests')
    await page
      .getByText(/^guest\d+@example\.com$/)
      .first()
      .waitFor()
    tell(`first requests after ${seconds(start)}`)
    for (let n = 0; n < 6; n++) {
      await page.keyboard.press('End')
      await page.waitForTimeout(500)
    }
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    tell(`${nodes} nodes on Photo Requests`)
    expect(nodes).toBeLessThan(1_500)
    start = performance.now()
    await page.getByRole('searchbox', { name: 'Search by email address' }).fill('guest77@')
    await expect.poll(() => page.getByText(/^guest\d+@example\.com$/).allInnerTexts()).toEqual(['guest77@example.com'])
    tell(`an address after ${seconds(start)}`)
    expect(server.pageErrors).toEqual([])
  })

  test('insights of twelve months compare two evenings', { timeout }, async () => {
    const page = await server.newPage({ visitor })
    await page.goto('/insights')
    await page.getByRole('radio', { name: '12 months' }).click()
    await page.getByRole('heading', { name: 'Two evenings side by side' }).waitFor()
    expect(server.pageErrors).toEqual([])
  })
})

/** How much an account has after a season; about three rows of activity for each photo. */
interface SeasonSizes {
  photos: number
  /** Fridays and Saturdays before today, the newest first. */
  evenings: number
  /** Of guests, within the last 88 days: older ones are removed. */
  requests: number
}

interface StoredPhoto {
  id: string
  full_key: string
  thumb_key: string
}

const pathOf = (dataDir: string, key: string): string => {
  const [kind = '', name = ''] = key.split('/')
  return join(dataDir, 'files', kind, name.slice(0, 2), name)
}

async function linkFile(dataDir: string, from: string, to: string): Promise<void> {
  await mkdir(dirname(pathOf(dataDir, to)), { recursive: true, mode: 0o700 })
  // A file has at most 65,000 names on some file systems.
  await link(pathOf(dataDir, from), pathOf(dataDir, to)).catch(() =>
    copyFile(pathOf(dataDir, from), pathOf(dataDir, to)),
  )
}

/**
 * Fills an account with copies of its photos, whose files are links, with requests and with guests' activity, by SQL. Evenings last
 * from 19:00 to 2:00 in Brussels. Of the requests' emails, 3 in 100 have failed.
 */
async function fillSeason(
  { database, dataDir }: { database: PoolConfig; dataDir: string },
  user: Pick<Visitor, 'email'>,
  { photos, evenings, requests }: SeasonSizes,
): Promise<void> {
  const pool = new Pool({ ...database, max: 1 })
  try {
    const { rows: owners } = await pool.query<{ id: string }>('select id from users where email = $1', [user.email])
    const [owner] = owners
    if (!owner) throw new Error('no such account')
    const { rows: originals } = await pool.query<StoredPhoto>(
      `select id, full_key, thumb_key from photos where user_id = $1 and state = 'ready' and deleted_at is null order by id`,
      [owner.id],
    )
    if (originals.length === 0) throw new Error('the account has no photo to copy')
    const copies = Array.from({ length: photos }, (_, place) => ({
      place,
      // In an order that no evening repeats.
      original: originals[(place * 7) % originals.length]!,
      id: newId(),
      code: newId(),
      full: `full/${newId()}`,
      thumb: `thumb/${newId()}`,
    }))
    for (const { original, full, thumb } of copies) {
      await linkFile(dataDir, original.full_key, full)
      await linkFile(dataDir, original.thumb_key, thumb)
    }
    await pool.query('begin')
    await pool.query(
      `with copy as (
         select * from json_to_recordset($2::json) as copy (place int, original text, id text, code text, "full" text, thumb text)
       ), evening as (
         select day, row_number() over (order by day desc) - 1 as evening
         from generate_series(current_date - 1000, current_date - 1, interval '1 day') as day where extract(isodow from day) in (5, 6)
       )
       insert into photos (id, user_id, code, filename, state, created_at, finished_at, counted_month, full_key, full_type, full_bytes,
         thumb_key, thumb_bytes, width, height, thumbhash, attempt)
       select copy.id, $1, copy.code, 'IMG_' || lpad((100000 - place)::text, 5, '0') || '.jpg', 'ready', at, at + interval '2 seconds', (at at time zone 'utc')::date,
         copy.full, full_type, full_bytes, copy.thumb, thumb_bytes, width, height, thumbhash, 1
       from copy
       join photos as original on original.id = copy.original
       join evening on evening.evening = place * $4::int / $3::int
       cross join lateral (select (day + interval '26 hours' - (place * $4::int % $3::int)::float8 / $3 * interval '7 hours') at time zone 'Europe/Brussels' as at) as moment`,
      [
        owner.id,
        JSON.stringify(copies.map(({ original, ...copy }) => ({ ...copy, original: original.id }))),
        photos,
        evenings,
      ],
    )
    await pool.query(
      `insert into stored_objects (key, photo_id)
       select key, photos.id from photos cross join lateral (values (full_key), (thumb_key)) as keys (key)
       where user_id = $1 and key is not null on conflict do nothing`,
      [owner.id],
    )
    await pool.query(
      `insert into photo_activity (photo_id, user_id, hour, scans, views, downloads, requests)
       select id, $1, date_trunc('hour', created_at) + make_interval(mins => 15 * quarter), 1 + place % 3, 2, place % 2, 0
       from (select id, created_at, row_number() over (order by created_at) as place from photos where user_id = $1) as photos
       cross join generate_series(1, 3) as quarter on conflict do nothing`,
      [owner.id],
    )
    await pool.query(
      `with asked as (
         select photos.id as photo_id, number, left(md5('id' || number || random()), 22) as id, left(md5('email' || number || random()), 22) as email_id,
           'guest' || number || '@example.com' as address,
           photos.created_at + make_interval(secs => 60 + number % 600) as at
         from generate_series(1, $2::int) as number
         join (
           select id, created_at, row_number() over (order by created_at desc) - 1 as place, count(*) over () as total
           from photos where user_id = $1 and created_at > now() - interval '88 days'
         ) as photos on photos.place = (number::bigint * 7919) % photos.total
       ), sent as (
         insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, created_at, due_at, give_up_at, attempts, state, sent_at, failure)
         select email_id, 'photo', $1, photo_id, address, address, at, at, at + interval '48 hours', 1,
           case when number % 100 < 3 then 'failed' else 'sent' end, case when number % 100 >= 3 then at + interval '3 seconds' end,
           case when number % 100 < 3 then 'The mail server did not accept the address.' end
         from asked returning id
       )
       insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version, requested_at, language)
       select id, photo_id, $1, email_id, address, address, '2026-11', at, 'en' from asked`,
      [owner.id, requests],
    )
    await pool.query('commit')
    await pool.query('analyze photos, photo_activity, photo_requests, emails, stored_objects')
  } finally {
    await pool.end()
  }
}
