/** A piece of a text: plain, bold, or a link. */
export interface InlinePiece {
  text: string
  bold?: true
  /** A path, an address, or `#id` of a section, whose number follows the text. */
  to?: string
}

const markup = /\*\*(?<bold>[^*]+)\*\*|\[(?<label>[^[\]]+)\]\((?<to>[^()\s]+)\)/g

/** The pieces of a text with `**bold**` and `[links](/privacy)`. */
export function inlinePieces(text: string): InlinePiece[] {
  const pieces: InlinePiece[] = []
  let end = 0
  for (const match of text.matchAll(markup)) {
    const { bold, label = '', to } = match.groups ?? {}
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) })
    pieces.push(bold === undefined ? { text: label, ...(to !== undefined && { to }) } : { text: bold, bold: true })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end) })
  return pieces
}
