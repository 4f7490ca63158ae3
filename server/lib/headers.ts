import type { IncomingHttpHeaders } from 'node:http'

/** Longer than the User-Agent of any browser; the rest is ignored. */
const maxAgentChars = 512
const appleMobileDevices = ['iPhone', 'iPad', 'iPod']
/** Safari on a Mac, and on iPads that request desktop sites, which send the same User-Agent. */
const desktopSafari = ['Macintosh', 'Version/', 'Safari/']
const otherBrowsers = ['Chrome/', 'Chromium/', 'Edg/', 'OPR/', 'Firefox/']

/** Whether the device may be an iPhone or iPad: there, downloads go to Files, and photos are saved with the share sheet. */
export function isAppleDevice({ 'user-agent': agent = '' }: IncomingHttpHeaders): boolean {
  const start = agent.slice(0, maxAgentChars)
  const mentions = (word: string): boolean => start.includes(word)
  return appleMobileDevices.some(mentions) || (desktopSafari.every(mentions) && !otherBrowsers.some(mentions))
}

/** Whether the device may be a phone or tablet, where a page with one big button is easier than a file among downloads. */
export const isMobileDevice = (headers: IncomingHttpHeaders): boolean =>
  isAppleDevice(headers) || (headers['user-agent'] ?? '').slice(0, maxAgentChars).includes('Android')

/**
 * Programs that read pages to draw previews of links, crawlers, and scanners of emails, as far as they say so; not phones by Cubot.
 * Most are called bots.
 */
const previewPrograms = new RegExp(
  [
    '(?<!cu)bot(?![a-z])|crawler|spider|preview',
    '^whatsapp/|facebookexternalhit|meta-external|snap url|vkshare|mastodon/|cardyb|slack-imgproxy|pinterest/0',
    'google-(inspectiontool|pagerenderer|read-aloud)|googleother|yahoo! slurp|ia_archiver|embedly|iframely',
    'barracuda|mimecast|proofpoint|symantec|messagelabs|trendmicro|cloudmark',
  ].join('|'),
  'i',
)

/** Whether a program reads a page instead of a guest. Nothing that it does is counted. */
export const isPreviewProgram = ({ 'user-agent': agent = '' }: IncomingHttpHeaders): boolean =>
  previewPrograms.test(agent.slice(0, maxAgentChars))

/** Whether a browser navigates to this URL, rather than a page or a program fetching it. */
export const isNavigation = ({ 'sec-fetch-dest': dest, accept = '' }: IncomingHttpHeaders): boolean =>
  dest === undefined ? accept.includes('text/html') : dest === 'document'

/** A Content-Disposition value (RFC 6266, RFC 8187): an ASCII name for old programs, and the real name if it differs. */
export function contentDisposition(type: 'attachment' | 'inline', filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${ascii}"${ascii === filename ? '' : `; filename*=UTF-8''${encoded}`}`
}
