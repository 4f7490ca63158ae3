/** Browsers may read the object URL some time after the click. */
const revokeUrlAfterMs = 60_000

/** Starts a download of the bytes. Works without a secure context (plain http). */
export function downloadFile(bytes: Blob, filename: string): void {
  const objectUrl = URL.createObjectURL(bytes)
  const downloadLink = document.createElement('a')
  downloadLink.href = objectUrl
  downloadLink.download = filename
  document.body.append(downloadLink)
  downloadLink.click()
  downloadLink.remove()
  setTimeout(() => URL.revokeObjectURL(objectUrl), revokeUrlAfterMs)
}
