import { productName } from '@keepsnap/contract/product.ts'

/** The notice about cookies, and its settings. */
export const cookies = {
  title: 'Cookie Notice',
  essential: `${productName} keeps your sign-in, your display settings and this choice on your device. It cannot work without them.`,
  permission: 'With your permission we also count visits.',
  noAnalytics: 'Analytics is not set up on this site, so nothing is counted either way.',
  more: 'Privacy Policy',
  customize: 'Customize',
  essentialOnly: 'Essential Only',
  acceptAll: 'Accept All',
  choices: 'Your choices',
  essentialName: 'Essential',
  essentialHint: 'Always on. Your sign-in, your display settings and this choice.',
  analyticsName: 'Analytics',
  analyticsHint: (provider: string, host: string) =>
    `Counts visits to pages with ${provider} at ${host}, without cookies and without your name or photos. It shows us which pages are hard to find. No advertising.`,
  analyticsUnknown: 'Counts visits to pages, if analytics is set up on this site. No advertising.',
  save: 'Save Preferences',
  close: 'Close',
}
