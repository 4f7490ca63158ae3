/**
 * Compares the sizes of the web build with the budgets of the design: what the first visit to each page loads, guest pages
 * and emails, of each the largest of all languages. Sizes are those with gzip, because browsers accept Brotli over HTTPS only, not over plain HTTP in a LAN.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { GuestPage, GuestRenderer } from '@keepsnap/contract/guest.ts'
import { defaultLanguage, languages, type Language } from '@keepsnap/contract/languages.ts'
import { reportReasons } from '@keepsnap/contract/reports.ts'
import { root } from './source-files.ts'
import { isBuilt } from './web-build.mjs'

/** One entry of Vite's manifest. */
interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}
type Manifest = Record<string, Chunk>

interface Size {
  name: string
  language?: Language
  bytes: number
  mostBytes: number
}

const dist = new URL('../web/dist/', import.meta.url)
const kilobyte = 1024
const entry = 'index.html'
const budgets = {
  css: 15 * kilobyte,
  signedInScript: 170 * kilobyte,
  publicScript: 110 * kilobyte,
  /** The page for operators, which admins load after the empty page that everybody else gets. */
  operatorScript: 135 * kilobyte,
  /** The big screen with sample pictures, which visitors open too. */
  demoScript: 116 * kilobyte,
  /** Before the photo: the document and the font. */
  guestPage: 100 * kilobyte,
  /** Not compressed. */
  guestScript: 6 * kilobyte,
  /** Not compressed. */
  email: 20 * kilobyte,
}
/** Pages that visitors without an account open. */
const publicPages = new Set([
  'HomePage',
  'LoginPage',
  'RegisterPage',
  'NotFoundPage',
  'AdminPage',
  'ForgotPasswordPage',
  'ResetPasswordPage',
  'VerifyEmailPage',
])

function scriptBudgetOf(page: string): number {
  if (page === 'DemoScreenPage') return budgets.demoScript
  if (page === 'OperatorPage') return budgets.operatorScript
  return publicPages.has(page) ? budgets.publicScript : budgets.signedInScript
}

/** The files that a page needs before it is shown: its own chunk, the entry, and all their static imports. */
function filesOf(manifest: Manifest, keys: string[], visited = new Set<string>()): Set<string> {
  const files = new Set<string>()
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || visited.has(key)) continue
    visited.add(key)
    for (const file of [chunk.file, ...(chunk.css ?? []), ...filesOf(manifest, chunk.imports ?? [], visited)])
      files.add(file)
  }
  return files
}

const sizes = new Map<string, number>()
function compressedBytes(file: string): number {
  const bytes = sizes.get(file) ?? gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length
  sizes.set(file, bytes)
  return bytes
}

const sumOf = (files: Iterable<string>, extension: string): number =>
  Array.from(files)
    .filter((file) => file.endsWith(extension))
    .reduce((sum, file) => sum + compressedBytes(file), 0)

/** The largest of all languages, by name; they differ only in their sentences. */
function largestOf(sizes: readonly Size[]): Size[] {
  const largest = new Map<string, Size>()
  for (const size of sizes) if (size.bytes > (largest.get(size.name)?.bytes ?? -1)) largest.set(size.name, size)
  return [...largest.values()]
}

function pageSizes(language: Language): Size[] {
  const file = language === defaultLanguage ? 'manifest.json' : `manifest.${language}.json`
  // Vite's own format; when it changes, no pages are found.
  const manifest = JSON.parse(readFileSync(new URL(`.vite/${file}`, dist), 'utf8')) as Manifest
  const pageModules = Object.keys(manifest).filter((path) => /^pages\/\w+Page\.tsx$/.test(path))
  if (pageModules.length === 0) throw new Error('the manifest of the build contains no pages')
  return pageModules.flatMap((pageModule) => {
    const name = pageModule.slice('pages/'.length, -'.tsx'.length)
    const files = filesOf(manifest, [entry, pageModule])
    const scriptBudget = scriptBudgetOf(name)
    return [
      { name: `${name}: JavaScript`, language, bytes: sumOf(files, '.js'), mostBytes: scriptBudget },
      { name: `${name}: CSS`, language, bytes: sumOf(files, '.css'), mostBytes: budgets.css },
    ]
  })
}

function guestPageSizes({ renderGuestPage }: GuestRenderer, language: Language): Size[] {
  const photo = { id: 'x'.repeat(22), filename: 'keepsnap-2026-11-17-2251.jpg', width: 1500, height: 1000 }
  const page: GuestPage = {
    page: 'request',
    photo: { ...photo, thumbnailUrl: '/t/x', thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI' },
    report: { action: `/report-photo/${photo.id}`, reasons: reportReasons },
    state: 'form',
    processing: false,
    email: '',
    problem: null,
  }
  const html = renderGuestPage(page, {
    publicUrl: 'https://keepsnap.example',
    path: '/',
    previewUrl: '/t/x',
    language,
    hasLanguageLinks: true,
  })
  // The server's level for pages.
  const documentBytes = gzipSync(html, { level: 4 }).length
  const fonts = Array.from(html.matchAll(/url\(\/(assets\/[^)]+\.woff2)\)/g), ([, file = '']) => file)
  if (fonts.length === 0) throw new Error('the guest page has no font')
  const fontBytes = fonts.reduce((sum, file) => sum + readFileSync(new URL(file, dist)).length, 0)
  const scriptBytes = /<script>([\s\S]*)<\/script>/.exec(html)?.[1]?.length ?? 0
  return [
    { name: 'guest page before the photo', language, bytes: documentBytes + fontBytes, mostBytes: budgets.guestPage },
    { name: 'guest page: script, not compressed', bytes: scriptBytes, mostBytes: budgets.guestScript },
  ]
}

function emailSize({ renderEmail }: GuestRenderer, language: Language): Size {
  const { html } = renderEmail(
    {
      kind: 'photo',
      logo: null,
      brandName: 'x'.repeat(60),
      thumbnail: { cid: 'photo', width: 480, height: 320 },
      url: 'https://keepsnap.example/g/x',
      filename: 'x.jpg',
      expiresAt: '2026-11-20T22:51:00Z',
      attached: true,
      stopUrl: `https://keepsnap.example/stop/${'x'.repeat(44)}`,
    },
    { publicUrl: 'https://keepsnap.example', operator: { name: 'x', address: 'x', email: 'x@example.com' }, language },
  )
  return { name: 'email, not compressed', language, bytes: html.length, mostBytes: budgets.email }
}

const inKilobytes = (bytes: number): string => `${(bytes / kilobyte).toFixed(1)} KB`

function printSize({ name, language, bytes, mostBytes }: Size): void {
  // A part that is empty was not found.
  const passed = bytes > 0 && bytes <= mostBytes
  process.stdout.write(
    `${passed ? 'ok  ' : 'FAIL'} ${name}${language ? ` (${language})` : ''}: ${inKilobytes(bytes)} of ${inKilobytes(mostBytes)}\n`,
  )
  if (!passed) process.exitCode = 1
}

if (isBuilt(root)) {
  // The exports of web/guest/main.ts, which vite.guest.config.ts builds.
  const guest = (await import(new URL('../web/dist-guest/guest.js', import.meta.url).href)) as GuestRenderer
  const sizesOf = (language: Language): Size[] => [
    ...pageSizes(language),
    ...guestPageSizes(guest, language),
    emailSize(guest, language),
  ]
  for (const size of largestOf(languages.flatMap(sizesOf))) printSize(size)
} else {
  process.stderr.write('The build of the web app is missing or out of date; run: npm run build\n')
  process.exitCode = 1
}
