/** Selects what an element shows, so that the user can copy it with the keyboard or a long press. */
export function selectContents(element: HTMLElement): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    element.focus()
    element.select()
    return
  }
  const range = document.createRange()
  range.selectNodeContents(element)
  const selection = window.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

/** Copies a text to the clipboard; false if the browser has no clipboard API (plain http) or denies access. */
export async function copyText(text: string): Promise<boolean> {
  // Undefined on plain http, although its type says otherwise.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return false
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
