import { useRef } from 'react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { apiDocs } from '../../messages/en/api-docs.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'

// The server, which renders the page for visitors without JavaScript, has no window; there, nothing is copied.
const origin = typeof window === 'undefined' ? '' : window.location.origin

/** A link to a part of the page, which can be copied too. */
export function CopyLink({ id, name }: { id: string; name: string }) {
  const text = useText({ apiDocs }).call
  const link = useRef<HTMLAnchorElement>(null)
  return (
    <p className="copy-link small">
      <Link to={`#${id}`} ref={link} aria-label={text.linkNamed(name)}>
        {text.link}
      </Link>
      <CopyButton icon text={`${origin}${paths.apiDocs}#${id}`} label={text.linkTo(name)} shownIn={link} />
    </p>
  )
}
