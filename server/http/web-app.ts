import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pages, photosPage } from '@keepsnap/contract/pages.ts'
import { answerNothing } from './server.ts'

/** Whether a browser wants a page rather than data. */
export const wantsPage = (req: FastifyRequest): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') && (req.headers.accept ?? '').trimStart().startsWith('text/html')

/** What pages may load: themselves, images also from the public address and from the page's own memory. */
function pagePolicy(html: string, publicUrl: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  const socket = publicUrl.replace(/^http/, 'ws')
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts.join(' ')}`.trim(),
    "style-src 'self'",
    `img-src 'self' data: blob: ${publicUrl}`,
    'media-src data: blob:',
    `connect-src 'self' ${socket}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Serves the built web app: hashed files for ever, the app for its pages, its 404 for every other page. */
export async function serveWebApp(
  app: FastifyInstance,
  { dist, publicUrl }: { dist: string; publicUrl: string },
): Promise<void> {
  const index = join(dist, 'index.html')
  if (!existsSync(index)) {
    app.setNotFoundHandler(answerNothing)
    return
  }
  const html = readFileSync(index, 'utf8')
  const policy = pagePolicy(html, publicUrl)
  await app.register(fastifyStatic, {
    root: dist,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['index.html*', '.*'],
    setHeaders(reply, path) {
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
    },
  })
  const sendApp = async (reply: FastifyReply, status: number): Promise<void> => {
    reply.header('content-security-policy', policy).header('cache-control', 'no-cache').header('vary', 'origin, accept')
    await reply.status(status).type('text/html; charset=utf-8').send(html)
  }
  for (const path of Object.values(pages)) app.get(path, async (_, reply) => sendApp(reply, 200).then(() => reply))

  // A page load of /photos is a person with an old link; everything else there is the call.
  app.addHook('onRequest', async (req, reply) => {
    if (req.raw.url?.split('?', 1)[0] === photosPage && wantsPage(req))
      await reply.header('cache-control', 'no-store').redirect(pages.latest, 302)
  })
  app.setNotFoundHandler(async (req, reply) => {
    await (wantsPage(req) ? sendApp(reply, 404) : answerNothing(req, reply))
    return reply
  })
}
