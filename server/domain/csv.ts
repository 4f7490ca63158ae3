/** A cell that a spreadsheet takes for text, whatever a stranger wrote: OWASP's advice on CSV injection. */
function cell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

/** One line of RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** The first line of a file, with the mark by which spreadsheets know UTF-8. */
export const csvHeading = (names: readonly string[]): string => `\uFEFF${csvLine(names)}`
