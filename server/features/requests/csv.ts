import type { PhotoRequest } from '@keepsnap/contract/requests.ts'

/** A cell that a spreadsheet takes for text, whatever a stranger wrote: OWASP's advice on CSV injection. */
export function cell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

const row = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** Requests as RFC 4180, with the mark by which spreadsheets know UTF-8. */
export const csvHead = `\uFEFF${row(['Requester', 'Photo', 'Photo ID', 'Requested (UTC)', 'State', 'Sent (UTC)', 'Reason'])}`

export const csvRow = (request: PhotoRequest): string =>
  row([
    request.requester_email,
    request.photo.filename,
    request.photo.id,
    request.requested_at,
    request.state,
    request.sent_at ?? '',
    request.failure ?? '',
  ])
