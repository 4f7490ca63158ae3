import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { Client } from 'pg'
import { vi } from 'vitest'
import { startMailServer, type MailServer } from '@keepsnap/server/test/smtp-server.ts'
import { openPhone, type Phone } from '../guest-phone.ts'
import { sampleJpeg } from '../pictures.ts'
import { startTestServer, type DedicatedServer } from '../test-server.ts'
import type { Visitor } from '../visitor.ts'
import { watchFailures } from './failures.ts'
import { openLatest, type LatestScreen } from './latest-screen.ts'
import { numberedPhotos, slowFiles, type PhotoFile } from './numbered-photos.ts'
import { photosOf, yesterday } from './photos-of-owner.ts'
import { sendFromCamera } from './send-photos.ts'

/** A host's account with two big screens, and the people around them. */
export interface EveningRun {
  server: DedicatedServer
  mail: MailServer
  owner: Visitor
  /** The big screen whose clock can be moved. */
  main: LatestScreen
  /** Another one, with a clock that goes by itself. */
  second: LatestScreen
  /** The owner's own device. */
  desk: Page
  phone: Phone
  /** The next photos of the evening. */
  take: (count: number) => PhotoFile[]
  photosLeft: () => number
  slowFiles: PhotoFile[]
  /** From the beginning of uploads until the photo was on a screen. */
  shownAfterMs: number[]
  /** Errors of consoles and failed requests on all pages of the owner. */
  failures: string[]
  /** Everything that the program has printed. */
  log(): Promise<string>
  /** Keeps a screenshot when KEEPSNAP_SCREENSHOTS names a folder, to be looked at. */
  keep(page: Page, name: string): Promise<void>
  close(): Promise<void>
}

export async function openEvening(photoCount: number): Promise<EveningRun> {
  const cleanups: (() => void | Promise<void>)[] = []
  const failures: string[] = []
  const folder = await mkdtemp(join(tmpdir(), 'keepsnap-evening-'))
  const log = join(folder, 'program.log')
  const mail = await startMailServer((work) => void cleanups.push(work))
  const env = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Booth <photos@booth.example>' }
  const server = await startTestServer({ env, log })
  const owner = await server.newUser({ plan: 'pro_yearly' })
  await addPhotoOfYesterday(server, owner)
  const screen = { visitor: owner, failures }
  const main = await openLatest(server, { ...screen, viewport: { width: 1920, height: 1080 }, hasOwnClock: true })
  const second = await openLatest(server, { ...screen, viewport: { width: 1280, height: 720 } })
  const desk = await server.newPage({ visitor: owner, isIsolated: true })
  watchFailures(desk, failures)
  const photos = await numberedPhotos(photoCount)
  return {
    server,
    mail,
    owner,
    main,
    second,
    desk,
    failures,
    phone: await openPhone(server),
    slowFiles: await slowFiles(),
    shownAfterMs: [],
    take(count) {
      if (photos.length < count) throw new Error('the evening has no more photos')
      return photos.splice(0, count)
    },
    photosLeft: () => photos.length,
    log: () => readFile(log, 'utf8'),
    keep,
    async close() {
      await server.close()
      for (const clean of cleanups) await clean()
      await rm(folder, { recursive: true })
    },
  }
}

/** It is older than what the slideshow shows. */
async function addPhotoOfYesterday(server: DedicatedServer, owner: Visitor): Promise<void> {
  await sendFromCamera(owner, [{ name: yesterday, mimeType: 'image/jpeg', buffer: await sampleJpeg('cake-320') }])
  await vi.waitUntil(async () => (await photosOf(owner))[0]?.processing_complete, { timeout: 20_000, interval: 100 })
  const database = new Client(server.database)
  await database.connect()
  await database.query("update photos set created_at = now() - interval '13 hours'").finally(() => database.end())
}

async function keep(page: Page, name: string): Promise<void> {
  const target = process.env['KEEPSNAP_SCREENSHOTS']
  if (!target) return
  await mkdir(target, { recursive: true })
  await writeFile(join(target, `evening-${name}.png`), await page.screenshot())
}
