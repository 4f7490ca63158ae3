import type { IncomingHttpHeaders } from 'node:http'

/** Longer than any browser's name of itself; what comes after it is not looked at. */
const agentChars = 512
const phones = ['iPhone', 'iPad', 'iPod']
/** Safari on a Mac, and on iPads that ask for desktop sites, which look the same from here. */
const desktopSafari = ['Macintosh', 'Version/', 'Safari/']
const others = ['Chrome/', 'Chromium/', 'Edg/', 'OPR/', 'Firefox/']

/** Whether the device may be an iPhone or iPad: there an attachment lands in Files, and photos are saved by the share sheet. */
export function isApple({ 'user-agent': agent = '' }: IncomingHttpHeaders): boolean {
  const start = agent.slice(0, agentChars)
  const has = (word: string): boolean => start.includes(word)
  return phones.some(has) || (desktopSafari.every(has) && !others.some(has))
}

/** Whether a browser is going to this address, rather than a page or a program fetching it. */
export const isNavigation = ({ 'sec-fetch-dest': dest, accept = '' }: IncomingHttpHeaders): boolean =>
  dest === undefined ? accept.includes('text/html') : dest === 'document'
