/** A quoted cell that spreadsheets treat as text and not as a formula: OWASP's advice against CSV injection. */
function csvCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

/** One line of a CSV file (RFC 4180). */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** The heading of a CSV file, after the byte order mark by which spreadsheets detect UTF-8. */
export const csvHeading = (names: readonly string[]): string => `\uFEFF${csvLine(names)}`
