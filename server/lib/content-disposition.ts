/** A Content-Disposition value (RFC 6266, RFC 8187): an ASCII name for old programs, and the real name if it differs. */
export function contentDisposition(type: 'attachment' | 'inline', filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${ascii}"${ascii === filename ? '' : `; filename*=UTF-8''${encoded}`}`
}
