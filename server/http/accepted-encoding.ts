/** Whether an Accept-Encoding header allows gzip; RFC 9110 section 12.5.3. */
export function isGzipAccepted(header: string | undefined): boolean {
  const codings = (header ?? '').split(',').map((coding) => {
    const [name = '', ...parameters] = coding.toLowerCase().split(';')
    const weight = parameters.find((parameter) => /^\s*q\s*=/.test(parameter))?.split('=')[1]
    return { name: name.trim(), isAllowed: weight === undefined || Number(weight) > 0 }
  })
  const gzip =
    codings.find(({ name }) => name === 'gzip' || name === 'x-gzip') ?? codings.find(({ name }) => name === '*')
  return gzip?.isAllowed ?? false
}
