import { Children, type ReactNode } from 'react'

/**
 * Each text among the children in an element of its own, for children that come and go: the translators of browsers replace
 * texts by elements, and React can neither remove such a text nor insert anything before it.
 */
export function separateTexts(children: ReactNode): ReactNode[] {
  const parts: ReactNode[] = []
  let text = ''
  let texts = 0
  const endText = (): void => {
    if (text) parts.push(<span key={`text ${(texts += 1)}`}>{text}</span>)
    text = ''
  }
  for (const child of Children.toArray(children)) {
    if (typeof child === 'string' || typeof child === 'number') text += child
    else {
      endText()
      parts.push(child)
    }
  }
  endText()
  return parts
}
