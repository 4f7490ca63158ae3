import type { IncomingHttpHeaders } from 'node:http'

const phones = /\b(?:iPhone|iPad|iPod)\b/
/** Safari on a Mac, and on iPads that ask for desktop sites, which look the same from here. */
const desktopSafari = /\bMacintosh\b.*\bVersion\/[\d.]+.*\bSafari\//
const others = /\b(?:Chrome|Chromium|Edg|OPR)\//

/** Whether the device may be an iPhone or iPad: there an attachment lands in Files, and photos are saved by the share sheet. */
export const isApple = ({ 'user-agent': agent = '' }: IncomingHttpHeaders): boolean =>
  phones.test(agent) || (desktopSafari.test(agent) && !others.test(agent))

/** Whether a browser is going to this address, rather than a page or a program fetching it. */
export const isNavigation = ({ 'sec-fetch-dest': dest, accept = '' }: IncomingHttpHeaders): boolean =>
  dest === undefined ? accept.includes('text/html') : dest === 'document'
