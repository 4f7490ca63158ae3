const textAttributes = [
  'aria-label',
  'alt',
  'title',
  'placeholder',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
] as const
const translated = /^⟦.*⟧$/s
const word = /\p{L}/u

/**
 * The texts of a page in the pseudolocale that do not come from the catalogue. Elements with `translate="no"` contain
 * data or names: of the product, of a person, of a file, or code. Elements with a language of their own are not in the
 * catalogue: the server's description of its API is in English.
 */
export function untranslatedTexts(element: Element): string[] {
  if (element.matches('[translate="no"], [lang]:not(html), script, style')) return []
  const texts = Array.from(element.childNodes)
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.textContent ?? '')
  const attributes = textAttributes.map((name) => element.getAttribute(name) ?? '')
  const own = [...texts, ...attributes].map((part) => part.trim())
  return [
    ...own.filter((text) => word.test(text) && !translated.test(text)),
    ...Array.from(element.children).flatMap(untranslatedTexts),
  ]
}
