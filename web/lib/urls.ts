/** Browsers may read the object URL some time after the click. */
const revokeUrlAfterMs = 60_000

/** Starts a download of the bytes. Works without a secure context (plain http). */
export function downloadFile(bytes: Blob, filename: string): void {
  const objectUrl = URL.createObjectURL(bytes)
  const downloadLink = document.createElement('a')
  downloadLink.href = objectUrl
  downloadLink.download = filename
  document.body.append(downloadLink)
  downloadLink.click()
  downloadLink.remove()
  setTimeout(() => URL.revokeObjectURL(objectUrl), revokeUrlAfterMs)
}

/** Opens an address outside of the app, such as the page of the payment provider. Throws unless it is http or https. */
export function leavePage(address: string): void {
  const { protocol, href } = new URL(address, window.location.href)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`${protocol} is not the scheme of a web page`)
  window.location.assign(href)
}

/** The text as a URL, or null. `URL.canParse` and `URL.parse` are newer than the browsers that we support. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

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
