import { parseUrl } from './parse-url.ts'

/**
 * Moves an image URL of the server to the origin of the API. The server builds URLs from its PUBLIC_URL; a page that was
 * opened under another name (localhost, the name of the machine) has to load images from there, or the browser refuses
 * them. Null for any scheme but http and https: it is not an image of ours.
 */
export function mediaUrl(url: string, apiOrigin: string): string | null {
  const parsed = parseUrl(url, apiOrigin)
  return parsed && /^https?:$/.test(parsed.protocol) ? apiOrigin + parsed.pathname + parsed.search : null
}

/** The URL that downloads a photo as an attachment: browsers ignore a link's `download` attribute across origins. */
export const attachmentUrl = (fullImageUrl: string): string => `${fullImageUrl}&download=1`

/** The URL of a photo whose pixels a page reads (canvas): the server never redirects it to another origin. */
export const readableUrl = (fullImageUrl: string): string => `${fullImageUrl}&inline=1`
