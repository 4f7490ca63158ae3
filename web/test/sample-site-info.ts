import type { SiteInfo } from '@keepsnap/contract/site.ts'

/** An installation whose settings are complete. */
export const sampleSiteInfo: SiteInfo = {
  operator: {
    name: 'Fotolicht BV',
    address: 'Kouter 1, 9000 Gent, Belgium',
    vat: 'BE 0123.456.749',
    email: 'info@fotolicht.example',
    is_sample: false,
  },
  team: [],
  support_email: 'help@fotolicht.example',
  emails: 'smtp',
  payments: 'stripe',
  storage_host: null,
  analytics: null,
}
