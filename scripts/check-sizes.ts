/**
 * What a first visit to each page loads, compressed, against the budgets of the design. Run after `vite build`:
 * `node scripts/check-sizes.ts`. Exit 1 when a page is over. Counts gzip, which is what plain http over a LAN gets.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { GuestPage, GuestRenderer } from '@keepsnap/contract/guest.ts'
import { reportReasons } from '@keepsnap/contract/reports.ts'

interface Chunk {
  file: string
  isDynamicEntry?: boolean
  imports?: string[]
  css?: string[]
}
type Manifest = Record<string, Chunk>

const dist = new URL('../web/dist/', import.meta.url)
const kilobyte = 1024
const entry = 'index.html'
const cssMost = 15 * kilobyte
const signedInMost = 170 * kilobyte
/** Pages that strangers land on. */
const publicMost = 110 * kilobyte
const publicPages = new Set([
  'HomePage',
  'LoginPage',
  'RegisterPage',
  'NotFoundPage',
  'ForgotPasswordPage',
  'ResetPasswordPage',
  'VerifyEmailPage',
])

/** The files that are there before a page shows: its own chunk, the entry, and all they import. */
function filesOf(manifest: Manifest, keys: string[], seen = new Set<string>()): Set<string> {
  const files = new Set<string>()
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) continue
    seen.add(key)
    for (const file of [chunk.file, ...(chunk.css ?? []), ...filesOf(manifest, chunk.imports ?? [], seen)]) {
      files.add(file)
    }
  }
  return files
}

const compressed = (file: string): number => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length

function weigh(files: Iterable<string>, end: string): number {
  return Array.from(files)
    .filter((file) => file.endsWith(end))
    .reduce((sum, file) => sum + compressed(file), 0)
}

// Vite's own format; a changed one shows as missing pages below.
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Manifest
const pageKeys = Object.keys(manifest).filter((key) => /^pages\/\w+Page\.tsx$/.test(key))
const tell = (bytes: number): string => `${(bytes / kilobyte).toFixed(1)} KB`

let over = pageKeys.length === 0
if (over) console.error('The build holds no pages; is web/dist there?')
for (const key of pageKeys) {
  const name = key.slice('pages/'.length, -'.tsx'.length)
  const files = filesOf(manifest, [entry, key])
  const script = weigh(files, '.js')
  const style = weigh(files, '.css')
  const most = publicPages.has(name) ? publicMost : signedInMost
  const bad = script > most || style > cssMost
  over ||= bad
  console.log(
    `${bad ? 'OVER' : 'ok  '} ${name}: JavaScript ${tell(script)} of ${tell(most)}, CSS ${tell(style)} of ${tell(cssMost)}`,
  )
}

/** A guest page with all that comes before the photo: the document, and the font. */
const guestMost = 100 * kilobyte
const guestScriptMost = 6 * kilobyte
const emailMost = 20 * kilobyte
// What vite.guest.config.ts builds.
const guest = (await import(new URL('../web/dist-guest/guest.js', import.meta.url).href)) as GuestRenderer
const photo = { id: 'x'.repeat(22), filename: 'keepsnap-2026-11-17-2251.jpg', width: 1500, height: 1000 }
const report = { action: `/report-photo/${photo.id}`, reasons: reportReasons }
const shown = { ...photo, thumbnailUrl: '/t/x', thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI' }
const asking = { state: 'form', processing: false, email: '', problem: null } as const
const request: GuestPage = { page: 'request', photo: shown, report, ...asking }
const html = guest.renderGuestPage(request, { publicUrl: 'https://keepsnap.example', path: '/', previewUrl: '/t/x' })
const document = gzipSync(html, { level: 4 }).length
const fonts = Array.from(html.matchAll(/url\(\/(assets\/[^)]+\.woff2)\)/g), ([, file = '']) => file)
const fontBytes = fonts.reduce((sum, file) => sum + readFileSync(new URL(file, dist)).length, 0)
const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1]?.length ?? 0
const email = guest.renderEmail(
  {
    kind: 'photo',
    logo: null,
    url: 'https://keepsnap.example/g/x',
    filename: 'x.jpg',
    expiresAt: '2026-11-20T22:51:00Z',
    attached: true,
    stopUrl: `https://keepsnap.example/stop/${'x'.repeat(44)}`,
  },
  { publicUrl: 'https://keepsnap.example', operator: { name: 'x', address: 'x', email: 'x@example.com' } },
).html.length
for (const [name, bytes, most] of [
  ['Guest page before the photo, compressed', document + fontBytes, guestMost],
  ['Guest page: its script, not compressed', script, guestScriptMost],
  ['Email, not compressed', email, emailMost],
] as const) {
  const bad = bytes > most || bytes === 0 || fonts.length === 0
  over ||= bad
  console.log(`${bad ? 'OVER' : 'ok  '} ${name}: ${tell(bytes)} of ${tell(most)}`)
}
process.exitCode = over ? 1 : 0
