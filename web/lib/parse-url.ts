/** The text as a URL, or null. `URL.canParse` and `URL.parse` are newer than the browsers that we support. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
