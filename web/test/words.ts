const spoken = [
  'aria-label',
  'alt',
  'title',
  'placeholder',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
] as const
const ours = /^⟦.*⟧$/s
const letters = /\p{L}/u

/**
 * The texts of a page shown in the pseudo-language that did not come from the catalogue. What is marked
 * `translate="no"` is data or a name: the product's, a person's, a file's, code.
 */
export function foreignTexts(page: Element): string[] {
  const found: string[] = []
  for (const element of [page, ...page.querySelectorAll('*')]) {
    if (element.closest('[translate="no"], script, style')) continue
    const own = Array.from(element.childNodes)
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent ?? '')
    const attributes = spoken.map((name) => element.getAttribute(name) ?? '')
    for (const text of [...own, ...attributes].map((part) => part.trim())) {
      if (letters.test(text) && !ours.test(text)) found.push(text)
    }
  }
  return found
}
