import { sql } from 'kysely'
import { createTestCode, openTestCode, testCodeImage } from '@keepsnap/contract/readiness.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame } from '../../domain/guest-page-props.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import type { Serve } from '../../http/serve.ts'
import { publish } from '../../live/bus.ts'
import { isAppleDevice, isPreviewProgram } from '../../lib/user-agent.ts'
import { createQrCodeCache } from '../../lib/qr-codes.ts'
import { sendQrCode, splitQrCodeName } from './send-qr-code.ts'

const lifetimeMinutes = 15

type TestCodeDependencies = Pick<Dependencies, 'config' | 'db' | 'tokens' | 'guestRenderer'>

/**
 * Codes that owners try with a phone before an evening: opening one tells the open pages of its owner, and shows a sample
 * picture.
 */
export function testCodeRoutes(serve: Serve, { config, db, tokens, guestRenderer }: TestCodeDependencies): void {
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
    return undefined
  })

  serve(openTestCode, async ({ params: { token } }, { req, reply }) => {
    const code = codes.read(token)
    const frame = guestFrame(config.publicUrl, openTestCode.path.replace(':token', ''))
    // A preview of the link is no scan.
    if (!code || !(isPreviewProgram(req.headers) || (await notifyOwnerOfScan(db, code)))) {
      await sendGuestPage(reply, guestRenderer, { page: { page: 'gone', why: 'expired' }, frame, status: 404 })
      return undefined
    }
    const page = { page: 'sample', name: 'topper', ios: isAppleDevice(req.headers) } as const
    await sendGuestPage(reply, guestRenderer, { page, frame, cacheControl: 'no-store' })
    return undefined
  })
}

/** Tells the pages of the owner; false when the code has expired or its owner is gone. */
async function notifyOwnerOfScan(
  db: Dependencies['db'],
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
