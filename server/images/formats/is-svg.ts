/** Whether a file starts like an SVG: text whose first element is `svg`. It may still be broken or hostile. */
export function isSvg(start: Uint8Array): boolean {
  const text = Buffer.from(start.subarray(0, 4096))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  const elements = text.replace(/^(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>)+/i, '')
  return /^<(?:[\w.-]{1,32}:)?svg[\s>/]/i.test(elements)
}
