/**
 * Makes docs/latest.webp: the Latest page of the real program with one of our sample photos on it, as a big screen
 * shows it. Run it again after the page has changed: node scripts/make-picture.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { openVenue } from '../e2e/browser.ts'
import { cameraPhoto } from '../e2e/pictures.ts'

const root = join(import.meta.dirname, '..')
const width = 1600
const mostBytes = 150_000
/** In the order in which they were taken; the last one has the stage. */
const taken = ['rings-320', 'bouquet-640', 'table-1200', 'topper-1200', 'dance-1200']

// The code on the picture leads to an address that is nobody's.
const venue = await openVenue({ hostname: 'keepsnap.test' })
try {
  const visitor = await venue.visitor()
  const page = await venue.screen({ visitor, viewport: { width, height: 900 }, reducedMotion: 'reduce' })
  for (const [n, name] of taken.entries()) {
    const file = Uint8Array.from(await cameraPhoto(name, 2400))
    if (!(await visitor.upload(file, { name: `DSC_${4370 + n}.JPG` }))) throw new Error(`${name} was not taken`)
  }
  await page.goto('/latest')
  await page.getByRole('img', { name: /^DSC_4374\.JPG, / }).waitFor()
  await page.getByRole('list', { name: 'Previous photos' }).getByRole('listitem').nth(3).waitFor()
  // The controls hide by themselves.
  await page.locator('.stage--quiet').waitFor()
  await page.waitForLoadState('networkidle')
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toBuffer()
  if (picture.length > mostBytes) throw new Error(`the picture has ${picture.length} bytes, more than ${mostBytes}`)
  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(join(root, 'docs', 'latest.webp'), picture)
  process.stdout.write(`docs/latest.webp: ${picture.length} bytes\n`)
} finally {
  await venue.close()
}
