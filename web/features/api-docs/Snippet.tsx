import { useRef } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'

/** Code with its name and a button that copies it. Long lines scroll, also with the keyboard. */
export function Snippet({ label, code }: { label: string; code: string }) {
  const shown = useRef<HTMLElement>(null)
  return (
    <div className="snippet">
      <div className="snippet__head">
        <span translate="no">{label}</span>
        <CopyButton text={code} label={label} shownIn={shown} />
      </div>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <code className="code" ref={shown} tabIndex={0} translate="no">
        {code}
      </code>
    </div>
  )
}
