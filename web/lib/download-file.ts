/** Browsers read the URL some time after the click. */
const revokeAfterMs = 60_000

/** Starts a download of the bytes. Works without a secure context (plain http). */
export function downloadFile(bytes: Blob, filename: string): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs)
}
