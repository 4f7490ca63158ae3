import { isIPv6 } from 'node:net'

/** The settings of outgoing webhooks. */
export interface WebhookSettings {
  /** Hosts that webhooks may reach without https and in private networks, in lower case. */
  webhookAllowedHosts: string[]
}

/** A host as URLs write it, without brackets and without a dot at the end; undefined when the text is not a host alone. */
function normalizeHost(text: string): string | undefined {
  if (isIPv6(text)) return hostOf(new URL(`http://[${text}]`).hostname)
  const url = `http://${text}`
  return /^[\p{L}\d._-]+$/u.test(text) && URL.canParse(url) ? hostOf(new URL(url).hostname) : undefined
}

/** A host of a URL, without brackets and without a dot at the end. */
export const hostOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Reads `WEBHOOK_ALLOWED_HOSTS`. */
export function readWebhookSettings(readList: (name: string) => string[], problems: string[]): WebhookSettings {
  return {
    webhookAllowedHosts: readList('WEBHOOK_ALLOWED_HOSTS').flatMap((text) => {
      const host = normalizeHost(text)
      if (host === undefined)
        problems.push(
          `WEBHOOK_ALLOWED_HOSTS has "${text}"; give host names or IP addresses such as booth.lan or 192.168.1.20, without http:// and without a port.`,
        )
      return host ?? []
    }),
  }
}
