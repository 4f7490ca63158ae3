import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { essentialStorage } from '@keepsnap/contract/browser-storage.ts'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const isSource = (path: string) => /\.tsx?$/.test(path) && !/\.test\.|^test[\\/]|[\\/](dist|dist-guest)[\\/]/.test(path)
/** The source of the app and the guest pages, and of the module of the contract that names stored keys. */
const source = [
  ...readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((path) => isSource(path) && !path.includes('node_modules'))
    .map((path) => join('web', path)),
  'contract/languages.ts',
  'contract/browser-storage.ts',
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

describe('the list of what a browser keeps', () => {
  test.each(essentialStorage)('$name is in the source', ({ name }) => {
    const begin = name.replace(/\*$/, '')
    const keys = source.filter(({ path }) => path !== 'contract/browser-storage.ts' || begin.startsWith('cookie_'))
    expect(keys.some(({ text }) => text.includes(`'${begin}`) || text.includes(`\`${begin}`))).toBe(true)
  })

  test('no other file keeps something: a new one belongs into the list', () => {
    const keeping = source
      .filter(({ text }) => /openStorage\(|openDB[<(]|document\.cookie =/.test(text))
      .map(({ path }) => path)
    expect(keeping.toSorted()).toEqual([
      'web/app-state.ts',
      'web/features/cookies/CookieConsent.tsx',
      'web/features/cookies/page-counter.ts',
      'web/features/photos/latest/LatestView.tsx',
      'web/features/photos/latest/useFullScreen.ts',
      'web/features/photos/latest/useWatchdog.ts',
      'web/features/photos/uploads/upload-database.ts',
      'web/features/plans/UsageBanner.tsx',
      'web/features/reports/ReportNotice.tsx',
      'web/features/support/draft.ts',
      'web/lib/scroll-restoration.ts',
      'web/lib/storage.ts',
    ])
  })
})
