/** The browser's time zone, `Europe/Brussels`; undefined when it reports none that the server knows. */
export function deviceTimeZone(): string | undefined {
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone && zone !== 'Etc/Unknown' ? zone : undefined
}
