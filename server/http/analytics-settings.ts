import { isIPv4 } from 'node:net'
import { analyticsProviders, type Analytics } from '@keepsnap/contract/analytics.ts'

/** The settings of analytics in the web app. */
export interface AnalyticsSettings {
  /** Null: no visits are counted, and the security policy allows no other host. */
  analytics: Analytics | null
}

interface Readers {
  readSetting: (name: string) => string | undefined
  /** Parses a text as an origin; reports a problem when it is not one. */
  readOrigin: (name: string, text: string) => string | undefined
}
type Provider = Analytics['provider']

const names = ['ANALYTICS_PROVIDER', 'ANALYTICS_HOST', 'ANALYTICS_SITE'] as const

/** What identifies a site, by provider, and how to fix a setting that does not. */
const sites: Record<Provider, { pattern: RegExp; fix: string }> = {
  matomo: { pattern: /^[1-9]\d{0,9}$/, fix: "give the number of the site in Matomo's settings, such as 1" },
  plausible: {
    pattern: /^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i,
    fix: 'give the domain of the site as it is named in Plausible, such as photos.example.com',
  },
}

/** Characters that have no other meaning in a security policy: a star would allow every host, a semicolon end the rule. */
const plainHost = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:]+\])$/

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  (isIPv4(hostname) && hostname.startsWith('127.'))

/** Whether an origin may be in the security policy of pages. */
function isAllowedHost(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return plainHost.test(hostname) && (protocol === 'https:' || isLoopback(hostname))
}

/** Reads `ANALYTICS_PROVIDER`, `ANALYTICS_HOST` and `ANALYTICS_SITE`: all three or none. */
export function readAnalyticsSettings({ readSetting, readOrigin }: Readers, problems: string[]): AnalyticsSettings {
  const providerSetting = readSetting('ANALYTICS_PROVIDER')
  const hostSetting = readSetting('ANALYTICS_HOST')
  const siteSetting = readSetting('ANALYTICS_SITE')
  const missing = names.filter((name) => !readSetting(name))
  if (missing.length === names.length) return { analytics: null }
  if (missing.length) {
    const given = names.find((name) => !missing.includes(name))
    problems.push(
      `${given} is set but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not; set all three or none.`,
    )
  }
  const provider = analyticsProviders.find((one) => one === providerSetting)
  if (providerSetting && !provider)
    problems.push(`ANALYTICS_PROVIDER is "${providerSetting}"; give one of ${analyticsProviders.join(', ')}.`)
  const host = hostSetting && readOrigin('ANALYTICS_HOST', hostSetting)
  if (host && !isAllowedHost(host))
    problems.push(
      `ANALYTICS_HOST is "${hostSetting}"; give one host with https://, such as https://stats.example.com. http:// is for this machine only.`,
    )
  const site = provider && siteSetting && sites[provider].pattern.test(siteSetting) ? siteSetting : undefined
  if (provider && siteSetting && !site) problems.push(`ANALYTICS_SITE is "${siteSetting}"; ${sites[provider].fix}.`)
  return { analytics: provider && host && site ? { provider, host, site } : null }
}
