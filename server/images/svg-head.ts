/** Whether a file begins like an SVG: text whose first element is `svg`. Everything else is for others to judge. */
export function isSvg(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 4096))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  const start = text.replace(/^(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>)+/i, '')
  return /^<(?:[\w.-]{1,32}:)?svg[\s>/]/i.test(start)
}
