/** One page of a browser that is not Chromium, driven by a protocol that its makers support. Elements are found by XPath. */
export interface EnginePage {
  goto(url: string): Promise<void>
  /** Waits for the element, then presses it like a person. */
  click(xpath: string): Promise<void>
  /** Waits for the element, then types into it. */
  type(xpath: string, text: string): Promise<void>
  press(key: 'Escape'): Promise<void>
  /** Waits for an `<input type=file>`, hidden or not, and chooses a file in it. */
  chooseFile(xpath: string, path: string): Promise<void>
  /** The value of a JavaScript expression in the page; it must be JSON. */
  evaluate(expression: string): Promise<unknown>
  /** What is visible of the page, as PNG. */
  screenshot(): Promise<Buffer>
}

/** A browser with one page. */
export interface Engine {
  name: string
  version: string
  page: EnginePage
  close(): Promise<void>
}

/** How long an engine waits for an element. */
export const elementTimeoutMs = 20_000

const quote = (text: string): string =>
  text.includes("'") ? `concat('${text.split("'").join(`', "'", '`)}')` : `'${text}'`

/** XPath of a button by its visible text or its label. */
export const button = (name: string): string =>
  `//button[normalize-space()=${quote(name)} or @aria-label=${quote(name)}]`

/** XPath of a link by its visible text. */
export const link = (name: string): string => `//a[normalize-space()=${quote(name)}]`

/** XPath of the field that a `<label>` names. */
export const field = (label: string): string =>
  `//input[@id=//label[normalize-space()=${quote(label)}]/@for] | //label[normalize-space()=${quote(label)}]//input`

/** XPath of a link whose label begins with a text, such as a photo of the gallery. */
export const linkStarting = (start: string): string =>
  `//a[starts-with(@aria-label, ${quote(start)}) or .//img[starts-with(@alt, ${quote(start)})]]`
