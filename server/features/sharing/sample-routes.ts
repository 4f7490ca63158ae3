import { sampleNames, samplePagePath, type SampleName } from '@keepsnap/contract/samples.ts'
import { sampleCode, samplePage } from '@keepsnap/contract/sharing.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame } from '../../domain/guest-page-props.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import type { Serve } from '../../http/serve.ts'
import { isAppleDevice } from '../../lib/user-agent.ts'
import { createQrCodeCache } from '../../lib/qr-codes.ts'
import { sendQrCode, splitQrCodeName } from './send-qr-code.ts'

/** Shorter than that of files with a hash in their name: PUBLIC_URL is part of the code. */
const codeCacheControl = 'public, max-age=3600'
/** Shorter still: an update of the program changes the name of the page's picture. */
const pageCacheControl = 'public, max-age=60'

const sampleNamed = (name: string): SampleName | undefined => sampleNames.find((sample) => sample === name)

/**
 * The sample pictures of the home page and of the demonstration of the big screen: their codes, and the page that each
 * code leads to. They are the same for everybody, use no database and count nothing.
 */
export function sampleRoutes(
  serve: Serve,
  { config, urls, guestRenderer }: Pick<Dependencies, 'config' | 'urls' | 'guestRenderer'>,
): void {
  const drawQrCode = createQrCodeCache()

  serve(samplePage, async ({ params }, { req, reply }) => {
    const name = sampleNamed(params.name)
    if (name === undefined) {
      const page = { page: 'gone', why: 'photo' } as const
      const frame = guestFrame(config.publicUrl, samplePagePath(''))
      await sendGuestPage(reply, guestRenderer, { page, frame, status: 404 })
      return undefined
    }
    await sendGuestPage(reply.header('vary', 'origin, user-agent'), guestRenderer, {
      page: { page: 'sample', name, ios: isAppleDevice(req.headers) },
      frame: guestFrame(config.publicUrl, samplePagePath(name)),
      cacheControl: pageCacheControl,
    })
    return undefined
  })
  serve(sampleCode, async ({ params }, call) => {
    const [text, format] = splitQrCodeName(params.name)
    const name = sampleNamed(text)
    if (name === undefined) throw new Fault('not_found', 'There is no sample picture with this name.')
    const picture = drawQrCode(urls.samplePage(name), format)
    await sendQrCode(call, { format, ...picture, cacheControl: codeCacheControl })
    return undefined
  })
}
