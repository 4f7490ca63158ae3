import { Literal, Object, String, Union, type Static } from 'typebox'

/** Where visits are counted when a visitor agrees: the settings ANALYTICS_PROVIDER, ANALYTICS_HOST and ANALYTICS_SITE. */
export const Analytics = Object({
  provider: Union([Literal('matomo'), Literal('plausible')]),
  /** The origin from which its script comes and to which page views go: `https://stats.example.com`. */
  host: String(),
  /** The site at the provider: a number at Matomo, a domain at Plausible. */
  site: String(),
})
export type Analytics = Static<typeof Analytics>

/** Programs that count visits. */
export const analyticsProviders = ['matomo', 'plausible'] as const satisfies readonly Analytics['provider'][]
