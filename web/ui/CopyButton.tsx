import { limits } from '@keepsnap/contract/limits.ts'
import { Check, Copy, type LucideIcon } from 'lucide-react'
import type { RefObject } from 'react'
import { useText } from '../lib/i18n.tsx'
import { useTemporaryMessage } from './SaveStatus.tsx'
import { copying } from '../messages/en/frame.ts'
import { Button, type ButtonLook } from './Button.tsx'

interface Props extends Pick<ButtonLook, 'tone'> {
  text: string
  /** What is copied, for screen readers: “Copy: curl”. */
  label: string
  /** On the button, instead of “Copy”. */
  caption?: string
  className?: string
  /** In place of two sheets. */
  Icon?: LucideIcon
  /** The element that shows the text. Where browsers do not let pages copy, its contents are selected instead. */
  shownIn: RefObject<HTMLElement | null>
  /** Only the icon, without the word. */
  icon?: boolean
}

/** Copies a text; a check mark confirms it for two seconds. */
export function CopyButton({
  text,
  label,
  caption,
  className = '',
  Icon = Copy,
  shownIn,
  icon = false,
  tone = 'ghost',
}: Props) {
  const words = useText({ copying })
  const [message, showMessage] = useTemporaryMessage()
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text)
    if (!isCopied && shownIn.current) selectContents(shownIn.current)
    showMessage({ tone: 'ok', text: isCopied ? words.copied : words.selected }, limits.copyTickMs)
  }
  const ShownIcon = message ? Check : Icon
  return (
    <span className="copy">
      <Button
        tone={tone}
        icon={icon}
        className={`copy__button ${message ? 'copy__button--done' : ''} ${className}`}
        aria-label={caption ?? words.copyNamed(label)}
        onClick={() => void copy()}
      >
        <ShownIcon className="icon" />
        {!icon && <span>{message?.text ?? caption ?? words.copy}</span>}
      </Button>
      <output className="visually-hidden">{message?.text}</output>
    </span>
  )
}

/** Selects what an element shows, so that the user can copy it with the keyboard or a long press. */
function selectContents(element: HTMLElement): void {
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
async function copyText(text: string): Promise<boolean> {
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
