import { sql } from 'kysely'
import { type SampleName, sampleNames, samplePagePath } from '@keepsnap/contract/site.ts'
import { sampleCode, samplePage, createTestCode, openTestCode, testCodeImage } from '@keepsnap/contract/guests.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isAppleDevice, isPreviewProgram } from '../../lib/headers.ts'
import { createQrCodeCache } from '../../lib/qr-codes.ts'
import { publish } from '../../platform/live/bus.ts'
import { guestFrame } from './page-props.ts'
import { sendQrCode, splitQrCodeName } from './sharing.ts'

/** Shorter than that of files with a hash in their name: PUBLIC_URL is part of the code. */
const codeCacheControl = 'public, max-age=3600'
/** Shorter still: an update of the program changes the name of the page's picture. */
const pageCacheControl = 'public, max-age=60'

const sampleNamed = (name: string): SampleName | undefined => sampleNames.find((sample) => sample === name)

/**
 * The sample pictures of the home page and of the demonstration of the big screen: their codes, and the page that each
 * code leads to. They are the same for everybody, use no database and count nothing.
 */
export function sampleRoutes(serve: Serve, { config, urls, guestRenderer }: Dependencies): void {
  const drawQrCode = createQrCodeCache()

  serve(samplePage, async ({ params }, { req, reply }) => {
    const name = sampleNamed(params.name)
    if (name === undefined) {
      const page = { page: 'gone', why: 'photo' } as const
      const frame = guestFrame(config.publicUrl, samplePagePath(''))
      return sendGuestPage(reply, guestRenderer, { page, frame, status: 404 })
    }
    await sendGuestPage(reply.header('vary', 'origin, user-agent'), guestRenderer, {
      page: { page: 'sample', name, ios: isAppleDevice(req.headers) },
      frame: guestFrame(config.publicUrl, samplePagePath(name)),
      cacheControl: pageCacheControl,
    })
  })
  serve(sampleCode, async ({ params }, call) => {
    const [text, format] = splitQrCodeName(params.name)
    const name = sampleNamed(text)
    if (name === undefined) throw new Fault('not_found', 'There is no sample picture with this name.')
    const picture = drawQrCode(urls.samplePage(name), format)
    await sendQrCode(call, { format, ...picture, cacheControl: codeCacheControl })
  })
}

const lifetimeMinutes = 15

/**
 * Codes that owners try with a phone before an evening: opening one tells the open pages of its owner, and shows a sample
 * picture.
 */
export function testCodeRoutes(serve: Serve, { config, db, tokens, guestRenderer }: Dependencies): void {
  const codes = tokens.testCodes
  const drawQrCode = createQrCodeCache()

  serve(createTestCode, async (_, { actor }) => {
    const { rows } = await sql<{ expiresAt: number }>`
      select extract(epoch from now() + make_interval(mins => ${lifetimeMinutes}))::bigint as "expiresAt"`.execute(db)
    const expiresAt = Number(rows[0]?.expiresAt)
    const imagePath = testCodeImage.path.replace(':token', `${codes.token(actor.userId, expiresAt)}.svg`)
    return { image_url: config.publicUrl + imagePath, expires_at: new Date(expiresAt * 1000).toISOString() }
  })

  serve(testCodeImage, async ({ params }, call) => {
    const [token, format] = splitQrCodeName(params.token)
    if (!codes.read(token)) throw new Fault('not_found', 'There is no such test code.')
    const picture = drawQrCode(config.publicUrl + openTestCode.path.replace(':token', token), format)
    await sendQrCode(call, { format, ...picture, cacheControl: 'private, no-cache' })
  })

  serve(openTestCode, async ({ params: { token } }, { req, reply }) => {
    const code = codes.read(token)
    const frame = guestFrame(config.publicUrl, openTestCode.path.replace(':token', ''))
    // A preview of the link is no scan.
    if (!code || !(isPreviewProgram(req.headers) || (await notifyOwnerOfScan(db, code)))) {
      return sendGuestPage(reply, guestRenderer, { page: { page: 'gone', why: 'expired' }, frame, status: 404 })
    }
    const page = { page: 'sample', name: 'topper', ios: isAppleDevice(req.headers) } as const
    await sendGuestPage(reply, guestRenderer, { page, frame, cacheControl: 'no-store' })
  })
}

/** Tells the pages of the owner; false when the code has expired or its owner is gone. */
async function notifyOwnerOfScan(
  db: Db,
  { userId, expiresAt }: { userId: string; expiresAt: number },
): Promise<boolean> {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .where(sql<boolean>`to_timestamp(${expiresAt}) > now()`)
    .executeTakeFirst()
  if (owner) await publish(db, { kind: 'test-code', user: owner.id })
  return owner !== undefined
}
