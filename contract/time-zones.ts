/** Names of the IANA time zone database, such as `Europe/Brussels`; no offsets such as `+01:00`. */
const zoneNamePattern = /^[A-Za-z][\w+-]*(\/[\w+-]+){0,3}$/

/** The canonical spelling of a time zone's name; undefined for a text that names none. */
export function canonicalTimeZone(name: string): string | undefined {
  if (name.length > 64 || !zoneNamePattern.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined // Intl throws for unknown names
  }
}
