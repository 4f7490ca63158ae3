import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { waitLimitMs } from './wait-limit.ts'

/**
 * What an independent reader (zbar) finds in a picture of the page as it is shown, in no particular order. Two codes
 * with the same text count once.
 */
export async function codesOn(page: Page): Promise<string[]> {
  return codesIn(await page.screenshot())
}

/** For `expect.poll`: reading a picture takes a while. */
export const codePolling = { interval: 500, timeout: waitLimitMs }

/** What zbar finds in a PNG. */
export async function codesIn(png: Buffer): Promise<string[]> {
  // `binary`: otherwise zbar decodes some texts as Japanese (Shift JIS).
  const options = ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', '-Sqrcode.binary']
  const reading = promisify(execFile)('zbarimg', [...options, 'png:-'])
  reading.child.stdin?.end(png)
  try {
    const { stdout } = await reading
    return [...new Set(stdout.split('\n').filter(Boolean))]
  } catch (error) {
    // zbarimg exits with 4 when it finds no code.
    if ((error as { code?: unknown }).code === 4) return []
    throw error
  }
}
