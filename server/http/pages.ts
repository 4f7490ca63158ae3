import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { GuestFrame, GuestPage, GuestRenderer } from '@keepsnap/contract/guest.ts'
import { StartProblem } from '../start-problem.ts'

/**
 * The renderer that `web/guest` was built into, from the path of its module (`web/dist-guest/guest.js`).
 * A missing or unfit module is a `StartProblem`.
 */
export async function loadGuestRenderer(path: string): Promise<GuestRenderer> {
  if (!existsSync(path))
    throw new StartProblem(`The guest pages are not built: ${path} is missing. Run "npm run build".`)
  const built = (await import(pathToFileURL(path).href)) as Partial<GuestRenderer> // judged in the next line
  const { renderGuestPage, renderLetter, inlineStyles, inlineScripts } = built
  if (!renderGuestPage || !renderLetter || !inlineStyles || !inlineScripts)
    throw new StartProblem(`The guest pages at ${path} come from another version. Run "npm run build".`)
  return { renderGuestPage, renderLetter, inlineStyles, inlineScripts }
}

/** What a guest page may load and where it may send: its own style and script by their hashes, pictures, its font. */
export function guestPolicy({ inlineStyles, inlineScripts }: GuestRenderer, publicUrl: string): string {
  return [
    "default-src 'none'",
    `script-src ${inlineScripts.join(' ')}`,
    `style-src ${inlineStyles.join(' ')}`,
    "font-src 'self'",
    `img-src 'self' ${publicUrl} data: blob:`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

interface Sending {
  page: GuestPage
  frame: GuestFrame
  /** 200 when left out. */
  status?: number
  /** `no-store` when left out: what a guest may see is decided anew each time. */
  cacheControl?: string
}

interface Drawn {
  html: string
  packed: Promise<Buffer>
}
/** A hundred guests who scan one code get one drawing. */
const rememberMost = 100
/** Drawings by their contents; they go with their renderer. */
const remembered = new WeakMap<GuestRenderer, Map<string, Drawn>>()

/** Whether a page is the same for whoever comes, and holds nothing that was typed and no secret. */
function isForAll(page: GuestPage): boolean {
  if (page.page === 'request') return page.email === ''
  if (page.page === 'stop') return page.action === null
  return page.page !== 'photo' || page.by === 'code'
}

/** The page for these contents; drawing and packing cost a millisecond, remembering nothing. */
function draw(renderer: GuestRenderer, page: GuestPage, frame: GuestFrame): Drawn {
  const key = isForAll(page) ? JSON.stringify([page, frame]) : undefined
  const drawings = remembered.get(renderer) ?? new Map<string, Drawn>()
  const known = key === undefined ? undefined : drawings.get(key)
  if (known) return known
  const html = renderer.renderGuestPage(page, frame)
  const drawn = { html, packed: promisify(gzip)(html, { level: 4 }) }
  if (key !== undefined) {
    if (drawings.size >= rememberMost) drawings.clear()
    remembered.set(renderer, drawings.set(key, drawn))
  }
  return drawn
}

/** Draws a page and sends it, packed when the browser takes that, with the security policy that fits its contents. */
export async function sendGuestPage(
  reply: FastifyReply,
  renderer: GuestRenderer,
  { page, frame, status = 200, cacheControl = 'no-store' }: Sending,
): Promise<void> {
  const { html, packed } = draw(renderer, page, frame)
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ')
  reply
    .status(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', guestPolicy(renderer, frame.publicUrl))
    .header('cache-control', cacheControl)
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .header('vary', vary)
  if (/\bgzip\b/.test(reply.request.headers['accept-encoding'] ?? ''))
    await reply.header('content-encoding', 'gzip').send(await packed)
  else await reply.send(html)
}
