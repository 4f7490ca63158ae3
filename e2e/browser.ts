import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { freePort, startProgram, type Program } from './program.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const root = join(import.meta.dirname, '..')
const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How a page is looked at. `visitor`: who is signed in from the start. */
export interface ScreenOptions extends BrowserContextOptions {
  visitor?: Visitor
}

/** The real program and a real browser; one of each for a story. */
export interface Venue {
  /** Where people reach it. */
  address: string
  dataDir: string
  port: number
  program: Program
  browser: Browser
  /** A page in a browser of its own: nothing is shared with others, not even the address that it comes from. */
  screen(options?: ScreenOptions): Promise<Page>
  /** Somebody new, registered over the API. */
  visitor(): Promise<Visitor>
  /** An operator's command beside the running program; resolves with what it prints, rejects when it fails. */
  operate(...words: string[]): Promise<string>
  /** What went wrong in pages by itself: uncaught errors, refusals of the content policy. */
  faults: string[]
  close(): Promise<void>
}

interface VenueOptions {
  /** Settings of the program. */
  env?: Record<string, string>
  /** A name instead of 127.0.0.1; the browser finds the program under it. */
  hostname?: string
  command?: string[]
}

/** Starts the program on an empty folder, and a browser. */
export async function openVenue({ env = {}, hostname, command }: VenueOptions = {}): Promise<Venue> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keepsnap-e2e-'))
  const port = await freePort()
  const settings = {
    TRUSTED_PROXIES: '127.0.0.1',
    ...(hostname && { PUBLIC_URL: `http://${hostname}:${port}` }),
    ...env,
  }
  const mapped = hostname ? [`--host-resolver-rules=MAP ${hostname} 127.0.0.1`] : []
  const [program, browser] = await Promise.all([
    startProgram({ dataDir, port, env: settings, ...(command && { command }) }),
    chromium.launch({ executablePath: '/usr/bin/chromium', args: [...browserArgs, ...mapped] }),
  ])
  const address = `http://${hostname ?? '127.0.0.1'}:${port}`
  const faults: string[] = []
  let clients = 0
  const nextClient = (): string => `198.51.100.${(clients += 1)}`

  return {
    address,
    dataDir,
    port,
    program,
    browser,
    faults,
    async screen({ visitor, ...options } = {}) {
      const context = await browser.newContext({
        baseURL: address,
        viewport: { width: 1280, height: 800 },
        locale: 'en-US',
        extraHTTPHeaders: { 'x-forwarded-for': nextClient() },
        ...(visitor && {
          storageState: {
            cookies: [],
            origins: [{ origin: address, localStorage: [{ name: 'token', value: visitor.token }] }],
          },
        }),
        ...options,
      })
      context.setDefaultTimeout(10_000)
      const page = await context.newPage()
      listen(page, faults)
      return page
    },
    visitor: () => newVisitor(program.address, nextClient()),
    async operate(...words) {
      const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'server/main.ts'), ...words], {
        cwd: root,
        env: { PATH: process.env.PATH, HOST: '127.0.0.1', DATA_DIR: dataDir, PUBLIC_URL: address, LOG_LEVEL: 'error' },
        timeout: 30_000,
      })
      return stdout.trim()
    },
    async close() {
      await browser.close()
      await program.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function listen(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    // What the server refuses on purpose, and cut lines, are part of the stories.
    const isNetwork = /^Failed to load resource|^WebSocket connection to/.test(message.text())
    if (message.type() === 'error' && !isNetwork) faults.push(`${page.url()}: ${message.text()}`)
  })
}
