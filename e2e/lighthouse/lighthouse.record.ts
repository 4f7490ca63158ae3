import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { browserArgs } from '../browser.ts'
import { sampleJpeg } from '../pictures.ts'
import { freePort } from '../../server/test/child-processes.ts'
import { useSharedServer } from '../use-shared-server.ts'

const runs = 5
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof categories)[number]
type Scores = Record<Category, number>

/** The part of Lighthouse's report that is read. */
interface Report {
  categories: Record<Category, { score: number | null }>
  runtimeError?: { message: string }
}

let browser: Browser
let port: number
let requestPage: string
const server = useSharedServer()
beforeAll(async () => {
  const owner = await server.newUser({ plan: 'pro_monthly' })
  const photo = await owner.upload(Uint8Array.from(await sampleJpeg('table-1200', 1200)))
  requestPage = `/request-photo/${photo?.id}`
  await vi.waitUntil(async () => (await fetch(`${server.address}${requestPage}`)).ok, {
    timeout: 20_000,
    interval: 100,
  })
  port = await freePort()
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [...browserArgs, `--remote-debugging-port=${port}`],
  })
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** From 0 to 100, on the phone that Lighthouse simulates. */
async function scoresOf(path: string): Promise<Scores> {
  const cli = join(import.meta.dirname, 'node_modules/lighthouse/cli/index.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      cli,
      `${server.address}${path}`,
      `--port=${port}`,
      '--output=json',
      '--quiet',
      '--no-enable-error-reporting',
      `--only-categories=${categories.join(',')}`,
    ],
    { maxBuffer: 64 * 1024 ** 2, timeout: 120_000 },
  )
  const report = JSON.parse(stdout) as Report // the format of Lighthouse
  if (report.runtimeError) throw new Error(report.runtimeError.message)
  const scores = categories.map((category) => [category, Math.round((report.categories[category].score ?? 0) * 100)])
  return Object.fromEntries(scores) as Scores // of all categories
}

const medianOf = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test.for([
  { name: 'home', path: () => '/', seo: 100 },
  { name: 'sign-in', path: () => '/login', seo: 100 },
  { name: 'pricing', path: () => '/pricing', seo: 100 },
  // Not indexed on purpose.
  { name: 'request page', path: () => requestPage, seo: expect.any(Number) },
])('$name: full marks, and at least 95 for performance', { timeout: 600_000 }, async ({ name, path, seo }) => {
  const all: Scores[] = []
  for (let run = 0; run < runs; run++) all.push(await scoresOf(path()))
  const medians = categories.map((category) => [category, medianOf(all.map((scores) => scores[category]))] as const)
  console.log(`lighthouse: ${name}, median of ${runs}: ${medians.map((pair) => pair.join(' ')).join(', ')}`)
  const { performance, ...others } = Object.fromEntries(medians) as Scores // of all categories
  expect(others).toEqual({ accessibility: 100, 'best-practices': 100, seo })
  expect(performance).toBeGreaterThanOrEqual(95)
})
