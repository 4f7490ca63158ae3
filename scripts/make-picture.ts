/**
 * Creates docs/latest.webp: a screenshot of the Latest page with sample photos, on a large screen. Run it again after the
 * page has changed: node scripts/make-picture.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { startTestServer } from '../e2e/test-server.ts'
import { cameraPhoto } from '../e2e/pictures.ts'

const root = join(import.meta.dirname, '..')
const width = 1600
const maxBytes = 150_000
/** In the order of their upload; the page shows the last one large. */
const names = ['rings-320', 'bouquet-640', 'table-1200', 'topper-1200', 'dance-1200']

// The QR code in the screenshot leads to a host that does not exist.
const server = await startTestServer({ hostname: 'keepsnap.test', embedded: true })
try {
  const visitor = await server.newUser()
  const page = await server.newPage({ visitor, viewport: { width, height: 900 }, reducedMotion: 'reduce' })
  for (const [n, name] of names.entries()) {
    const file = Uint8Array.from(await cameraPhoto(name, 2400))
    if (!(await visitor.upload(file, { name: `DSC_${4370 + n}.JPG` }))) throw new Error(`the upload of ${name} failed`)
  }
  await page.goto('/latest')
  await page.getByRole('img', { name: /^DSC_4374\.JPG, / }).waitFor()
  await page.getByRole('list', { name: 'Other photos' }).getByRole('listitem').nth(3).waitFor()
  // The controls are hidden after some seconds.
  await page.locator('.latest--idle').waitFor()
  await page.waitForLoadState('networkidle')
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toBuffer()
  if (picture.length > maxBytes) throw new Error(`the screenshot has ${picture.length} bytes, more than ${maxBytes}`)
  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(join(root, 'docs', 'latest.webp'), picture)
  process.stdout.write(`docs/latest.webp: ${picture.length} bytes\n`)
} finally {
  await server.close()
}
