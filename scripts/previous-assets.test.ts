import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepPreviousAssets } from './previous-assets.mjs'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'previous-assets-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

/** A build of the web app with these assets. */
function build(folder: string, ...names: string[]): string {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  for (const name of names) writeFileSync(join(folder, 'assets', name), name)
  return folder
}

test('a build keeps the assets of the one before it, which a running server still offers, and of none before that', () => {
  const first = build(join(parent, '1'), 'app-1.js', 'font.woff2')
  const second = build(join(parent, '2'), 'app-2.js', 'font.woff2')
  const third = build(join(parent, '3'), 'app-3.js', 'font.woff2')
  const assets = (folder: string) => readdirSync(join(folder, 'assets')).toSorted()

  keepPreviousAssets(join(parent, 'none'), first)
  expect(assets(first)).toEqual(['app-1.js', 'font.woff2'])
  keepPreviousAssets(first, second)
  expect(assets(second)).toEqual(['app-1.js', 'app-2.js', 'font.woff2'])
  keepPreviousAssets(second, third)
  expect(assets(third)).toEqual(['app-2.js', 'app-3.js', 'font.woff2'])
})
