const privateNames = /(^|\.)(localhost|local|lan|internal|home\.arpa|test)$/
const privateAddresses =
  /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|192\.0\.2\.|\[::1\]$|\[f[cd][0-9a-f]{2}:|\[fe80:)/

/** Whether an address is reached only from this machine or its own network: a trial or a venue, not the internet. */
export function isPrivateUrl(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  return privateNames.test(hostname) || privateAddresses.test(hostname) || !/[.:]/.test(hostname)
}
