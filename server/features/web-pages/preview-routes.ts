import { pagePreview } from '@keepsnap/contract/web-pages.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { sendSharedFile } from '../../http/send-shared-file.ts'
import type { Serve } from '../../http/serve.ts'
import type { LoadWebPageRenderer } from '../../http/web-page-renderer.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { createPagePreviews } from './page-previews.ts'

const cacheControl = 'public, max-age=86400'

type PreviewDependencies = Pick<Dependencies, 'config'> & {
  images: () => Promise<ImagePool>
  webDist: string
  loadRenderer: LoadWebPageRenderer
}

/** Serves the pictures that chats and social networks show with links to public pages. */
export function pagePreviewRoutes(serve: Serve, { config, ...parts }: PreviewDependencies): void {
  const previewOf = createPagePreviews({ publicUrl: config.publicUrl, ...parts })
  serve(pagePreview, async ({ params }, call) => {
    const picture = await previewOf(params.name)
    if (!picture) throw new Fault('not_found', 'There is no picture for this page.')
    call.reply.removeHeader('x-robots-tag')
    await sendSharedFile(call, { type: 'image/jpeg', body: picture, cacheControl })
    return undefined
  })
}
