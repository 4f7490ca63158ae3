import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { isLanguage } from '@keepsnap/contract/languages.ts'
import { pagePreview } from '@keepsnap/contract/rendering.ts'
import { Fault } from '../../faults.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import type { ApiDependencies } from '../../dependencies.ts'
import { sendSharedFile } from '../../platform/http/send-object.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { PreviewContent } from './preview-drawing.ts'

const cacheControl = 'public, max-age=86400'

/** Serves the pictures that chats and social networks show with links to public pages. */
export function pagePreviewRoutes(serve: Serve, deps: ApiDependencies): void {
  const previewOf = createPagePreviews(deps)
  serve(pagePreview, async ({ params }, call) => {
    const picture = await previewOf(params.name)
    if (!picture) throw new Fault('not_found', 'There is no picture for this page.')
    call.reply.removeHeader('x-robots-tag')
    await sendSharedFile(call, { type: 'image/jpeg', body: picture, cacheControl })
    return undefined
  })
}

/** Of all pages in all languages: more than there are, of some 60 kilobytes each. */
const maxPreviews = 200

const timeoutMs = 30_000

/** One is drawn at a time; the others wait. */
const maxWaiting = 100

/** Draws in a thread of its own; resolves with the SVG. */
function drawInThread(content: PreviewContent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const thread = new Worker(new URL('./drawing-thread.ts', import.meta.url), { workerData: content, execArgv: [] })
  const timeout = setTimeout(() => reject(new Error('drawing a preview picture took too long')), timeoutMs)
  thread.once('message', resolve).once('error', reject)
  thread.once('exit', (code) => reject(new Error(`the thread of a drawing ended with ${code}`)))
  return promise.finally(() => {
    clearTimeout(timeout)
    void thread.terminate()
  })
}

async function renderJpeg(svg: string, images: () => Promise<ImagePool>): Promise<Buffer> {
  const pool = await images()
  const input = { writeInput: (path: string) => writeFile(path, svg) }
  const job = await pool.renderSingle('drawing', input, AbortSignal.timeout(timeoutMs))
  try {
    return await readFile((await job.result).path)
  } finally {
    await job.release()
  }
}

/** Returns the picture of `home.nl.jpg`, each drawn once; null when there is no such page or language. */
function createPagePreviews({ config, webDist, loadRenderer, images }: ApiDependencies) {
  const previews = new LRUCache<string, Promise<Buffer>>({ max: maxPreviews })
  const drawings = new PQueue({ concurrency: 1 })

  async function draw(content: PreviewContent): Promise<Buffer> {
    if (drawings.size >= maxWaiting)
      throw new Fault('unavailable', 'Too many pictures are being drawn right now. Please try again in a moment.', 10)
    return drawings.add(async () => renderJpeg(await drawInThread(content), images))
  }
  return async (filename: string): Promise<Buffer | null> => {
    const [, name = '', language] = /^(\w+)\.(\w+)\.jpg$/.exec(filename) ?? []
    if (!isLanguage(language)) return null
    const { pagePreview, previewFont } = await loadRenderer()
    const texts = pagePreview(name, language)
    if (!texts) return null
    const drawn =
      previews.get(filename) ?? draw({ ...texts, publicUrl: config.publicUrl, fontPath: join(webDist, previewFont) })
    previews.set(filename, drawn)
    drawn.catch(() => previews.delete(filename))
    return drawn
  }
}
