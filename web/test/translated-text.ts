/**
 * The translators of browsers replace each text by an element with the translation. Where React then removes such a text or
 * inserts something before it, that fails and the page is gone; where React changes it, nobody sees that. It sets the whole
 * content of an element with nothing but one text. So each test fails that would show such a problem to a reader of a
 * translated page: a text beside something conditional, or a text that changes beside others, stands in an element of its own.
 */
const problems = new Set<string>()

/** A text that React remembers, with others beside it. */
const isRememberedText = (node: unknown): node is Text =>
  node instanceof Text &&
  node.data.trim() !== '' &&
  !node.parentElement?.closest('[translate="no"]') &&
  Object.keys(node).some((key) => key.startsWith('__reactFiber$'))

const note = (what: string, text: Text): void =>
  void problems.add(`“${text.data}” is ${what} in ${text.parentElement?.outerHTML.slice(0, 300)}`)

const { removeChild, insertBefore } = Node.prototype
Node.prototype.removeChild = function removeNoted<T extends Node>(this: Node, child: T): T {
  if (isRememberedText(child)) note('removed', child)
  return removeChild.call(this, child) as T // what was given
}
Node.prototype.insertBefore = function insertNoted<T extends Node>(this: Node, node: T, before: Node | null): T {
  if (isRememberedText(before)) note('what something is inserted before', before)
  return insertBefore.call(this, node, before) as T // what was given
}

const owner = [Text.prototype, CharacterData.prototype, Node.prototype].find((each) =>
  Object.hasOwn(each, 'nodeValue'),
)!
const original = Object.getOwnPropertyDescriptor(owner, 'nodeValue')!
Object.defineProperty(owner, 'nodeValue', {
  ...original,
  set(this: Node, value: string) {
    if (isRememberedText(this) && this.data !== value) note(`changed to “${value}”`, this)
    original.set!.call(this, value)
  },
})

/** Fails the test that has just ended if a translated page would have broken in it. */
export function checkTranslatedPages(): void {
  const found = [...problems]
  problems.clear()
  if (found.length > 0)
    throw new Error(`a translated page would break here, see web/test/translated-text.ts:\n${found.join('\n')}`)
}

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
