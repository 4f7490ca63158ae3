import { chromium, type Browser } from 'playwright-core'

/** For every Chromium of the tests. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A process less for each browser: a tenth of its CPU time.
  '--in-process-gpu',
  // Servers under a name that is not loopback are on this machine, too.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
]

let browser: Promise<Browser> | undefined

/** One browser for all files of a worker process; it ends with the process. */
export function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: browserArgs })
  return browser
}
