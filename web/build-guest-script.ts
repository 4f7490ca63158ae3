import { join } from 'node:path'
import { build } from 'vite'
import { guestBrowsers } from './browsers.ts'

/** Bundles and minifies the script of the guest pages. Each page contains it. */
export async function buildGuestScript(): Promise<string> {
  const built = await build({
    configFile: false,
    root: join(import.meta.dirname, 'guest'),
    logLevel: 'warn',
    build: {
      write: false,
      minify: true,
      target: guestBrowsers,
      rolldownOptions: { input: join(import.meta.dirname, 'guest/script/main.ts'), output: { format: 'iife' } },
    },
  })
  const output = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [first, ...more] = output
  if (first?.type !== 'chunk' || more.length > 0) throw new Error('the script of the guest pages is not one file')
  if (/<\/script/i.test(first.code)) throw new Error('the script of the guest pages contains its own closing tag')
  return first.code.trim()
}
