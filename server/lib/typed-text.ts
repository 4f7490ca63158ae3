/** Control characters, and those that reverse the order in which the following text is shown. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** Reduces a text that a person typed to one line, for email headers and lists. */
export const singleLine = (text: string): string => text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim()

/** Normalizes line ends to LF (forms send CR LF) and removes control characters. */
export const severalLines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(unprintable, (characters) => characters.replace(/[^\n\t]/g, ''))
    .trim()
