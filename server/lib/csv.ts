import type { CsvWord, Language } from '@keepsnap/contract/languages.ts'

/** A number, a time, yes or no, or text that is not translated; nothing for null. */
export type CsvCell = string | number | boolean | Date | null

/** Writes the lines of a CSV file (RFC 4180) for the spreadsheet programs of people who read one language. */
export interface CsvWriter {
  /** The first line, after the byte order mark by which spreadsheets detect UTF-8. */
  heading(names: readonly CsvWord[]): string
  line(cells: readonly CsvCell[]): string
  /** A state, or a sentence of the server, in the language of the file. */
  translate(text: string): string
}

/** A quoted cell that spreadsheets treat as text and not as a formula: OWASP's advice against CSV injection. */
function csvCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

/** A time in UTC that Excel and LibreOffice read as one in every language, unlike ISO 8601 with `T`. */
const timeText = (time: Date): string => time.toISOString().slice(0, 19).replace('T', ' ')

/**
 * A writer of CSV files in a language. Excel splits lines at the separator of lists of the system: a comma in English, a semicolon
 * where the comma separates decimals.
 */
export function createCsvWriter(
  language: Language,
  translateTo: (language: Language, text: string) => string,
): CsvWriter {
  const separator = language === 'en' ? ',' : ';'
  const translate = (text: string): string => (language === 'en' ? text : translateTo(language, text))
  const textOf = (cell: CsvCell): string => {
    if (cell === null) return ''
    if (cell instanceof Date) return timeText(cell)
    return typeof cell === 'boolean' ? translate(cell ? 'yes' : 'no') : String(cell)
  }
  const line = (cells: readonly CsvCell[]): string =>
    `${cells.map((cell) => csvCell(textOf(cell))).join(separator)}\r\n`
  return { heading: (names) => `\uFEFF${line(names.map(translate))}`, line, translate }
}
