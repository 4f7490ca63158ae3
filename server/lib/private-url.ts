import { isIPv4 } from 'node:net'

const privateNames = /(^|\.)(localhost|local|lan|internal|home\.arpa|test)$/
const privateIPv4 =
  /^(0\.|10\.|127\.|169\.254\.|192\.168\.|192\.0\.2\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/
const privateIPv6 = /^\[(::1\]|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/

/** Whether a URL can be reached only from this machine or its private network, not from the internet. */
export function isPrivateUrl(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  if (isIPv4(hostname)) return privateIPv4.test(hostname)
  if (hostname.startsWith('[')) return privateIPv6.test(hostname)
  return privateNames.test(hostname) || !hostname.includes('.')
}
