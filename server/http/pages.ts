import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { FastifyReply } from 'fastify'
import type { GuestFrame, GuestPage, GuestRenderer } from '@keepsnap/contract/guest.ts'

/** Loads what `npm run build` made of web/guest. Throws when it has not been built. */
export async function loadGuestRenderer(path: string): Promise<GuestRenderer> {
  if (!existsSync(path)) throw new Error(`${path} is missing; run npm run build`)
  // Built from web/guest, whose types promise this.
  return (await import(pathToFileURL(path).href)) as GuestRenderer
}

/** What a guest page may load and where its forms go: this origin, and pictures of the public address. */
const policyFor = ({ inlineStyles, inlineScripts }: GuestRenderer, publicUrl: string): string =>
  [
    "default-src 'none'",
    `style-src 'self' ${inlineStyles.join(' ')}`,
    `script-src ${inlineScripts.join(' ') || "'none'"}`,
    `img-src 'self' data: blob: ${publicUrl}`,
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export interface GuestAnswer {
  page: GuestPage
  frame: GuestFrame
  /** 200 when not given. */
  status?: number
}

/** Answers with a guest page. What it shows is decided at this moment, so nobody keeps it. */
export async function sendGuestPage(
  reply: FastifyReply,
  renderer: GuestRenderer,
  { page, frame, status = 200 }: GuestAnswer,
): Promise<void> {
  await reply
    .status(status)
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': policyFor(renderer, frame.publicUrl),
      'x-robots-tag': 'noindex',
    })
    .send(renderer.renderGuestPage(page, frame))
}
