/** Long enough for every browser to have begun. */
const keepMs = 60_000

/** Hands bytes to the browser as a download. Works on plain http too. */
export function saveFile(bytes: Blob, filename: string): void {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), keepMs)
}
