/** A content coding that we send. */
type Coding = 'gzip' | 'br'

/** Whether an Accept-Encoding header allows a coding; RFC 9110 section 12.5.3. */
export function isCodingAccepted(header: string | undefined, coding: Coding): boolean {
  const codings = (header ?? '').split(',').map((one) => {
    const [name = '', ...parameters] = one.toLowerCase().split(';')
    const weight = parameters.find((parameter) => /^\s*q\s*=/.test(parameter))?.split('=')[1]
    return { name: name.trim(), isAllowed: weight === undefined || Number(weight) > 0 }
  })
  const named = codings.find(({ name }) => name === coding || name === `x-${coding}`)
  return (named ?? codings.find(({ name }) => name === '*'))?.isAllowed ?? false
}

/** Whether an Accept-Encoding header allows gzip. */
export const isGzipAccepted = (header: string | undefined): boolean => isCodingAccepted(header, 'gzip')
