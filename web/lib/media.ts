/**
 * An image address from the server, on the origin this page talks to. The server writes its PUBLIC_URL into addresses;
 * a page opened under another of its names (localhost, the machine's own) must load them from there, or the browser
 * refuses them. Anything but http is not an image of ours: null.
 */
export function mediaUrl(address: string, apiOrigin: string): string | null {
  if (!URL.canParse(address, apiOrigin)) return null
  const { protocol, pathname, search } = new URL(address, apiOrigin)
  return protocol === 'http:' || protocol === 'https:' ? apiOrigin + pathname + search : null
}
