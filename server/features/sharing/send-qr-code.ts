import { matchesTag } from '../../http/entity-tag.ts'
import type { Call } from '../../http/serve.ts'
import type { QrCodeFormat, QrCodePicture } from '../../lib/qr-codes.ts'

/** The format is an extension of the name; PNG without one. */
export const splitQrCodeName = (name: string): [string, QrCodeFormat] =>
  name.endsWith('.svg') ? [name.slice(0, -4), 'svg'] : [name.replace(/\.png$/, ''), 'png']

/** Sends the picture of a QR code, or 304 when the browser has it. */
export async function sendQrCode(
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  { format, bytes, entityTag, cacheControl }: QrCodePicture & { format: QrCodeFormat; cacheControl: string },
): Promise<void> {
  reply.headers({ 'cache-control': cacheControl, etag: entityTag })
  if (format === 'svg') reply.header('content-security-policy', "default-src 'none'; sandbox")
  if (matchesTag(req.headers['if-none-match'], entityTag)) return void (await reply.status(304).send())
  await reply.type(format === 'svg' ? 'image/svg+xml' : 'image/png').send(bytes)
}
